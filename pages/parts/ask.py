"""The question box: what is asked, how it is understood, and every chip by which the analyst corrects that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import streamlit as st

import pipeline
from pages.parts import current, failures, planned, prefs, reader, server, sources, words
from pages.parts.hints import say
from pages.parts.safe import md, text
from pipeline import Question

WINDOWS = (7, 14, 30, 90)


def box() -> Any:
    """Draw the box and the plan beneath it. Returns the Question to run now, or None."""
    _box()
    return st.session_state.pop("asked", None)


@st.fragment
@failures.told()
def _box() -> None:
    """A fragment: typing draws the box anew and nothing else of the page."""
    _prefill()
    line = st.container(horizontal=True, vertical_alignment="bottom", key="ask-line")
    with line:
        st.text_input(
            say("ask"), key="text", live="400ms", placeholder=say("placeholder"),
            persist_state="session",
        )  # fmt: skip
        pressed = st.button("Run", key="run", type="primary", shortcut="ctrl+enter")
    asked = question()
    plan, problem = planned.plan_of(asked) if asked.text.strip() else (None, "")
    _chips(plan)
    _understood(plan, problem)
    if pressed and not asked.text.strip():
        st.html(
            f'<p class="lt-plan"><span class="lt-bad">Write a question first.</span> {text(say("placeholder"))}.</p>'
        )
    elif pressed and plan is not None:
        st.session_state["asked"] = asked
        st.rerun()


def _prefill() -> None:
    """An opened run's question, or a suggestion that was clicked, is what the box holds."""
    opened = current.report()
    if opened is not None and st.session_state.get("prefilled") != opened.run_id:
        st.session_state["prefilled"] = opened.run_id
        st.session_state["text"] = opened.plan.text
    if suggestion := st.session_state.pop("suggested", ""):
        st.session_state["text"] = suggestion


def question(**more: Any) -> Any:
    """The Question as the widgets stand; `more` overrides single fields."""
    state = st.session_state
    chosen = _chosen()
    threshold = state.get("threshold")
    fields: dict[str, Any] = {
        "text": state.get("text") or "",
        "days": state.get("days"),
        "since": _midnight(state.get("since")),
        "until": _midnight(state.get("until"), 1),
        "as_of": _there(state.get("as-of")),
        "route": "recent" if state.get("force") else None,
        "zone": reader.zone(),
        "depth": state.get("depth") or "default",
        "profile": state.get("profile") or None,
        "threshold": None if threshold is None else float(threshold),
        "max_results": state.get("max-results"),
        "sources": tuple(chosen) if chosen else None,
        "opml": _list_of_feeds() or None,
        "x_handles": _accounts("x-handles"),
        "x_related": _accounts("x-related"),
        "queries": {name: sent for name in source_names() if (sent := state.get(f"query-{name}", "").strip())},
        "refresh": bool(state.get("refresh")),
        "hide_seen": bool(state.get("hide-seen")),
    }
    return Question(**(fields | more))


def source_names() -> tuple[str, ...]:
    """Names of sources as sources.yaml has them."""
    return pipeline.source_names(server.settings())


def asked_sources() -> tuple[str, ...]:
    """What the next run asks: chosen here, else the set of the sidebar, else a list of feeds, else the usual sources."""
    return tuple(_chosen() or (("rss",) if _list_of_feeds() else server.settings().sources.default))


def _chosen() -> Sequence[str]:
    state = st.session_state
    return state.get("sources") or server.source_sets().get(state.get("source-set", "default")) or ()


def _list_of_feeds() -> str:
    """The feed list of the next run: an address, else the file that was given; "" for none."""
    typed = (st.session_state.get("opml-address") or "").strip()
    if typed and not typed.lower().startswith(("http://", "https://")):
        typed = f"https://{typed}"
    return typed or str(st.session_state.get("opml-kept", {}).get("path", ""))


def _accounts(key: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((st.session_state.get(key) or "").replace(",", " ").split()))


def _midnight(chosen: date | None, later: int = 0) -> datetime | None:
    if chosen is None:
        return None
    return _there(datetime.combine(chosen + timedelta(days=later), time()))


def _there(chosen: datetime | None) -> datetime | None:
    """A time as the analyst's clock shows it, in UTC."""
    return None if chosen is None else chosen.replace(tzinfo=words.zone_of(reader.zone())).astimezone(UTC)


# --------------------------------------------------------------------------- chips


def _chips(plan: Any) -> None:
    with st.container(horizontal=True, key="plan-line", vertical_alignment="center", gap="xsmall"):
        if current.report() is not None:
            st.html('<span class="lt-next">Next run</span>', width="content")
        st.pills(
            "Window in days", WINDOWS, format_func=lambda n: f"{n} d", key="days", label_visibility="collapsed",
            persist_state="session",
        )  # fmt: skip
        _window_chip(plan)
        _route_chip(plan)
        _sources_chip()
        _depth_chip()
        _queries_chip(plan)
        _more_chip()


def _window_chip(plan: Any) -> None:
    label = "window" if plan is None else words.span(plan.window.since, plan.window.until, plan.zone)
    with st.popover(label, key="chip-window"):
        st.date_input("From", value=None, key="since", persist_state="session")
        st.date_input("To, this day included", value=None, key="until", persist_state="session")
        if plan is not None:
            st.caption(f"{md(planned.how(plan.window))}; {plan.window.days:.3g} days.")


def _route_chip(plan: Any) -> None:
    with st.popover("route" if plan is None else words.ROUTES[plan.route], key="chip-route"):
        st.checkbox("Search recent events in any case", key="force", persist_state="session")
        if plan is not None:
            st.caption(md(f"Subject: {plan.core_subject or '–'} ({plan.stability}). " + ". ".join(plan.reasons)))
            for signal in plan.signals:
                st.caption(md(f"“{signal.text}” says {signal.says}"))


