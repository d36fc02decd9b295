"""A topic into the queries that are sent: several variants, widest first, and one widest form for a retry.

    1 wide        topic + window (terms are ANDed)
    2 popular     + min_faves:5
    3 quoted      the topic in quotes where it looks like a proper name; else links: + filter:links
    4 no replies  + -filter:replies

Operators or quotes that a planner added never reach a source; quotes the analyst typed are part of the topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from functools import cache

from pipeline.text import HAN, lexicon, stopwords, tokens
from pipeline.types import Depth, Plan, Window
from pipeline.xlane.posts import handle_key

VARIANTS = {"quick": 1, "default": 3, "deep": 4}
"""Calls that a depth allows."""
_OPERATOR = re.compile(r"(?<!\S)-?[a-z_]+:\S+", re.IGNORECASE)
_QUOTES = str.maketrans(dict.fromkeys('"“”„«»「」『』', " "))


@dataclass(frozen=True, slots=True)
class Variant:
    name: str
    query: str


def variants(topic: str, window: Window, depth: Depth) -> tuple[Variant, ...]:
    """The queries for one topic, widest first, cut to the calls that `depth` allows."""
    dates = dated(window)
    wide = f"{topic} {dates}"
    third = (
        Variant("quoted", f'"{topic}" {dates}') if looks_like_name(topic) else Variant("links", f"{wide} filter:links")
    )
    found = (
        Variant("wide", wide),
        Variant("popular", f"{wide} min_faves:5"),
        third,
        Variant("no replies", f"{wide} -filter:replies"),
    )
    return found[: VARIANTS[depth]]


def dated(window: Window) -> str:
    """`since:YYYY-MM-DD until:YYYY-MM-DD` covering [since, until): a window that ends within a day takes all of it."""
    since, until = window.since.astimezone(UTC), window.until.astimezone(UTC)
    if until.time() != until.min.time():
        until += timedelta(days=1)
    return f"since:{since:%Y-%m-%d} until:{until:%Y-%m-%d}"


def plan_topic(plan: Plan) -> str:
    """What is searched for: the analyst's edited query, else the first subquery's topic as typed.

    A subquery without a typed topic is searched by its search query, with quotes and operators taken out.
    """
    if edited := plan.question.queries.get("x", "").strip():
        return edited
    first = plan.subqueries[0] if plan.subqueries else None
    typed = (first.raw_topic if first else plan.raw_topic).strip()
    if typed:
        return with_phrases(without_handles(typed), plan.phrases)
    planned = first.search_query if first else plan.core_subject
    return plain_query(planned) or plan.core_subject or plan.text


def with_phrases(topic: str, phrases: Iterable[str]) -> str:
    """The topic with the quotes that the analyst typed, also where the planning kept them apart."""
    for phrase in phrases:
        bare = phrase.translate(_QUOTES).strip()
        if bare and f'"{bare}"' not in topic:
            topic = topic.replace(bare, f'"{bare}"') if bare in topic else f'{topic} "{bare}"'
    return " ".join(topic.split())


def without_handles(topic: str) -> str:
    """Typed @handles get lanes; left in the topic they would be ANDed. A topic that is nothing else stays."""
    rest = " ".join(word for word in topic.split() if not re.fullmatch(r"@\w{1,15}[,;:]?", word))
    return rest or topic


def plain_query(query: str) -> str:
    """A query without quotes and operators."""
    return " ".join(_OPERATOR.sub(" ", query.translate(_QUOTES)).split())


def widest(core: str, window: Window) -> str:
    """The widest form of a search: significant words only, no quotes, no filters, and the window.

    Noise words are out; where nothing else is left they stay, for something has to be asked.
    """
    bare = plain_query(core)
    noise = _noise()
    if HAN.search(bare):
        kept = [token for token in tokens(bare) if not _all_noise(token)]
    else:
        kept = [word for word in bare.split() if word.strip(".,;:!?").lower() not in noise or word.isupper()]
    return f"{' '.join(kept) or bare} {dated(window)}"


def _all_noise(token: str) -> bool:
    """A Chinese word may be made of several noise words: 最新消息."""
    noise = _noise()
    if token in noise or not HAN.search(token):
        return token in noise
    cuts = {0}
    for end in range(1, len(token) + 1):
        if any(token[start:end] in noise for start in cuts):
            cuts.add(end)
    return len(token) in cuts


def same_query(a: str, b: str) -> bool:
    """Whether two queries ask the same: the same words and operators in any order, case and quotes aside."""
    return _bag(a) == _bag(b)


def _bag(query: str) -> tuple[bool, frozenset[str]]:
    quoted = query.translate(_QUOTES) != query
    return quoted, frozenset(query.translate(_QUOTES).lower().split())


@cache
def _noise() -> frozenset[str]:
    words = (word for lang in ("en", "zh") for word in lexicon(lang).get("x_noise", ()))
    return frozenset(words) | stopwords()


# --------------------------------------------------------------------------- names and lanes


@cache
def _places() -> frozenset[str]:
    return frozenset(lexicon("en").get("places", ()))


def looks_like_name(topic: str) -> bool:
    """Two words or more, each one capital followed by lower case, none a place or a disambiguating word.

    "Peter Steinberger" does, "Rome Italy" and "OpenAI Codex" do not. Chinese has no case: only quotes say so there.
    """
    words = topic.split()
    return len(words) >= 2 and all(_capitalised(word) and word.lower() not in _places() for word in words)


def _capitalised(word: str) -> bool:
    return len(word) >= 2 and word.isalpha() and word[0].isupper() and word[1:].islower()


def lane_query(handles: Sequence[str], topic: str, window: Window | None, *, and_topic: bool) -> str:
    """`from:h` + window for named accounts; + topic for accounts found in the corpus."""
    people = [f"from:{handle.strip().lstrip('@')}" for handle in handles]
    who = people[0] if len(people) == 1 else f"({' OR '.join(people)})"
    return " ".join(part for part in (who, topic if and_topic else "", dated(window) if window else "") if part)


def name_query(name: str, window: Window | None) -> str:
    """A name, always quoted."""
    bare = " ".join(name.translate(_QUOTES).split())
    return f'"{bare}" {dated(window)}' if window else f'"{bare}"'


def named_by_analyst(handle: str, plan: Plan) -> bool:
    """The handle stands in the question as an @handle."""
    return re.search(rf"[@＠]{re.escape(handle_key(handle))}(?!\w)", plan.question.text, re.IGNORECASE) is not None


def looks_like_subject(handle: str, topic: str) -> bool:
    """A proposed handle that is the topic's own name: `openai` for "OpenAI Codex", not `ai_daily_news`."""
    letters = re.sub(r"[^a-z0-9]", "", handle_key(handle))
    words = [re.sub(r"[^a-z0-9]", "", word) for word in tokens(topic)]
    names = {"".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1)}
    return len(letters) >= 3 and letters in names
