"""All evidence behind one item: each dimension with its points, penalties, dates, and the tree of its event."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.parts import joined, reader, theme, words
from pages.parts.lanes import by_day
from pages.parts.safe import anchor, clean, cut, text
from pages.parts.view import View

FOLDED_SHOWN = 30  # reports and copies listed beneath a card
PLACES = (3, 4, 5)  # of a value, the first that will do


def draw(view: View, row: int, item: Any) -> None:
    st.html(_parts(item) + _penalties(item) + _dates(item))
    event = view.event_of(row)
    if event is not None and len(event.members) > 1:
        tree(view, event)
    elif event is not None and (others := _kept_apart(view, event)):
        st.html(others)
    if clean(item.judged.candidate.text) not in ("", clean(item.excerpt)):
        st.html(f'<p class="lt-sub">Text</p><p class="lt-excerpt" dir="auto" style="-webkit-line-clamp:14">'
                f"{text(item.judged.candidate.text)}</p>")  # fmt: skip


def breakdown(item: Any) -> None:
    """The sentence behind each dimension, and each penalty."""
    st.html(_parts(item) + _penalties(item))


def tree(view: View, event: Any) -> None:
    """Who reported the event, independent voices apart, why these reports are one event, and others are not."""
    st.html(_tree(view, event) + joined.html(view, event) + _kept_apart(view, event))


def _parts(item: Any) -> str:
    rows = "".join(map(_part, item.parts))
    return f'<div class="lt-evidence">{rows}</div>' if rows else ""


def _part(part: Any) -> str:
    value, most, points = product(part)
    return (
        f"<span>{swatch(part.name)}{text(part.name)}</span>"
        f'<span class="n">{value}</span><span class="n">× {most} = {points}</span>'
        f'<span class="said">{text(part.evidence)}</span>'
    )


def product(part: Any) -> tuple[str, str, str]:
    """(value of 1, points that a value of 1 brings, points it brings), in as few places as the sum holds by hand."""
    points = f"{100 * part.value * part.weight:.1f}"
    said = [(f"{part.value:.{places}f}", f"{100 * part.weight:.{places - 1}f}") for places in PLACES]
    value, most = next((pair for pair in said if f"{float(pair[0]) * float(pair[1]):.1f}" == points), said[-1])
    return value, most, points


def legend(view: View, item: Any) -> None:
    """What the colours of a score mean, what each dimension can bring at most, and what makes a fact."""
    said = "".join(
        f"<span>{swatch(part.name)}{text(part.name)} {100 * part.weight:.0f}</span>"
        if part.weight
        else f"<span>{text(part.name)} off</span>"
        for part in item.parts
    )
    st.html(
        f'<p class="lt-legend"><span>each can bring, of 100 points:</span>{said}</p><p class="lt-quiet">{text(tiers(view.settings))}</p>'
    )


def tiers(scores: Any) -> str:
    """What fact and lead mean, in one line."""
    return " ".join(f"{theme.TIERS[name]}: {meaning(name, scores)}." for name in theme.TIERS)


def meaning(tier: str, scores: Any) -> str:
    """What makes a fact or a lead, with the numbers that hold here."""
    if tier == "lead":
        return f"all others from {scores.threshold:g} points on"
    return (
        f"{scores.fact_total:g} points or more, and either {words.count(scores.fact_owners, 'independent owner')} tell it "
        f"or its authority is {scores.fact_authority:.2f} and its relevance {scores.fact_relevance:.2f} or more"
    )


def swatch(name: str) -> str:
    return f'<span class="lt-swatch" style="background:{theme.DIMENSIONS[name]}"></span>'


def _penalties(item: Any) -> str:
    if not item.penalties:
        return ""
    rows = "".join(
        f"<li><b>{text(penalty.name.replace('_', ' '))}</b> × {penalty.factor:.2f}: {text(penalty.evidence)}</li>"
        for penalty in item.penalties
    )
    return f'<p class="lt-sub">Penalties</p><ul class="lt-list">{rows}</ul>'


def _dates(item: Any) -> str:
    """The ledger of dates, the believed one first."""
    ledger = item.judged.candidate.dates
    zone = reader.zone()
    rows = "".join(_claim(claim, at == ledger.chosen, zone) for at, claim in enumerate(ledger.claims))
    if ledger.event_at:
        at = ledger.event_at
        when = words.day_html(at) if by_day(at) else words.time_html(at, zone)
        rows += f"<li>event time, from the text: {when}</li>"
    rows += "".join(f"<li>{text(note)}</li>" for note in ledger.notes)
    return f'<p class="lt-sub">Dates</p><ul class="lt-list">{rows}</ul>' if rows else ""


def _claim(claim: Any, believed: bool, zone: str) -> str:
    said = f"{text(claim.kind)}: {words.time_html(claim.at, zone)}, reliability {claim.reliability:.2f}"
    return f"<li>{'<b>believed</b> ' if believed else ''}{said}, zone {text(claim.zone)}</li>"


def size(view: View, event: Any) -> str:
    """Such as "9 sites, 4 independent, 5 copies": the copies are those of all the event's reports."""
    said = f"{words.count(view.sites(event), 'site')}, {event.independent} independent"
    return f"{said}, {words.count(len(event.copies), 'copy', 'copies')}" if event.copies else said


def _tree(view: View, event: Any) -> str:
    """Independent voices and beneath each what it published; the earliest is marked."""
    copies = dict(event.copies)
    owners = "".join(
        f"<li><b>{text(owner)}</b><ul class='lt-list'>"
        + "".join(_leaf(view, member, event, copies) for member in members[:FOLDED_SHOWN])
        + "</ul></li>"
        for owner, members in event.owners
    )
    return f'<p class="lt-sub">The event: {text(size(view, event))}</p><ul class="lt-list">{owners}</ul>'


def _leaf(view: View, member: str, event: Any, copies: dict[str, str]) -> str:
    row = view.row_of.get(member)
    if row is None:
        return ""
    item = view.item(row)
    flags = [
        "first to report" if member == event.originator else "",
        "copy" if member in copies else "",
        "upstream" if member in event.upstream else "",
    ]
    said = "".join(f' <span class="lt-flag">{text(flag)}</span>' for flag in flags if flag)
    where = f"{text(item.judged.candidate.domain)}, {words.time_html(item.published_at, reader.zone())}"
    title = anchor(item.url, text(cut(item.title, 200) or cut(item.judged.candidate.text, 90)))
    points = f'<span class="n">{view.total(row):.0f}</span>'
    return f'<li>{points} {title} <span class="lt-faint">{where}</span>{said}</li>'


def _kept_apart(view: View, event: Any) -> str:
    """Reports that look alike and are of another event, each with what separates the two."""
    members, rows = frozenset(event.members), {}
    for link in view.report.apart:
        if (link.a in members) != (link.b in members):
            rows.setdefault(link.b if link.a in members else link.a, link)
    told = "".join(
        f'<li>{text(cut(view.item(row).title, 120))} <span class="lt-faint">{text(link.reason)}</span></li>'
        for other, link in list(rows.items())[:FOLDED_SHOWN]
        if (row := view.row_of.get(other)) is not None
    )
    return f'<p class="lt-sub">Alike, and kept apart</p><ul class="lt-list">{told}</ul>' if told else ""
