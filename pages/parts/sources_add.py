"""A new source: what it is, a live test that shows what would be read, then into the user's own sources.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

import pipeline
from pages.parts import reader, server, words
from pages.parts.hints import say
from pages.parts.safe import clean, text
from pages.parts.sources import SAID

KINDS = {"rss": "Feed", "search": "Search feed", "custom": "Page without a feed"}
ADDRESS = {
    "rss": ("https://example.org/feed.xml", "RSS, Atom or JSON Feed."),
    "search": (
        "https://example.org/search?q={query}&after={since}",
        "{query} stands for the search words, {since} and {until} for days of the window, where the service takes them.",
    ),
    "custom": ("https://example.org/news", "A page that lists its news; each item is read with the selectors below."),
}
SELECTORS = {
    "item": ("Item", "li.news", "What holds one news item"),
    "title": ("Title", "h3 a", "Inside the item"),
    "link": ("Link", "h3 a@href", "Inside the item; @href reads the address"),
    "date": ("Date", "time@datetime", "Empty: the page names none, or only in the address"),
    "text": ("Text", "p", "Empty: only the title is read"),
}
SHOWN = 12  # items of a test in its table


def draw() -> None:
    kind = st.segmented_control(
        "Kind", list(KINDS), default="rss", required=True, format_func=KINDS.__getitem__, key="new-kind",
        persist_state="session",
    )  # fmt: skip
    entry = _fields(kind or "rss")
    with st.container(horizontal=True, vertical_alignment="center", key="new-actions"):
        tested = st.button("Test it now", key="new-test", type="primary")
        kept = st.button("Save to my sources", key="new-save")
    if (tested or kept) and _lists_feeds(entry["url"]):
        st.session_state["new-said"] = say("opml_here")
        st.session_state.pop("new-found", None)
    elif tested:
        _test(kind, entry)
    elif kept:
        _save(kind, entry)
    _said()
    _found(kind, entry)
    _mine()


# --------------------------------------------------------------------------- what it is


def _fields(kind: str) -> dict[str, Any]:
    """The form; the entry as sources.yaml would hold it, without what is empty."""
    example, about = ADDRESS[kind]
    left, right = st.columns([1, 2], gap="medium")
    entry: dict[str, Any] = {
        "name": left.text_input("Name", key="new-name", placeholder="Example Daily", max_chars=80).strip(),
        "url": right.text_input("Address", key="new-url", placeholder=example, help=about).strip(),
    }
    if kind == "custom":
        entry["selectors"] = _selectors()
        able = pipeline.can_render()
        rendered = st.checkbox(
            "Render in a browser", key="new-render", disabled=not able,
            help="For pages that scripts draw; slower." if able else "Needs the extra: pip install 'lately[render]'",
        )  # fmt: skip
        entry |= {"render": True} if rendered else {}
    with st.expander("Class, owner, language, zone, priority, limits", type="compact"):
        entry |= _more()
    return entry


def _selectors() -> dict[str, str]:
    st.html(f'<p class="lt-hint">{text(say("selectors"))}</p>')
    columns = st.columns(len(SELECTORS), gap="small")
    found = {
        name: column.text_input(label, key=f"new-{name}", placeholder=example, help=about).strip()
        for column, (name, (label, example, about)) in zip(columns, SELECTORS.items(), strict=True)
    }
    return {name: said for name, said in found.items() if said or name in ("item", "title", "link")}


def _more() -> dict[str, Any]:
    classes = ("", *server.settings().scoring.authority.classes)
    one, two, three = st.columns(3, gap="medium")
    found: dict[str, Any] = {
        "class": one.selectbox(
            "Class", classes, key="new-class", format_func=lambda name: name or "told by its address",
            help="Sets the prior of its authority.",
        ),
        "owner": two.text_input("Owner", key="new-owner", help="Sites of one owner are one voice.").strip(),
        "theme": three.text_input("Theme", key="new-theme", placeholder="world, ai, markets").strip(),
        "language": one.text_input("Language", key="new-language", max_chars=2, placeholder="en, zh").strip(),
        "timezone": two.selectbox(
            "Zone of dates that name none", ("UTC", *(name for name in reader.zones() if name != "UTC")), key="new-zone"
        ),
        "priority": three.number_input("Priority, 1 is asked and waited for first", 1, 9, 2, key="new-priority"),
    }  # fmt: skip
    per_minute = one.number_input("Requests a minute, at most", 1, 600, None, key="new-minute", placeholder="no limit")
    per_day = two.number_input("Requests a day, at most", 1, 100_000, None, key="new-day", placeholder="no limit")
    limits = {"max_per_minute": per_minute, "max_per_day": per_day}
    found["rate_limiter"] = {name: most for name, most in limits.items() if most}
    return {name: value for name, value in found.items() if value and (name, value) != ("timezone", "UTC")}


# --------------------------------------------------------------------------- test and save


def _lists_feeds(address: str) -> bool:
    """Whether an address names an OPML file."""
    return "opml" in urlsplit(address).path.lower().rpartition("/")[2].split(".")


def _test(kind: str, entry: Mapping[str, Any]) -> None:
    """Ask it once, now. The answer stays on the page until another one is tested."""
    try:
        with st.spinner("Asking it once"):
            named = {**entry, "name": entry["name"] or "test"}
            found = pipeline.try_source_now(kind, named, settings=server.settings(), store=server.store())
        st.session_state["new-found"] = (kind, dict(entry), found)
    except pipeline.LatelyError as error:
        st.session_state["new-said"] = str(error)
        st.session_state.pop("new-found", None)


def _save(kind: str, entry: Mapping[str, Any]) -> None:
    try:
        pipeline.source_entry(kind, entry)
        server.store().files.add_source(kind, entry)
    except pipeline.LatelyError as error:
        st.session_state["new-said"] = str(error)
        return
    server.settings.clear()
    asked = kind in server.settings().sources.default
    how = "Runs ask it from now on." if asked else f"Choose “{kind}” under the sources of a question to ask it."
    st.session_state["new-said"] = f"Saved: {entry['name']}. {how}"


def _said() -> None:
    if said := st.session_state.pop("new-said", ""):
        css = "lt-hint" if said.startswith(("Saved", "Removed")) else "lt-warning"
        st.html(f'<p class="{css}">{text(said)}</p>')


def _found(kind: str, entry: Mapping[str, Any]) -> None:
    """What the test brought: outcome, advice, the first items as they would be read."""
    tested = st.session_state.get("new-found")
    if tested is None or tested[0] != kind:
        return
    _, then, found = tested
    outcome = found.outcome
    dated = sum(one.published_at is not None for one in found.candidates)
    facts = f"{SAID[outcome.status]}: {words.count(len(found.candidates), 'item')}, {dated} dated, in {words.seconds(outcome.elapsed_ms)}"
    old = "" if then == entry else " The fields have changed since; test again."
    st.html(f'<p class="lt-source-said">{text(then["name"] or "It")} {text(facts)}.{text(old)}</p>')
    said = (outcome.detail, *found.advice)
    for line in dict.fromkeys(filter(None, said)):
        st.html(f'<p class="lt-warning">{text(line[:1].upper() + line[1:])}</p>')
    if found.candidates:
        _items(found.candidates)


def _items(candidates: Any) -> None:
    zone = reader.zone()
    shown = candidates[:SHOWN]
    claims = [one.dates.claims[one.dates.chosen] if one.dates.chosen is not None else None for one in shown]
    st.dataframe(
        {
            "title": [clean(one.title)[:200] for one in shown],
            "published": [words.moment(one.published_at, zone) for one in shown],
            "raw": [clean(claim.raw)[:60] if claim else "" for claim in claims],
            "from": [f"{claim.kind}, zone {claim.zone}" if claim else "" for claim in claims],
            "link": [clean(one.url)[:200] for one in shown],
            "text": [clean(one.text)[:160] for one in shown],
        },
        hide_index=True, key="new-items", alt=f"{len(shown)} items as they would be read",
        column_config={
            "title": st.column_config.TextColumn("Title", width=330),
            "published": st.column_config.TextColumn(f"Published, {zone}", width=130),
            "raw": st.column_config.TextColumn("Date as written", width=165),
            "from": st.column_config.TextColumn("Read from", width=125),
            "link": st.column_config.TextColumn("Link", width=230),
            "text": st.column_config.TextColumn("Text", width=300),
        },
    )  # fmt: skip


# --------------------------------------------------------------------------- the user's own


def _mine() -> None:
    """Sources that were added, each with the way to remove it."""
    st.html('<h3 class="lt-source-head">My sources</h3>')
    try:
        mine = server.store().files.sources()
    except pipeline.LatelyError as error:
        st.html(f'<p class="lt-warning">{text(error)}</p>')
        return
    if not mine:
        st.html(f'<p class="lt-hint">{text(say("no_own_source"))}</p>')
    for at, (kind, entry) in enumerate(mine):
        with st.container(horizontal=True, vertical_alignment="center", key=f"mine-{at}"):
            st.html(f"<p><b>{text(entry['name'])}</b> <span class=\"lt-faint\">{text(KINDS[kind])}, "
                    f"{text(str(entry.get('url', ''))[:120])}</span></p>")  # fmt: skip
            st.button("Remove", key=f"mine-remove-{at}", type="tertiary", on_click=_remove, args=(kind, entry["name"]))


def _remove(kind: str, name: str) -> None:
    try:
        server.store().files.remove_source(kind, name)
        st.session_state["new-said"] = f"Removed: {name}."
    except pipeline.LatelyError as error:
        st.session_state["new-said"] = str(error)
    server.settings.clear()
