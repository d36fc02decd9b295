"""The cache, the current run and the background job: the one place where pages meet the pipeline.

What must outlive a rerun is kept here: settings, the store and loaded runs in the server's cache, the current run in
the address (?run=ID), the running job in the session. A page asks here and draws what it gets.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, wraps
from typing import Any, ParamSpec
from zoneinfo import available_timezones

import streamlit as st

import pipeline
from pages.parts.view import View
from pipeline import jobs

KEPT_RUNS = 6  # loaded runs held by the server at once
Moves = tuple[tuple[str, Any], ...]
P = ParamSpec("P")


# --------------------------------------------------------------------------- settings and the analyst's choices


@st.cache_resource(show_spinner=False)
def settings() -> Any:
    return pipeline.load_settings()


def save_profile(name: str, scores: Any) -> None:
    """Keep settings as a profile; every session can choose it from its next rerun on. Raises pipeline.InputError."""
    store().files.save_profile(name, pipeline.as_profile(scores, name))
    settings.clear()


@st.cache_resource(show_spinner=False)
def store() -> Any:
    return pipeline.open_store(pipeline.home() / "lately.db")


def zone() -> str:
    """The analyst's zone: chosen in the sidebar, else the settings', else the browser's."""
    chosen = st.session_state.get("zone", "")
    configured = settings().pipeline.timezone
    return chosen or (configured if configured != "auto" else st.context.timezone or "UTC")


@cache
def zones() -> tuple[str, ...]:
    """Names of all zones; cached, for the list is read from some 600 files."""
    return tuple(sorted(name for name in available_timezones() if "/" in name or name == "UTC"))


def hint_language() -> str:
    """Such as "en" or "zh": chosen in the sidebar, else the settings', else the browser's."""
    chosen = st.session_state.get("hints", "auto")
    if chosen == "auto":
        chosen = settings().pipeline.locale
    if chosen == "auto":
        return "zh" if (st.context.locale or "").lower().startswith("zh") else "en"
    return str(chosen)


def presenting() -> bool:
    return st.query_params.get("present") == "1"


# --------------------------------------------------------------------------- what fails


