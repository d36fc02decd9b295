"""The frame: window, navigation over pages/*.py, sidebar, header of the current run, demo ribbon, presenting."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from pages.parts import current, failures, prefs, reader, server, words
from pages.parts.safe import cut, text
from pipeline import bundled

_NAME = re.compile(r"(\d+)_(.+)")


def open_window() -> None:
    """Title, icon and style of the window; before anything else is drawn."""
    st.set_page_config(
        page_title="Lately", page_icon=str(bundled("assets") / "logo.png"), layout="wide", initial_sidebar_state="auto"
    )
    st.html(bundled("assets") / "style.css")
    if reader.presenting():
        st.html("<style>[data-testid='stSidebar'],[data-testid='stSidebarCollapsedControl'],"
                "[data-testid='stExpandSidebarButton']{display:none}</style>")  # fmt: skip
        st.html("<style>.lt-head h1{font-size:2.3rem!important}.lt-card h3{font-size:1.6rem!important;max-width:none!important}"
                ".lt-card p{max-width:none!important}.lt-card p.lt-excerpt{font-size:1.2rem}.lt-card p.lt-meta,.lt-card p.lt-why"
                "{font-size:1rem!important}.lt-bar{max-width:none!important}.lt-score b{font-size:2.1rem!important}</style>")  # fmt: skip
    with failures.told():
        server.settings()
        server.store()
        prefs.recall()
        current.keep_address()


@cache
def _files() -> tuple[Path, ...]:
    folder = Path(__file__).resolve().parent.parent
    return tuple(sorted(folder.glob("[0-9]*_*.py"), key=lambda path: int(path.name.split("_")[0])))


@st.cache_resource(scope="session", show_spinner=False)
def pages() -> list[Any]:
    """Every file of pages/, its order and title taken from its name: 4_X_judge.py is "X judge".

    Made once a session: every card links to one of them.
    """
    return [st.Page(path, title=_title(path), url_path=_title(path).replace(" ", "_") if at else "root", default=at == 0)
            for at, path in enumerate(_files())]  # fmt: skip


@st.cache_resource(scope="session", show_spinner=False)
def addresses() -> list[Any]:
    """The pages, and the first one's name as an address of its own: Streamlit serves the first at the root alone."""
    first = st.Page(_to_first, title=_title(_files()[0]), url_path=_title(_files()[0]), visibility="hidden")
    return [*pages(), first]


def _to_first() -> None:
    st.switch_page(pages()[0], query_params=st.query_params.to_dict())


def page(title: str) -> Any:
    """The page of that title, to link to."""
    return next(one for one in pages() if one.title == title)


def _title(path: Path) -> str:
    found = _NAME.fullmatch(path.stem)
    return (found[2] if found else path.stem).replace("_", " ")


# --------------------------------------------------------------------------- sidebar


def sidebar() -> None:
    """Logo, current run, pages, and what holds for every page: source set, profile, zone, language of hints."""
    if reader.presenting():
        return
    with st.sidebar:
        st.html('<div class="lt-brand"><span class="lt-brand-mark"></span>Lately</div>')
        _runs()
        with st.container(key="nav", gap=None):
            _links("stretch")
        st.divider()
        _choices()
        _foot()
        _keyboard()
    with st.container(key="nav-narrow", horizontal=True, gap=None):
        _links("content")


def _links(width: Literal["stretch", "content"]) -> None:
    """The pages. In a narrow window they stand above the page: there the sidebar would cover what was chosen in it."""
    address = {"run": current.run_id()} if current.run_id() else {}
    for page in pages():
        st.page_link(page, label=page.title, query_params=address, width=width)


def _runs() -> None:
    """The current run among the stored ones, newest first."""
    labels = _labels(server.store().runs.recent(limit=20))
    if not labels:
        return
    here = current.run_id()
    if here and here not in labels:
        labels = {here: here} | labels
    st.session_state["run-choice"] = here or None
    st.selectbox(
        "Current run",
        list(labels),
        format_func=labels.__getitem__,
        key="run-choice",
        placeholder="choose a run",
        on_change=lambda: current.choose(st.session_state["run-choice"] or ""),
    )


def _labels(runs: Iterable[Any]) -> dict[str, str]:
    """Run id -> its line in the list; never twice the same, for the list tells its entries apart by their words."""
    labels: dict[str, str] = {}
    for run in runs:
        line = f"{words.moment(run.created_at, reader.zone())} · {cut(run.query, 60)}" + (" · demo" if run.demo else "")
        labels[run.id] = line if line not in labels.values() else f"{line} · {run.id}"
    return labels


