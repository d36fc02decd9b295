"""How the sources answer: the last runs as a picture, budget left, keys, the last error; and a check of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import streamlit as st

import pipeline
from pages.parts import background, download, reader, server, sources, theme, words
from pages.parts.hints import say
from pages.parts.safe import clean, text
from pipeline import jobs

ROW, TALL = 35, 16
EVERY = 0.7  # seconds between two looks at a check under way
RUNS, BAR, HIGH = 20, 7, 24  # bars of the picture, pixels of one and of the highest
COLUMNS = (
    "source",
    "endpoint",
    "runs",
    "answered",
    "items",
    "median_ms",
    "last_asked_utc",
    "budget",
    "key",
    "last_error",
)
FOUND = ("source", "endpoint", "status", "requests", "ms", "items", "dated", "in_window", "mean_score", "not_shown",
         "newest_utc", "usual_interval_hours", "date_as_written", "date_as_read", "key", "budget", "what_to_do",
         "detail", "checked_utc")  # fmt: skip


def draw() -> None:
    found = pipeline.source_health(server.settings(), server.store())
    _standing(found)
    st.html('<h3 class="lt-source-head">Diagnose</h3>')
    _ask(sorted({one.source for one in found}))
    _job()
    _findings()


# --------------------------------------------------------------------------- how each stands


def _standing(found: Sequence[Any]) -> None:
    asked = [one for one in found if one.answers]
    failing = [one for one in asked if one.answers.failing]
    lacking = [one for one in found if not one.ready]
    said = [f"{words.count(len(found), 'source')} configured", f"{len(asked)} asked so far"]
    said += [f"{len(failing)} failing now"] if failing else []
    said += [f"{len(lacking)} without a key"] if lacking else []
    st.html(f'<p class="lt-source-said">{text(", ".join(said))}.</p>')
    ordered = sorted(found, key=lambda one: (not (one.answers and one.answers.failing), one.answers is None))
    st.dataframe(
        _cells(ordered), key="health", hide_index=True, row_height=ROW, placeholder="–", column_config=_columns(),
        height=ROW * (min(len(ordered), TALL) + 1) + 3, alt=f"{len(found)} sources and how they answered",
    )  # fmt: skip
    st.html(_legend())
    download.table("Health (CSV)", "health", COLUMNS, lambda: map(_record, ordered), key="health-csv")


def _cells(found: Sequence[Any]) -> dict[str, list[Any]]:
    zone = reader.zone()
    return {
        "name": [clean(one.endpoint) for one in found],
        "source": [one.source for one in found],
        "state": [_state(one) for one in found],
        "picture": [picture(one.answers.answers) if one.answers else None for one in found],
        "items": [one.answers.items if one.answers else None for one in found],
        "seconds": [round(one.answers.median_ms / 1000, 2) if one.answers else None for one in found],
        "budget": [_requests(one) for one in found],
        "last": [words.moment(one.answers.last_at, zone) if one.answers else None for one in found],
        "key": [one.key or None for one in found],
        "error": [_error(one.answers, zone) or None for one in found],
    }


def _state(one: Any) -> str:
    if not one.ready:
        return "no key set"
    if one.answers is None:
        return "not asked yet"
    if one.answers.failing:
        return sources.SAID[one.answers.last_status] + (
            f", {one.answers.failing} times" if one.answers.failing > 1 else ""
        )
    return sources.SAID[one.answers.last_status]


def _requests(one: Any) -> str:
    """Such as "6 today, no limit" or "43 of 55 left this minute, 50 of 90 today"."""
    return one.budget or f"{one.asked_today or 'none'} today, no limit"


def _error(answers: Any, zone: str) -> str:
    if answers is None or not answers.last_error:
        return ""
    return clean(f"{words.moment(answers.last_error_at, zone)}: {answers.last_error}")[:240]


def _columns() -> dict[str, Any]:
    column = st.column_config
    return {
        "name": column.TextColumn("Source", pinned=True, width=170),
        "source": column.TextColumn("Kind", width=88),
        "state": column.TextColumn("Last answer", width=195),
        "picture": column.ImageColumn("Last runs", width=168, help="The newest is at the right"),
        "items": column.NumberColumn("Items", width=60, help="Of its latest 20 runs together"),
        "seconds": column.NumberColumn("Median, s", format="%.2f", width=78, help="Seconds until it had answered"),
        "budget": column.TextColumn("Requests", width=215, help="Made, and left where the source has a limit"),
        "last": column.TextColumn("Last asked", width=110),
        "key": column.TextColumn("Key", width=190, help="Whether it is set; the key itself is never shown"),
        "error": column.TextColumn("Last error", width=300),
    }


def picture(answers: Sequence[Any]) -> str:
    """One bar a run: as high as its items (square root, of the most), red and full where it failed; a line for time."""
    most = max((one.items for one in answers), default=0) or 1
    slow = max((one.elapsed_ms for one in answers), default=0) or 1
    dark = theme.mode() == "dark"
    good, bad, line = ("#5FB8C2", "#FF8A80", "#E9E6DF") if dark else ("#14606B", "#B3261E", "#1D1C1A")
    first = RUNS - len(answers)
    bars, points = [], []
    for at, one in enumerate(answers, first):
        high = HIGH if not one.good else max(2.0, HIGH * (one.items / most) ** 0.5)
        bars.append(
            f'<rect x="{at * BAR}" y="{HIGH - high:.1f}" width="{BAR - 2}" height="{high:.1f}" '
            f'fill="{good if one.good else bad}" fill-opacity="{0.75 if one.good else 0.9}"/>'
        )
        points.append(f"{at * BAR + 2.5},{HIGH - 1 - (HIGH - 3) * one.elapsed_ms / slow:.1f}")
    time = f'<polyline points="{" ".join(points)}" fill="none" stroke="{line}" stroke-opacity="0.65"/>'
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{RUNS * BAR}" height="{HIGH}" '
        f'viewBox="0 0 {RUNS * BAR} {HIGH}">{"".join(bars)}{time}</svg>'
    )
    return "data:image/svg+xml;utf8," + quote(svg, safe="/:= ")


def _legend() -> str:
    keys = (("ok", "a run that was answered, as high as its items"), ("bad", "a run in which it failed"))
    marks = "".join(f'<span><i class="lt-health {css}"></i>{said}</span>' for css, said in keys)
    return f'<p class="lt-legend">{marks}<span>line: seconds, against its slowest</span></p>'


def _record(one: Any) -> tuple[Any, ...]:
    kept = one.answers
    if kept is None:
        return one.source, one.endpoint, 0, 0, 0, "", "", one.budget, one.key, ""
    return (one.source, one.endpoint, kept.runs, kept.good, kept.items, kept.median_ms, kept.last_at.isoformat(),
            one.budget, one.key, kept.last_error)  # fmt: skip


# --------------------------------------------------------------------------- asking them now


def _ask(kinds: Sequence[str]) -> None:
    job = pipeline.checkup_job(server.store())
    with st.container(horizontal=True, vertical_alignment="bottom", key="checkup-ask"):
        chosen = st.multiselect(
            "Which", kinds, key="checkup-kinds", placeholder="all kinds of sources", persist_state="session",
            label_visibility="collapsed",
        )  # fmt: skip
        if st.button("Diagnose", key="checkup", type="primary", disabled=job is not None and job.live):
            pipeline.start_checkup(server.store(), sources=chosen or None)
            st.rerun()
    st.html(f'<p class="lt-hint">{text(say("diagnose"))}</p>')


def _job() -> None:
    job = pipeline.checkup_job(server.store())
    if job is not None and (job.live or job.state in ("failed", "interrupted")):
        _progress()


@st.fragment(run_every=EVERY)
def _progress() -> None:
    job = pipeline.checkup_job(server.store())
    if job is None or job.state in ("done", "cancelled"):
        st.rerun()
    if not job.live:
        st.html(f'<p class="lt-warning">{text(job.error or "The check was interrupted; start it again.")}</p>')
        return
    answered = job.progress.get("endpoints", ())
    with st.container(horizontal=True, vertical_alignment="center", key="checkup-progress"):
        st.html(f'<p><b>{text(job.progress.get("stage", "waiting for its turn"))}</b> '
                f'<span class="lt-faint">{background.since(job.created_at):.0f} s</span></p>')  # fmt: skip
        st.button("Stop", key="checkup-stop", on_click=jobs.cancel, args=(job.id,), disabled=job.cancelling)
    st.html(f'<div class="lt-lines">{"".join(_asked(one) for one in answered)}</div>')


def _asked(one: Mapping[str, Any]) -> str:
    status = one.get("status") or "asking"
    dot = "asking" if status == "asking" else sources.dot(status)
    said = sources.SAID.get(status, status)
    return sources.row_html(dot, one["endpoint"], one.get("items", 0), one.get("elapsed_ms", 0), said)


# --------------------------------------------------------------------------- what the last check found


def _findings() -> None:
    found = list(pipeline.findings(server.store()).values())
    if not found:
        return
    found.sort(key=lambda one: (one.diagnosis.status not in sources.FAILED, one.diagnosis.source, -one.diagnosis.items))
    zone = reader.zone()
    latest = max(one.at for one in found)
    keyless = sum(one.diagnosis.status == "not configured" for one in found)
    good = len(found) - keyless - sum(one.diagnosis.status in sources.FAILED for one in found)
    lacking = f", {keyless} lack a key" if keyless else ""
    st.html(f'<p class="lt-source-said">Checked {words.time_html(latest, zone)}: {good} of '
            f"{words.count(len(found), 'source')} answered{lacking}.</p>")  # fmt: skip
    seen = [one.diagnosis for one in found]
    st.dataframe(
        {
            "name": [clean(one.endpoint) for one in seen],
            "state": [sources.SAID[one.status] for one in seen],
            "todo": [clean(one.advice or one.detail) for one in seen],
            "items": [one.items for one in seen],
            "dated": [one.dated for one in seen],
            "window": [one.in_window for one in seen],
            "score": [one.mean_score for one in seen],
            "dropped": [", ".join(f"{n} {why}" for why, n in one.dropped.items()) for one in seen],
            "newest": [words.moment(one.newest, zone) if one.newest else "" for one in seen],
            "every": [one.interval_hours for one in seen],
            "raw": [clean(one.raw_date) for one in seen],
            "read": [clean(one.converted) for one in seen],
            "seconds": [round(one.elapsed_ms / 1000, 2) for one in seen],
            "requests": [one.requests for one in seen],
            "budget": [one.budget for one in seen],
            "key": [one.key for one in seen],
        },
        key="findings", hide_index=True, row_height=ROW, placeholder="–", column_config=_found_columns(zone),
        height=ROW * (min(len(seen), TALL) + 1) + 3, alt=f"{len(seen)} sources as the last check found them",
    )  # fmt: skip
    download.table("Findings (CSV)", "diagnosis", FOUND, lambda: map(_found_record, found), key="findings-csv")


def _found_columns(zone: str) -> dict[str, Any]:
    column = st.column_config
    return {
        "name": column.TextColumn("Source", pinned=True, width=170),
        "state": column.TextColumn("Answer", width=170),
        "todo": column.TextColumn("What to do", width=260),
        "items": column.NumberColumn("Items", width=60),
        "dated": column.NumberColumn("Dated", width=60),
        "window": column.NumberColumn("In window", width=80),
        "score": column.NumberColumn("Mean score", format="%.1f", width=85, help="Points of 100"),
        "dropped": column.TextColumn("Not shown", width=200),
        "newest": column.TextColumn("Newest", width=110),
        "every": column.NumberColumn("Every, hours", format="%.1f", width=95, help="Usual time between two entries"),
        "raw": column.TextColumn("A date as written", width=190),
        "read": column.TextColumn(f"As read, {zone}", width=230),
        "seconds": column.NumberColumn("Time, s", format="%.2f", width=70),
        "requests": column.NumberColumn("Requests", width=75),
        "budget": column.TextColumn("Used", width=190),
        "key": column.TextColumn("Key", width=190),
    }


def _found_record(found: Any) -> tuple[Any, ...]:
    one = found.diagnosis
    dropped = ", ".join(f"{n} {why}" for why, n in one.dropped.items())
    return (
        one.source, one.endpoint, one.status, one.requests, one.elapsed_ms, one.items, one.dated, one.in_window,
        "" if one.mean_score is None else one.mean_score, dropped, one.newest.isoformat() if one.newest else "",
        "" if one.interval_hours is None else one.interval_hours, one.raw_date, one.converted, one.key, one.budget,
        one.advice, one.detail, found.at.isoformat(),
    )  # fmt: skip