def _sources_chip() -> None:
    asked = asked_sources()
    alone = _list_of_feeds() and not _chosen()
    with st.popover("only the feed list" if alone else words.count(len(asked), "source kind"), key="chip-sources"):
        chosen = st.multiselect(
            "Ask only these kinds", source_names(), key="sources", placeholder=", ".join(asked),
            persist_state="session", format_func=sources.kind,
            help="Nothing chosen: the source set of the sidebar. Keyed sources join when their key is set.",
        )  # fmt: skip
        st.caption(say("kinds"))
        prefs.save_set(tuple(chosen))
        st.checkbox("Fresh answers, nothing from the cache", key="refresh", persist_state="session")
        st.checkbox("Hide what I have already seen", key="hide-seen", persist_state="session", help=say("seen"))


def _depth_chip() -> None:
    settings = server.settings().pipeline
    chosen = st.session_state.get("depth") or "default"
    with st.popover(f"{words.DEPTHS[chosen]} depth", key="chip-depth"):
        st.segmented_control(
            "Depth", list(words.DEPTHS), default="default", format_func=words.DEPTHS.get, key="depth",
            persist_state="session",
        )  # fmt: skip
        st.number_input(
            "Threshold, points of 100", 0, 100, value=None, placeholder=f"{settings.threshold:g}", key="threshold",
            persist_state="session",
        )  # fmt: skip
        st.number_input(
            "Shown events, at most", 1, 500, value=None, placeholder=str(settings.max_results), key="max-results",
            persist_state="session",
        )  # fmt: skip


def _queries_chip(plan: Any) -> None:
    edited = [name for name in source_names() if st.session_state.get(f"query-{name}")]
    with st.popover(
        words.count(len(edited), "edited query", "edited queries") if edited else "queries", key="chip-queries"
    ):
        if plan is None:
            st.caption("What each source is sent appears here once there is a question.")
            return
        for sub in plan.subqueries:
            st.caption(md(f"{sub.label}: {sub.search_query}"))
        for name in asked_sources():
            st.text_input(
                f"Send to {name} instead", key=f"query-{name}", placeholder=plan.subqueries[0].search_query,
                persist_state="session",
            )  # fmt: skip


def _more_chip() -> None:
    """What is asked rarely: a list of feeds of one's own, another day's view, accounts on X."""
    kept, as_of = st.session_state.get("opml-kept", {}), st.session_state.get("as-of")
    set_ = [_feeds_said(kept)] if _list_of_feeds() else []
    set_ += [f"as of {words.moment(_there(as_of), reader.zone())}"] if as_of else []
    handles = {*_accounts("x-handles"), *_accounts("x-related")}
    set_ += [words.count(len(handles), "X account")] if handles else []
    with st.popover(md(", ".join(set_)) or "More", key="chip-more"):
        st.file_uploader(
            "Feed list (OPML)", ["opml", "xml"], key=f"opml-file-{st.session_state.get('opml-round', 0)}",
            max_upload_size=5, on_change=_keep_list, help=say("feed_list"),
        )  # fmt: skip
        if problem := st.session_state.get("opml-problem", ""):
            st.caption(f":red[{md(problem)}]")
        if kept:
            st.caption(md(f"Asked instead of the configured feeds: {kept['name']}, {_feeds_said(kept)}"))
            st.button("Remove the list", key="opml-remove", type="tertiary", on_click=_drop_list)
        st.text_input(
            "or its address", key="opml-address", placeholder="https://example.org/feeds.opml", persist_state="session",
            disabled=bool(kept),
        )  # fmt: skip
        st.datetime_input(
            f"As of, {reader.zone()}", value=None, key="as-of", persist_state="session", help=say("as_of")
        )
        st.text_input(
            "Own accounts on X", key="x-handles", placeholder="@name @other", persist_state="session",
            help="Accounts of whom the question is about: their posts count as first-party.",
        )  # fmt: skip
        st.text_input("Related accounts on X", key="x-related", placeholder="@name @other", persist_state="session")


def _feeds_said(kept: Mapping[str, Any]) -> str:
    return words.count(kept["feeds"], "feed") if kept else "feed list"


def _keep_list() -> None:
    """The file that was given, if it is a list of feeds: kept, so that it is asked from every page and again later."""
    now = st.session_state
    file = now.get(f"opml-file-{now.get('opml-round', 0)}")
    now["opml-problem"] = ""
    if file is None:
        return
    try:
        feeds = pipeline.read_opml(file.getvalue())
        path = server.store().files.keep_feed_list(file.getvalue())
    except pipeline.LatelyError as error:
        now["opml-problem"] = f"{file.name}: {error}"
        return
    now["opml-kept"] = {"path": str(path), "name": file.name, "feeds": len(feeds)}
    now["opml-address"] = ""
    now["opml-round"] = now.get("opml-round", 0) + 1


def _drop_list() -> None:
    st.session_state.pop("opml-kept", None)


def _understood(plan: Any, problem: str) -> None:
    """The plan in one line, before anything is sent; not where it is that of the run on the screen."""
    run = current.report()
    if problem:
        st.html(f'<p class="lt-plan"><span class="lt-bad">{text(problem)}</span></p>')
    elif plan is not None and (run is None or planned.said(plan) != planned.said(run.plan)):
        said = (*planned.said(plan), *plan.warnings)
        st.html(f'<p class="lt-plan">{" · ".join(text(part) for part in said)}</p>')