def _choices() -> None:
    prefs.source_set()
    profiles = {"": "Standard"} | {name: profile.label for name, profile in server.settings().profiles.items()}
    prefs.choice(
        "Profile", "profile", format_func=profiles.__getitem__,
        help="Weights, decay, window, threshold and authority biases of a field, for the next run.",
    )  # fmt: skip
    with st.expander("Interests and mutes", type="compact", key="words", on_change="rerun") as folded:
        if folded.open:
            prefs.lists()
    with st.expander("Zone and language", type="compact", key="where", on_change="rerun") as folded:
        if folded.open:
            prefs.choice("Times in", "zone", format_func=lambda name: name or f"Your zone ({reader.zone()})")
            prefs.choice("Hints in", "hints", format_func=prefs.HINTS.__getitem__)


def _keyboard() -> None:
    """Lets the keyboard into popovers: the app's one script."""
    script = (bundled("assets") / "keyboard.js").read_text("utf-8")
    st.html(f"<script>{script}</script>", unsafe_allow_javascript=True)


def _foot() -> None:
    with st.popover("Licences", type="tertiary", key="licences", on_change="rerun") as folded:
        for path in (bundled() / name for name in ("NOTICE", "LICENSE") if folded.open):
            if path.is_file():
                st.text(path.read_text("utf-8"))


# --------------------------------------------------------------------------- header of the current run


def header(report: Any, shown: int, aside: Callable[[Any], None] | None = None) -> None:
    """Title of the run, window, profile, "N shown of M"; demo ribbon; the switch to presenting.

    aside: draws a control of the page's own beside that switch.
    """
    if report.demo:
        st.html('<div class="lt-ribbon" role="note"><b>Demo</b> invented news, put through the same steps as a real run; '
                "its dates were moved to today</div>")  # fmt: skip
    left, right = st.container(horizontal=True, vertical_alignment="bottom", key="run-head"), None
    with left:
        st.html(_head_html(report, shown))
        right = st.container(width="content", key="present", horizontal=True, vertical_alignment="bottom")
    with right:
        if aside is not None and not reader.presenting():
            aside(report)
        _present_switch()


def _head_html(report: Any, shown: int) -> str:
    zone = reader.zone()
    window = report.plan.window
    profile = report.settings.profile or "standard profile"
    facts = (
        f"{words.span(window.since, window.until, zone)}",
        f"{profile}",
        f"{shown} shown of {words.count(len(report.table), 'item')}",
        f"asked {words.moment(report.created_at, zone)}",
    )
    moved = [text(_moved(field, value)) for field, value in current.moved(report.run_id)]
    said = [text(fact) for fact in facts] + ([f'<span class="lt-flag">seen {", ".join(moved)}</span>'] if moved else [])
    return f'<div class="lt-head"><h1 dir="auto">{text(report.plan.text)}</h1><p>{" · ".join(said)}</p></div>'


def _moved(field: str, value: Any) -> str:
    """What the analyst moved for this look at the run, such as "with threshold 40"."""
    if field == "threshold":
        return f"with threshold {value:g}"
    if field == "max_results":
        return f"with up to {value:,} events"
    if field == "interests":
        return f"re-ranked by {words.count(len(value), 'interest word')}"
    return f"with other {field.replace('_', ' ')}"


def _present_switch() -> None:
    if reader.presenting():
        if st.button("Leave presenting", key="leave-present", type="tertiary", shortcut="esc"):
            st.query_params.pop("present", None)
            st.rerun()
    elif st.button("Present", key="enter-present", type="tertiary", help="The story without controls"):
        st.query_params["present"] = "1"
        st.rerun()


def warnings(report: Any) -> None:
    """What the run itself warns of, one quiet line each."""
    for warning in report.warnings:
        st.html(f'<p class="lt-warning">{text(warning)}</p>')


def no_run(sentence: str) -> None:
    """The empty state of a page that needs a run."""
    st.html(f'<div class="lt-empty"><p>{text(sentence)}</p></div>')
    to_query()


def to_query() -> None:
    """The one way on from an empty state."""
    with st.container(key="go-on"):
        st.page_link(pages()[0], label="Go to Query", width="content")
