"""What-if: sliders for weights, decay, line and authority. They answer with settings to rank under; nothing is fetched.

Each slider's value is kept in the session under the run's name, so that it is still there after a visit to another
page. A slider that stands where it began brings the exact setting of the run, not its rounded place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

import pipeline
from pages.parts import current, evidence, reader, server, words
from pages.parts.safe import clean, md, text
from pages.parts.view import View
from pipeline import DIMENSION_NAMES

DECAYS = {"half_life": "Half-life", "linear": "Linear", "exponential": "Exponential"}
SOURCES = 300  # sources offered, those with most items first


# --------------------------------------------------------------------------- what the sliders say


def settings(view: View) -> Any:
    """The settings that the sliders stand for, drawn or not."""
    start = _start(view)
    begin = _places(start)
    at = {name: st.session_state.get(_key(view, name), place) for name, place in begin.items()}
    moved = {name for name, place in begin.items() if at[name] != place}
    weights = tuple(float(at[name]) for name in DIMENSION_NAMES) if moved & {*DIMENSION_NAMES} else start.weights
    if pipeline.weightless(replace(start, weights=weights)):
        weights = start.weights  # nothing to rank by: the order stays, and `answer` says so
    return replace(
        start,
        weights=weights,
        decay=at["decay"],
        window_days=float(at["window"]) if "window" in moved else start.window_days,
        threshold=_threshold(view, start),
        authority_biases={**start.authority_biases, **_biases(view, start)},
    )


def _start(view: View) -> Any:
    """The settings on the screen, or those with a profile. Interest words stay: new ones would read every text."""
    now, name = view.settings, st.session_state.get(_key(view, "from"), "")
    if name not in server.settings().profiles:
        return now
    found = pipeline.under_profile(
        replace(view.base, settings=now), pipeline.ran_with(view.report, server.settings()), name
    )
    return replace(found, interests=now.interests)


def _places(scores: Any) -> dict[str, Any]:
    """Where each slider stands under these settings."""
    most = max(1.0, *scores.weights)
    weights = {name: round(w / most, 2) for name, w in zip(DIMENSION_NAMES, scores.weights, strict=True)}
    return {**weights, "decay": scores.decay, "window": round(scores.window_days)}


def _threshold(view: View, start: Any) -> float:
    return float(st.session_state.get(_line(view, start), start.threshold))


def _biases(view: View, start: Any) -> dict[str, float]:
    """Source -> prior, for the chosen sources whose slider was moved."""
    found = {}
    for source in st.session_state.get(_key(view, "sources"), ()):
        at = st.session_state.get(_key(view, f"bias-{source}"))
        if at is not None and at != _prior(view, start, source):
            found[source] = float(at)
    return found


def _prior(view: View, start: Any, source: str) -> float:
    known = view.report.authorities.get(source)
    prior, _ = start.priors.get(source, (known.prior_mean if known else 0.5, ""))
    return round(float(start.authority_biases.get(source, prior)), 2)


def _key(view: View, name: str) -> str:
    return f"wi-{view.report.run_id}-{name}"


def _line(view: View, start: Any) -> str:
    """The threshold's key holds where it began: when that is moved on another page, the slider begins there."""
    return _key(view, f"line-{view.threshold:g}-{start.threshold:g}")


# --------------------------------------------------------------------------- the sliders


def draw(view: View) -> Any:
    """Three groups of sliders; the settings they stand for."""
    start = _start(view)
    for name, place in _places(start).items():
        st.session_state.setdefault(_key(view, name), place)
    st.session_state.setdefault(_line(view, start), float(start.threshold))
    with st.container(key="whatif"):
        weights, time, source = st.columns([2, 1, 1], gap="medium")
        with weights:
            _weights(view, start)
        with time:
            _time(view, start)
        with source:
            _authority(view, start)
    return settings(view)


def _weights(view: View, start: Any) -> None:
    for column, names in zip(st.columns(2, gap="medium"), (DIMENSION_NAMES[::2], DIMENSION_NAMES[1::2]), strict=True):
        with column:
            for name in names:
                off = name == "preference" and not start.interests
                st.slider(
                    f"{name.capitalize()}, " + ("off" if off else "weight"), 0.0, 1.0, step=0.01,
                    key=_key(view, name), persist_state="session", disabled=off,
                    help="Off: there are no interest words." if off else None,
                )  # fmt: skip


