"""When a sentence says that its own happening was: "Acme launched it last month", 公司上个月发布新模型.

Precision goes first. A time counts only where it can belong to nothing else: to a verb of happening in its own clause,
with no other verb before it or between, no opener of a side clause, no figure that it could be the period of, and nothing
after it that it could describe (`last month's sales`). Chinese has its time before the verb: 公布上月数据 tells of figures
for last month, 上月公布数据 of a publication then.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from functools import cache
from typing import NamedTuple

from pipeline.dates import Time, text_times
from pipeline.dates.names import ENGLISH_MONTHS
from pipeline.scoring.phrases import found
from pipeline.text import HAN, lexicon, normalise

REACH = 60
"""Characters between the verb and its time."""
ALIKE = 4
"""Letters that two forms of one verb share: launches, launched."""
_MONTH_NAMES = ("sept", *(form for month in ENGLISH_MONTHS for form in (month, month[:3]) if form != "may"))
_MONTHS = "|".join(_MONTH_NAMES)
_COUNTED = "[\\d一二三四五六七八九十两几数个上去前]"
TIME_WORDS = ("ago", "last", "may", *_MONTH_NAMES)
TIME_COUNTED = re.compile(rf"^(?:(?:19|20)\d\d|{_COUNTED}*(?:[年月周]|星期|季度?)|(?:[天日周年月]|星期|之|以)*前)$")
"""Words of a (normalised) text without any of which it names no time that can be old: the latter of digits or Chinese."""
_TIME = re.compile(
    rf"(?:19|20)\d\d|\b(?:ago|last (?:week|month|quarter|year)|may,? \d|{_MONTHS})\b|\d\w*(?: of)? may\b"
    rf"|{_COUNTED}\s*(?:[年月周]|星期|季)|(?:[天日周年月]|星期)[之以]?前"
)
"""The same in a sentence: it is looked for first, since reading times takes thirty times as long."""
_HAN = HAN.pattern
_BREAK = re.compile(rf"[;:!?()。、《》“”—–|\"]|,(?!\d)|\s-\s|(?<={_HAN})\s(?={_HAN}|\d)|\b(?:and|but|while|or)\b")
_AT_FIRST = re.compile(r"(?:back |early |late )?(?:on |in )?")
_TIED = re.compile(r"\b(?:of|from|than|by|until|since)(?: (?:the|early|late|mid))?\s*$")
_FREE = re.compile(
    r"\s*(?:$|[^\w\s'’]|(?:at|in|from|to|after|as|with|and|or|but|by|for|on|when|during|before|that|under|amid|near|of)\b)"
)
"""What may follow a time that says when, not what."""
_TURN = re.compile(r"\W*(?:but|yet|while|although|though)\b")
"""What turns from background to the news."""
_PERIOD = re.compile(r"\s*(?:[a-z]+ ){0,2}[$€£¥]?\d")
"""A figure soon after the verb: the time may be what it was counted over."""
_FORM = re.compile(r"\w{3,}(?:ed|ing)\b")
_PAST = re.compile(r"\w{3,}ed\b")
"""Before the verb it may be what the sentence tells: criticised a report published last month."""
_ONCE = re.compile(r"[^的]{0,6}?(?:后|以来|期间|时)")
"""Soon after a Chinese verb it makes its happening the past of another: 收购后首次发声."""


class Told(NamedTuple):
    at: datetime
    """The latest moment that the words allow."""
    quote: str
    verb: str


def told(sentence: str, stated: datetime) -> Told | None:
    """When the happening of a sentence was, by its own words; None where it does not clearly say."""
    text = normalise(sentence)
    if not _TIME.search(text):
        return None
    for time in text_times(text, stated):
        if time.at < stated and not time.words.endswith("earlier") and (verb := _verb_of(text, time)):
            start, end = min(verb.start(), time.start), max(verb.end(), time.end)
            as_written = sentence if len(sentence) == len(text) else text
            return Told(time.at, as_written[start:end], verb.group())
    return None


def verbs(text: str) -> list[str]:
    """What a (normalised) text says that happened, in its order."""
    return [match.group() for match in _known().finditer(text)]


def one_happening(verb: str, others: Iterable[str]) -> bool:
    """Whether a verb is one of others, in whatever form."""
    return any(verb[:ALIKE] == other[:ALIKE] for other in others)


def _verb_of(text: str, time: Time) -> re.Match[str] | None:
    if found(cues()["side_clause"], text[: time.start]):
        return None
    verb = _chinese(text, time) if HAN.search(time.words) else _english(text, time)
    return verb if verb and verb.group() in cues()["happened"] else None


def _english(text: str, time: Time) -> re.Match[str] | None:
    return _time_first(text, time) if _AT_FIRST.fullmatch(text[: time.start]) else _verb_first(text, time)


def _time_first(text: str, time: Time) -> re.Match[str] | None:
    """Two years ago, Acme launched ..."""
    start = time.end + (text[time.end : time.end + 1] == ",")
    verb = _known().search(text, start, _clause_end(text, start))
    if verb is None or _far(text[start : verb.start()]) or _PERIOD.match(text[verb.end() :]):
        return None
    return verb


def _verb_first(text: str, time: Time) -> re.Match[str] | None:
    """Acme launched ... two years ago."""
    before = [*_known().finditer(text, 0, time.start)]
    if len(before) != 1 or _known().search(text, time.end, _clause_end(text, time.end)):
        return None
    verb = before[0]
    between = text[verb.end() : time.start]
    begins = _clause_start(text, time.start)
    if verb.start() < begins or _far(between) or _PERIOD.match(between) or _PAST.search(text, begins, verb.start()):
        return None
    if _TIED.search(between) or found(cues()["about"], between) or not _FREE.match(text[time.end :]):
        return None
    if _TURN.match(text, time.end):
        return None
    return None if verb.group() in cues()["telling"] and not _AT_FIRST.fullmatch(between.lstrip()) else verb


def _far(between: str) -> bool:
    """Whether what stands between a verb and a time lets it belong to something else."""
    return len(between) > REACH or bool(_FORM.search(between))


def _chinese(text: str, time: Time) -> re.Match[str] | None:
    if _known().search(text, _clause_start(text, time.start), time.start):
        return None
    start = time.end + (text[time.end : time.end + 1] == ",")
    verb = _known().search(text, start, _clause_end(text, start))
    if verb is None or "的" in text[start : verb.start()] or text[verb.end() : verb.end() + 1] in ("的", "会"):
        return None
    if _ONCE.match(text, verb.end(), _clause_end(text, verb.end())):
        return None
    return verb


def _clause_start(text: str, at: int) -> int:
    return max((match.end() for match in _BREAK.finditer(text, 0, at)), default=0)


def _clause_end(text: str, at: int) -> int:
    found_ = _BREAK.search(text, at)
    return found_.start() if found_ else len(text)


@cache
def _known() -> re.Pattern[str]:
    """Verbs of happening, and all other words that tell what happened: any of them may own a time."""
    words = {
        *cues()["happened"],
        *(word for lang in ("en", "zh") for word in lexicon(lang)["completeness"]["happening"]),
    }
    return re.compile("|".join(
        re.escape(word) if HAN.match(word) else rf"\b{re.escape(word)}\b"
        for word in sorted(map(str, words), key=len, reverse=True)
    ))  # fmt: skip


@cache
def cues() -> dict[str, tuple[str, ...]]:
    """Word lists of all languages (config/lexicon, `redating`)."""
    lists = [lexicon(lang).get("redating", {}) for lang in ("en", "zh")]
    names = ("happened", "telling", "about", "side_clause", "fresh", "anniversary")
    return {name: tuple(str(word) for one in lists for word in one.get(name, ())) for name in names}