def careful(change: Callable[P, None]) -> Callable[P, None]:
    """For callbacks: what the store or the settings refuse is said at the head of the page, and the page goes on."""

    @wraps(change)
    def kept(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            change(*args, **kwargs)
        except pipeline.LatelyError as error:
            st.session_state["failed"] = (*st.session_state.get("failed", ()), str(error))

    return kept


def failures() -> tuple[str, ...]:
    """What callbacks could not do since the last look."""
    return tuple(st.session_state.pop("failed", ()))


# --------------------------------------------------------------------------- plan


def plan_of(question: Any) -> tuple[Any, str]:
    """(plan, "") or (None, what is wrong with the question)."""
    try:
        return pipeline.parse_query(question, settings(), datetime.now(UTC)), ""
    except pipeline.InputError as error:
        return None, str(error)


# --------------------------------------------------------------------------- the current run


def run_id() -> str:
    return st.query_params.get("run") or st.session_state.get("current-run", "")


def choose_run(name: str) -> None:
    """Make a run the current one; "" clears it. A comparison under way ends."""
    if name != run_id():
        compare_with("")
    st.session_state["current-run"] = name
    if name:
        st.query_params["run"] = name
    else:
        st.query_params.pop("run", None)


def keep_address() -> None:
    """Moving between pages drops ?run= from the address: write it back."""
    choose_run(run_id())


def report() -> Any:
    """The current run, None when there is none or it is gone."""
    name = run_id()
    return _load(name) if name else None


def view() -> View | None:
    """The current run as the analyst looks at it: under moved settings, without what was dismissed."""
    current = report()
    return None if current is None else seen(current)


def seen(current: Any) -> View:
    """A run as the analyst looks at it."""
    here = _view(current.run_id, (), ()).row_of
    said = tuple(sorted(pair for pair in store().feedback.states().items() if pair[0] in here))
    return _view(current.run_id, moved(current.run_id), said)


def moved(name: str) -> Moves:
    """What the analyst looks at a run under, beside its own: (field of ScoreSettings, value) pairs, by field."""
    return tuple(sorted(st.session_state.get("moved", {}).get(name, {}).items()))


def move(name: str, **changes: Any) -> None:
    """Look at a run under other scoring settings, nothing is fetched; None goes back to the run's own.

    changes: fields of ScoreSettings, hashable.
    """
    runs = dict(st.session_state.get("moved", {}))
    now = {**runs.get(name, {}), **changes}
    runs[name] = {field: value for field, value in now.items() if value is not None}
    st.session_state["moved"] = runs


def recent_runs(limit: int = 20) -> tuple[Any, ...]:
    return store().runs.recent(limit=limit)


def kept_runs(limit: int, offset: int = 0) -> tuple[tuple[Any, ...], int]:
    """(some kept runs, newest first; how many there are)."""
    return store().runs.recent(limit=limit, offset=offset), store().runs.count()


@careful
def delete_run(name: str) -> None:
    """Delete a run; adopted items, feedback and labels stay."""
    with suppress(pipeline.InputError):  # another session was faster
        store().runs.delete(name)
    _loaded.clear(name)
    if name == run_id():
        choose_run("")


def compared() -> Any:
    """The run beside the current one (&with=ID in the address), None when nothing is compared."""
    name = st.query_params.get("with", "")
    return _load(name) if name and name != run_id() else None


def compare_with(name: str) -> None:
    """Lay a run beside the current one; "" ends it."""
    if name:
        st.query_params["with"] = name
    else:
        st.query_params.pop("with", None)


def interests(current: Any) -> tuple[str, ...]:
    """The interest words a run would use now: the configuration's, its profile's, those of the sidebar."""
    held = store().prefs.words("interests")
    try:
        return pipeline.score_settings(settings(), current.plan, interests=held).interests
    except pipeline.InputError:  # its profile is gone
        return held


def source_sets() -> dict[str, tuple[str, ...]]:
    """Set -> sources: those of sources.yaml and the saved ones."""
    return pipeline.source_sets(settings(), store())


def _load(name: str) -> Any:
    try:
        found = store().runs.show(name)  # a run that another process deleted is not read from the cache
        return _loaded(found.id)
    except pipeline.InputError:  # deleted, or a mistyped address: the page says so
        return None


@st.cache_resource(max_entries=KEPT_RUNS, show_spinner=False)
def _loaded(name: str) -> Any:
    """A stored run. What it holds is taken out of the collector's sight: Streamlit collects after every rerun."""
    found = store().runs.load(name)
    _freeze()
    return found


def _freeze() -> None:
    gc.collect()
    gc.freeze()


@st.cache_resource(show_spinner=False)
def settle(page: str) -> bool:
    """Take what the first drawing of a page brought in (its modules, the drawing library) out of the collector's
    sight; to be called when the page has been drawn.
    """
    _freeze()
    return True


@st.cache_resource(max_entries=4 * KEPT_RUNS, show_spinner=False)
def _view(name: str, moves: Moves, said: tuple[tuple[str, str], ...]) -> View:
    """A run under moved settings (none: its own), with the analyst's words on its items."""
    current = _loaded(name)
    gone = {item for item, kind in said if kind == "dismiss"}
    flags = [item in gone for item in current.table.ids]
    wanted = replace(current.settings, **dict(moves))
    if wanted == current.settings and flags == current.table.dismissed.tolist():
        return View(current, marks=dict(said))
    base = _interested(name, wanted.interests)
    dismissed = current.table.dismissed.copy()
    dismissed[:] = flags
    now = replace(base, table=replace(base.table, dismissed=dismissed))
    return View(current, pipeline.rescore(now, wanted), dict(said), now)


@st.cache_resource(max_entries=2 * KEPT_RUNS, show_spinner=False)
def _interested(name: str, interests: tuple[str, ...]) -> Any:
    """The run as if it had been asked with these interest words: the one change that reads every text, so made once."""
    current = _loaded(name)
    if interests == current.settings.interests:
        return current
    asked = replace(current.settings, interests=interests)
    values = pipeline.rescore(current, asked).values
    return replace(current, settings=asked, table=replace(current.table, values=values))


# --------------------------------------------------------------------------- feedback


def mark(current: Any, row: int, kind: str) -> None:
    """Adopt, dismiss or restore an item; the posterior of its source moves (not in the demo)."""
    store().feedback.give(kind, current, row, datetime.now(UTC))


def given_here(current: View, row: int) -> bool:
    """Whether the latest word on an item was said in this run; else it was said in another one."""
    said = tuple(sorted(current.marks.items()))
    return current.report.table.ids[row] in _given(current.report.run_id, said)


@st.cache_resource(max_entries=KEPT_RUNS, show_spinner=False)
def _given(name: str, said: tuple[tuple[str, str], ...]) -> frozenset[str]:
    log = store().feedback.log(run_id=name, limit=1_000_000)
    return frozenset(one.candidate for one in log if one.latest)


def decide(pairs: list[tuple[str, str]], *, joined: bool) -> None:
    """The analyst's word that items are, or are not, one event; every later run follows it."""
    store().memory.decide(pairs, joined=joined, at=datetime.now(UTC))


def undecide(pairs: list[tuple[str, str]]) -> None:
    store().memory.undecide(pairs)


def decisions() -> dict[tuple[str, str], bool]:
    """(candidate id, candidate id) -> True joined, False split."""
    return dict(store().memory.decisions())


# --------------------------------------------------------------------------- the X judge


def judged_sources(current: Any) -> tuple[str, ...]:
    """Sources of a run that a corpus judge looked at, X first."""
    return _judged_sources(current.run_id)


def review(current: Any, source: str) -> Any:
    """What the judge did with one source of a run, None where it judged nothing of it."""
    return _review(current.run_id, source)


def take_back(current: Any, row: int) -> None:
    """Undo the analyst's restoration of an item: the verdict before it holds again, its label goes."""
    name = current.table.ids[row]
    for said in store().feedback.log(limit=1_000_000):
        if said.candidate == name and said.latest and said.kind == "restore":
            store().feedback.undo(said.id, datetime.now(UTC))
            return


def rank_again(current: Any) -> None:
    """A new run of the same items in the background, with what was restored since."""
    st.session_state["job"] = jobs.rank_again(current.run_id, current.plan.text)


def review_file(data: bytes, topic: str, **asked: Any) -> tuple[Any, Any]:
    """(verdict on a file of posts, entries that could not be read). Raises InputError."""
    return _review_file(data, topic, tuple(sorted(asked.items())))


def labelled(topic: str) -> dict[str, str]:
    """Item id -> id of the label that says it is on topic, of those the analyst gave for this topic."""
    found = store().labels.find(task="topic", query=topic)
    return {label.item: label.id for label in found if label.label == "on" and label.labeller == "analyst"}


def label_on_topic(topic: str, item: str, words: str, note: str) -> None:
    label = pipeline.Label(
        task="topic", query=topic, item=item, label="on", at=datetime.now(UTC), labeller="analyst", text=words, note=note
    )  # fmt: skip
    store().labels.add([label])


def unlabel(label_id: str) -> None:
    store().labels.remove(label_id)


def floors() -> Any:
    return pipeline.Floors.of(settings().pipeline.x)


@st.cache_resource(max_entries=KEPT_RUNS, show_spinner=False)
def _judged_sources(name: str) -> tuple[str, ...]:
    return tuple(pipeline.judged_sources(_loaded(name)))


@st.cache_resource(max_entries=2 * KEPT_RUNS, show_spinner=False)
def _review(name: str, source: str) -> Any:
    return pipeline.review_run(_loaded(name), source, floors=floors())


@st.cache_resource(max_entries=KEPT_RUNS, show_spinner=False)
def _review_file(data: bytes, topic: str, asked: tuple[tuple[str, Any], ...]) -> tuple[Any, Any]:
    wanted = dict(asked)
    embedder, _ = pipeline.open_embedder(settings(), store().vectors) if wanted["mode"] == "context" else (None, ())
    return pipeline.review_file(data, topic, floors=floors(), embedder=embedder, **wanted)


def labels(current: Any) -> tuple[Any, ...]:
    """What was labelled for this run's question."""
    return store().labels.find(query=current.plan.text)


# --------------------------------------------------------------------------- background runs


def start(question: Any) -> None:
    """Start a run in the background; it goes on when this tab is closed."""
    st.session_state["job"] = jobs.start(question)


def again(current: Any, **changes: Any) -> None:
    """Ask a run's question once more with some of it changed, as a new run beside it."""
    start(replace(current.plan.question, **({"demo": current.demo} | changes)))


def job() -> Any:
    """State of the run this session started; a new session takes up one that is still under way, else None."""
    if "job" not in st.session_state:
        st.session_state["job"] = next((one.id for one in jobs.recent(limit=5) if one.live), "")
    name = st.session_state["job"]
    return jobs.poll(name) if name else None


def since(moment: datetime) -> float:
    """Seconds from a moment until now."""
    return (datetime.now(UTC) - moment).total_seconds()


def stop() -> None:
    if name := st.session_state.get("job"):
        jobs.cancel(name)


def forget_job() -> None:
    st.session_state["job"] = ""