def _time(view: View, start: Any) -> None:
    st.selectbox(
        "Decay", list(DECAYS), format_func=DECAYS.__getitem__, key=_key(view, "decay"), persist_state="session",
        help="How timeliness fades with age. Half-life: slowly at first, 0.60 half way, 0.15 at the end. Linear: evenly "
        "to 0. Exponential: fast, 0.03 after two thirds.",
    )  # fmt: skip
    most = max(server.settings().pipeline.time_window.max_days, round(start.window_days))
    st.slider("Decay over, days", 1, most, key=_key(view, "window"), persist_state="session")
    st.slider("Threshold, points", 0.0, 100.0, step=0.5, format="%.1f", key=_line(view, start), persist_state="session")


def _authority(view: View, start: Any) -> None:
    profiles = {"": "This run"} | {name: profile.label for name, profile in server.settings().profiles.items()}
    st.selectbox(
        "Start from", list(profiles), format_func=lambda name: clean(profiles[name]), key=_key(view, "from"),
        persist_state="session", on_change=_restart, args=(view,),
        help="Weights, decay, threshold and authorities of a profile. Its window and sources apply to a new run.",
    )  # fmt: skip
    counts = sources(view.report.run_id, view.report)
    chosen = st.multiselect(
        "Authority of", list(counts), key=_key(view, "sources"), placeholder="choose a source",
        format_func=lambda name: f"{clean(name)} ({counts[name]:,})", persist_state="session",
        help="Sources of this run and how many of their items were scored.",
    )  # fmt: skip
    for source in chosen:
        key = _key(view, f"bias-{source}")
        st.session_state.setdefault(key, _prior(view, start, source))
        st.slider(f"Prior of {md(source)}", 0.0, 1.0, step=0.01, key=key, persist_state="session")


@st.cache_resource(max_entries=6, show_spinner=False)
def sources(run: str, _report: Any) -> dict[str, int]:
    """Authority key -> scored items, the most frequent first."""
    keys = _report.table.authority_keys
    counts = Counter(keys[row].split("#")[0] for row in (_report.table.fixed < 0).nonzero()[0].tolist())
    return dict(counts.most_common(SOURCES))


def _restart(view: View) -> None:
    """All sliders where the run, or the chosen profile, puts them."""
    start = _start(view)
    for name, place in _places(start).items():
        st.session_state[_key(view, name)] = place
    st.session_state[_line(view, start)] = float(start.threshold)
    for source in st.session_state.get(_key(view, "sources"), ()):
        st.session_state[_key(view, f"bias-{source}")] = _prior(view, start, source)


def _reset(view: View) -> None:
    st.session_state[_key(view, "from")] = ""
    _restart(view)
    st.session_state[_key(view, "sources")] = []


# --------------------------------------------------------------------------- what to do with them


