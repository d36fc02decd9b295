"""Question -> Plan: window, route, subject, subqueries. Rules and word lists decide, every sign with its place.

    operators off -> time phrases and subject signs -> window -> route -> topic -> subqueries

Nothing here fetches or reads the clock: `now` is an argument, and `as_of` replaces it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pipeline.errors import InputError, WindowError
from pipeline.types import Plan, Question, Signal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.planning.choose import Choice
    from pipeline.planning.operators import Operators
    from pipeline.planning.route import Signs
    from pipeline.planning.window import Found
    from pipeline.settings import Settings

MAX_CHARS = 2_000  # characters of a question; more is a pasted document, not a question
YEARS = (1900, 2199)  # of a time given as an argument

__all__ = ["MAX_CHARS", "parse_query"]


def parse_query(question: Question, settings: Settings, now: datetime) -> Plan:
    """How a question is understood.

    `now` is aware (naive is taken as UTC). Raises InputError for a text that can't be searched or an unknown zone, and
    WindowError for impossible, empty or wholly future times.
    """
    from pipeline.planning.choose import LocalClock, choose_window
    from pipeline.planning.operators import blank, read_operators
    from pipeline.planning.route import decide, read_signs
    from pipeline.planning.subject import read_topic
    from pipeline.planning.subqueries import split
    from pipeline.planning.window import Phrase, Reading, find_phrases
    from pipeline.planning.zone import resolve_zone

    text = _checked(question.text)
    _check_years(question)
    limits = settings.pipeline.time_window
    at = _utc(question.as_of or now)
    zone, zone_name = resolve_zone(question.zone or settings.pipeline.timezone, at)
    clock = LocalClock(now=at, zone=zone)
    operators = read_operators(text)
    if not operators.bare.strip() and not operators.sites:
        raise InputError("the question only leaves things out: say what to look for as well")
    reading = Reading(
        now=clock.local, week_first=6 if limits.week_starts == "sunday" else 0, day_first=limits.day_first
    )  # fmt: skip
    found = find_phrases(operators.masked, reading)
    explicit = [(one.start, one.end) for one in found if not isinstance(one, Phrase) or one.strength == "explicit"]
    signs = read_signs(blank(operators.masked, explicit), text, reading.now.year)
    profile = settings.profiles.get(question.profile or "")
    default_days = profile.days if profile and profile.days else limits.default_days
    choice = choose_window(question, found, signs.stability, bool(signs.vague), limits, clock, default_days)
    route, reasons = decide(signs, choice.window.how, choice.window.evidence, question.route == "recent")
    cuts = _times(choice, found) + [(signal.start, signal.end) for signal in signs.vague]
    topic = read_topic(operators.bare, cuts, operators.handles or operators.sites)
    subqueries = split(topic)
    core = subqueries[0].ranking_query
    return Plan(
        question=question, text=text, now=at, language=_language(text), zone=zone_name, window=choice.window,
        route=route, stability=signs.stability, reasons=reasons, signals=_signals(choice, found, signs, operators),
        raw_topic=topic, core_subject=core, ranking_query=core, subqueries=subqueries,
        handles=_handles(operators, question), phrases=operators.phrases, excluded=operators.excluded,
        sites=operators.sites, warnings=choice.warnings,
    )  # fmt: skip


def _checked(raw: str) -> str:
    """The text with control characters as spaces. Raises InputError when it is empty or too long."""
    text = "".join(char if char.isprintable() else " " for char in raw)
    if not text.strip():
        raise InputError('the question is empty: type what you want to know about, such as "AI agents this week"')
    if len(text) > MAX_CHARS:
        raise InputError(
            f"the question has {len(text):,} characters; at most {MAX_CHARS:,} can be searched: shorten it to the "
            "subject and the time"
        )
    if not any(char.isalnum() for char in text):
        raise InputError("the question holds no word or number: type what you want to know about")
    return text


def _check_years(question: Question) -> None:
    """Raises WindowError for a year that is a slip of the keyboard; arithmetic with days would leave the calendar."""
    for name in ("as_of", "since", "until"):
        at = getattr(question, name)
        if at is not None and not YEARS[0] <= at.year <= YEARS[1]:
            raise WindowError(f"{name} lies in {at.year}, outside {YEARS[0]} to {YEARS[1]}: correct the year")


def _utc(at: datetime) -> datetime:
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)


def _language(text: str) -> str:
    """Two-letter code. Short plain-letter texts are too little for the detector and count as English."""
    from pipeline.text import language, stopwords

    words = text.lower().split()
    if text.isascii() and (len(words) < 4 or any(word in stopwords() for word in words if len(word) > 3)):
        return "en"
    return language(text) or "en"


def _handles(operators: Operators, question: Question) -> tuple[str, ...]:
    given = (handle.lstrip("@") for handle in question.x_handles)
    return tuple(dict.fromkeys((*operators.handles, *given)))


def _times(choice: Choice, found: Sequence[Found]) -> list[tuple[int, int]]:
    """Places of time words that are no part of the topic: explicit phrases, and a bare year where it decided."""
    from pipeline.planning.window import Phrase

    phrases = [one for one in found if isinstance(one, Phrase)]
    return [(one.start, one.end) for one in phrases if one.strength == "explicit" or one in choice.used]


def _signals(choice: Choice, found: Sequence[Found], signs: Signs, operators: Operators) -> tuple[Signal, ...]:
    """Everything seen, in text order."""
    times = [
        Signal(
            kind="time", text=one.text, start=one.start, end=one.end,
            says="window" if one in choice.used else "a time that does not decide the window",
        )
        for one in found
    ]  # fmt: skip
    return tuple(
        sorted((*times, *signs.vague, *signs.news, *signs.subject, *operators.signals), key=lambda s: (s.start, s.end))
    )
