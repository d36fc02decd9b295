"""Words, numbers and marks of an English text with their places; the vocabulary of its calendar."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.dates.names import ENGLISH_DAYS, ENGLISH_MONTHS
from pipeline.planning.numbers import english_number

_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
MONTHS: dict[str, int] = {name: number for number, name in enumerate(ENGLISH_MONTHS, 1)}
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
WEEKDAYS: dict[str, int] = {name: number for number, name in enumerate(ENGLISH_DAYS)}
WEEKDAYS |= {name[:3]: number for name, number in WEEKDAYS.items()} | {
    "tues": 1, "weds": 2, "thur": 3, "thurs": 3,
}  # fmt: skip
FULL_NAMES = frozenset(ENGLISH_MONTHS + ENGLISH_DAYS) - {"may", "march"}
"""Month and day names that are nothing else in English."""
UNITS: dict[str, str] = {
    "minute": "minute", "minutes": "minute", "min": "minute", "mins": "minute",
    "hour": "hour", "hours": "hour", "hr": "hour", "hrs": "hour", "h": "hour",
    "day": "day", "days": "day", "d": "day", "night": "day", "nights": "day",
    "week": "week", "weeks": "week", "wk": "week", "wks": "week", "w": "week",
    "fortnight": "fortnight", "fortnights": "fortnight",
    "month": "month", "months": "month", "mo": "month", "mos": "month",
    "quarter": "quarter", "quarters": "quarter", "qtr": "quarter", "qtrs": "quarter",
    "year": "year", "years": "year", "yr": "year", "yrs": "year", "y": "year",
    "decade": "decade", "decades": "decade", "century": "century", "centuries": "century",
}  # fmt: skip
PAST = frozenset(["last", "past", "previous", "preceding", "prior", "recent", "trailing"])
NEXT = frozenset(["next", "coming", "following", "upcoming"])
THIS = frozenset(["this", "current", "present", "same", "ongoing"])


@dataclass(frozen=True, slots=True)
class Token:
    """`word` in lower case; `text` as typed."""

    word: str
    text: str
    start: int
    end: int


def tokenise(text: str) -> list[Token]:
    return [Token(m.group().lower(), m.group(), m.start(), m.end()) for m in _TOKEN.finditer(text)]


@dataclass(frozen=True, slots=True)
class Number:
    value: float
    ordinal: bool
    digits: int
    """How many digits it was typed with; 0 for words."""
    end: int


def read_number(tokens: list[Token], words: list[str], at: int, *, articles: bool = False) -> Number | None:
    """The number that begins at a token; `articles` admits "a", "few", "couple of" as counts."""
    if at >= len(tokens):
        return None
    token = tokens[at]
    if token.word.isdigit():
        after = at + 1
        if after < len(words) and words[after] in ("st", "nd", "rd", "th") and tokens[after].start == token.end:
            return Number(int(token.word), True, len(token.word), after + 1)
        if (
            articles
            and after + 1 < len(words)
            and words[after] in (".", ",")
            and words[after + 1].isdigit()
            and tokens[after].start == token.end
            and tokens[after + 1].start == tokens[after].end
        ):
            return Number(float(f"{token.word}.{words[after + 1]}"), False, len(token.word), after + 2)
        return Number(int(token.word), False, len(token.word), after)
    if articles:
        if token.word in ("a", "an"):
            if words[at + 1 : at + 2] == ["few"]:
                return Number(3, False, 0, at + 2)
            if words[at + 1 : at + 3] == ["couple", "of"]:
                return Number(2, False, 0, at + 3)
            if words[at + 1 : at + 2] == ["couple"]:
                return Number(2, False, 0, at + 2)
            return Number(1, False, 0, at + 1)
        if token.word in ("few", "several", "some"):
            return Number(3, False, 0, at + 1)
        if token.word == "couple":
            return Number(2, False, 0, at + (2 if words[at + 1 : at + 2] == ["of"] else 1))
        if token.word == "half" and words[at + 1 : at + 2] in (["a"], ["an"]):
            return Number(0.5, False, 0, at + 2)
    found = english_number(words, at)
    return Number(found[0], found[1], 0, found[2]) if found else None