def answer(view: View, ranking: Any) -> None:
    """What the settings change, and what can be done with them; what is known to go wrong; what the colours mean."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="whatif-answer"):
        st.html(_said(view, ranking))
        if not reader.presenting():
            _actions(view, ranking.settings)
    if said := pipeline.against_labels(view.report, ranking, server.store().labels.find(query=view.report.plan.text)):
        st.html(f'<p class="lt-moves lt-faint">{text(said)}</p>')
    on = [name for name in DIMENSION_NAMES if name != "preference" or ranking.settings.interests]
    if not any(st.session_state.get(_key(view, name), 1.0) for name in on):
        st.html('<p class="lt-warning">All weights are 0: raise one. Until then the order stays as it was.</p>')
    for caution in pipeline.cautions(ranking.settings, server.settings()):
        st.html(f'<p class="lt-warning">{text(caution)}</p>')
    st.html(_legend(ranking.settings))


def _said(view: View, ranking: Any) -> str:
    changes = pipeline.changed(view.settings, ranking.settings)
    found = pipeline.moves(view.outcome.bucket, ranking)
    if not changes:
        return f'<p class="lt-moves lt-faint">{text(_standing(view))} Move a slider to see what would change.</p>'
    return (
        f'<p class="lt-moves" aria-live="polite"><b>{text(found.sentence)}</b> '
        f'<span class="lt-faint">{text("; ".join(changes)[:1].upper() + "; ".join(changes)[1:])}.{text(_against(view))}</span></p>'
    )


def _standing(view: View) -> str:
    """What is on the screen before a slider moves: the run itself, or what the analyst made of it on other pages."""
    if view.ranking is None:
        return "As the run was."
    gone = int(view.base.table.dismissed.sum()) - int(view.report.table.dismissed.sum())
    why = [*pipeline.changed(view.report.settings, view.settings)]
    if view.settings.max_results != view.report.settings.max_results:
        why.append(f"up to {view.settings.max_results:,} are shown instead of {view.report.settings.max_results:,}")
    if view.settings.interests != view.report.settings.interests:
        why.append(f"ranked by {words.count(len(view.settings.interests), 'interest word')}")
    if gone > 0:
        why.append(f"{words.count(gone, 'item')} dismissed since")
    said = "; ".join(why) or "an item taken back since"
    return f"As Query shows the run now, not as it ran: {said}.{_against(view)}"


def _against(view: View) -> str:
    """What the arrows are counted from, where that is not what the page began with."""
    return " ▲ and ▼ count places from the run as it ran." if view.ranking is not None else ""


def _legend(scores: Any) -> str:
    shares = "".join(
        f"<span>{evidence.swatch(name)}{name} {100 * share:.0f}</span>" if share else f"<span>{name} off</span>"
        for name, share in zip(DIMENSION_NAMES, pipeline.effective_weights(scores), strict=True)
    )
    off = "" if scores.interests else "<span>(no interest words: its share goes to the others)</span>"
    return (
        f'<p class="lt-legend"><span>each can bring, of 100 points:</span>{shares}{off}</p>'
        f'<p class="lt-quiet">{text(evidence.tiers(scores))}</p>'
    )


def _actions(view: View, found: Any) -> None:
    line = found.threshold
    if line != view.threshold and st.button(
        f"Keep {line:g} as threshold", key="whatif-keep", help="Query and Timeline show the run under it, too."
    ):
        current.move(view.report.run_id, threshold=None if line == view.report.settings.threshold else line)
        st.rerun()
    with st.popover("Save as profile", key="whatif-save", on_change="rerun") as folded:
        if folded.open:
            _save(found)
    st.button("Reset", key="whatif-reset", on_click=_reset, args=(view,))
    if note := st.session_state.pop("whatif-note", ""):
        st.toast(md(note))


def _save(found: Any) -> None:
    """A name, and what is kept under it."""
    if st.session_state.pop("whatif-kept", False):
        st.session_state["whatif-name"] = ""
    name = clean(st.text_input("Name of the profile", key="whatif-name", max_chars=60, live=True) or "")
    known = name in server.settings().profiles
    said = f"{DECAYS[found.decay].lower()} decay over {found.window_days:.0f} days, threshold {found.threshold:g}"
    st.html(f'<p class="lt-faint">Keeps the weights, {text(said)}, and the authorities set here.'
            f"{' A profile of this name is replaced.' if known else ''}</p>")  # fmt: skip
    with st.container(horizontal=True):
        if st.button("Replace" if known else "Save", key="whatif-saved", type="primary", disabled=not name):
            _keep(
                name, lambda: server.save_profile(name, found), "Saved. “{}” is now among the profiles in the sidebar."
            )
        if name in server.store().files.profiles() and st.button("Delete", key="whatif-deleted"):
            _keep(name, lambda: server.delete_profile(name), "Deleted. “{}” stays only in the runs that used it.")


def _keep(name: str, change: Callable[[], None], done: str) -> None:
    try:
        change()
    except pipeline.LatelyError as error:
        st.html(f'<p class="lt-warning">{text(error)}</p>')
    else:
        st.session_state["whatif-kept"] = True
        st.session_state["whatif-note"] = done.format(name)
        st.rerun()
