"""What a corpus is judged against: the query as a list of tokens, each with every way it may be written.

A token is a whole word, a Chinese word, or a name known in two scripts (config/lexicon/zh.yaml, `names`): 特斯拉 and
"Tesla" are one token. Listed acronyms (config/pipeline.yaml, `x.acronyms`) match only in capitals.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from unicodedata import is_normalized, normalize

from pipeline.text import HAN, content_tokens, lexicon, normalise, simplified, stopwords, tokens
from pipeline.xlane.han import after_name, is_name, measures, on_boundaries, without_title

WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
"""A whole word of a script with spaces, as pipeline.text cuts them."""
_LATIN_RUN = re.compile(r"[a-z0-9\u00c0-\u024f]+(?:['’][a-z]+)?")


_DOTTED = re.compile(r"(?<![^\W_])(?:[A-Za-z]\.)+[A-Za-z](?![^\W_])\.?")
"""An acronym with dots: U.S., A.I, J.K."""
_LONGEST_DOTTED = 4
"""Letters."""
_STROKE = re.compile(r"(?<![^\W_])([A-Za-z]{1,2})-(\d+[A-Za-z]?)(?![^\W_])")
"""A model whose letters are no word by themselves: F-16, Su-35S; of COVID-19 and GPT-5 each half tells something."""
_WITH_STROKES = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PARTS = re.compile(r"[a-z]+|\d+")
_MOST_PARTS = 3
"""Of a model, letters and numbers in turn: f16, gpt5, 737max, iphone17pro."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One token of the query. It is found when any of its forms is in the post."""

    label: str
    words: frozenset[str] = frozenset()
    """Single lower-case words."""
    phrases: tuple[str, ...] = ()
    """Several words, joined by one space."""
    han: tuple[str, ...] = ()
    """Chinese forms (simplified), matched on the boundaries of words."""
    capitals: frozenset[str] = frozenset()
    """Acronyms that must stand in capitals."""


@lru_cache(maxsize=256)
def terms(query: str, acronyms: tuple[str, ...]) -> tuple[Term, ...]:
    """The query's tokens without stop words, in order, none twice; empty for a query of stop words only."""
    found: dict[str, Term] = {}
    query = _DOTTED.sub(lambda dotted: dotted.group().replace(".", ""), query)
    query = _STROKE.sub(r"\1\2", query)
    rest = query
    for name in _names_in(query):
        term = _named(name, acronyms)
        found[term.label] = term
        rest = _without(rest, name)
    marked = meant(rest, acronyms)
    for word in marked:
        found.setdefault(word.upper(), Term(label=word.upper(), capitals=_with_dots(word.upper())))
    skip = stopwords() | measures() | set(marked)
    words = tokens(rest)
    glued, spaced = _glued(words, rest), _spaced(rest)
    dotted = {word.lower() for word in WORD.findall(rest) if word.isupper()}
    for token in words:
        if token not in skip:
            found.setdefault(token, _plain(token, glued.get(token, ()), spaced.get(token, ()), dotted))
    order = normalise(query)
    return tuple(sorted(found.values(), key=lambda term: _place(term, order)))


def _plain(token: str, glued: Iterable[str], spaced: Iterable[str], capitals: Collection[str]) -> Term:
    if HAN.search(token):
        return Term(label=token, han=tuple(dict.fromkeys((token, without_title(token), *_synonyms().get(token, ())))))
    bare = token.removesuffix("'s").removesuffix("’s")
    words, phrases = _model(token)
    words |= {token, bare, *glued, *(_with_dots(token) if token in capitals else ())}
    return Term(label=bare or token, words=frozenset(words), phrases=tuple(dict.fromkeys((*phrases, *spaced))))


def _model(word: str) -> tuple[set[str], tuple[str, ...]]:
    """A model as one word in its other forms: f16 -> ({"f-16"}, ("f 16",)); no "a 16", for those are two words."""
    parts = _PARTS.findall(word)
    if "".join(parts) != word or not 1 < len(parts) <= _MOST_PARTS:
        return set(), ()
    stop = stopwords()
    spaced = [cut for cut in _cuts(parts) if not stop & set(cut)]
    return {"-".join(cut) for cut in _cuts(parts)}, tuple(" ".join(cut) for cut in spaced)


def _cuts(parts: Sequence[str]) -> list[list[str]]:
    """Every way to write the parts as two pieces or more, in order."""
    found = [[parts[0]]]
    for part in parts[1:]:
        found = [form for cut in found for form in ([*cut, part], [*cut[:-1], cut[-1] + part])]
    return [cut for cut in found if len(cut) > 1]


def _glued(words: Sequence[str], query: str) -> dict[str, set[str]]:
    """Word -> what it is a part of where that is written as one.

    A word and a number in turn, iphone 17 pro: iphone17, iphone17pro; and words that a stroke joins, wi-fi: wifi.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    for joined in _WITH_STROKES.findall(query.lower()):
        for word in joined.split("-"):
            found[word].add(joined.replace("-", ""))
    for size in range(2, _MOST_PARTS + 1):
        for run in zip(*(words[at:] for at in range(size)), strict=False):
            if _PARTS.findall("".join(run)) == list(run) and not stopwords() & set(run):
                for word in run:
                    found[word].add("".join(run))
    return found


def _spaced(query: str) -> dict[str, tuple[str]]:
    """Word -> the same taken apart where capitals join several: #RomeFloods is written Rome floods, too."""
    parts = {word.lower(): _CAMEL.findall(word) for word in WORD.findall(query)}
    return {
        word: (" ".join(found).lower(),)
        for word, found in parts.items()
        if len(found) > 1 and "".join(found).lower() == word
    }


@cache
def _synonyms() -> dict[str, tuple[str, ...]]:
    """Chinese word -> the words that name the same in English (config/lexicon/zh.yaml, `words`): 首相 is 总理."""
    named: defaultdict[str, list[str]] = defaultdict(list)
    words = lexicon("zh").get("words", {})
    for zh, several in words.items():
        for en in several:
            named[en].append(zh)
    return {zh: tuple(dict.fromkeys(one for en in several for one in named[en])) for zh, several in words.items()}


def _with_dots(word: str) -> frozenset[str]:
    """An acronym as it may be written, without a last dot, which is no part of a word: US and U.S."""
    return frozenset({word, ".".join(word)} if word.isalpha() and len(word) <= _LONGEST_DOTTED else {word})


def meant(query: str, acronyms: tuple[str, ...]) -> list[str]:
    """Listed acronyms that the query means: those in capitals; in a query without any capital, one that opens it.

    >>> meant("US tariffs", ("us",)), meant("tell us about tariffs", ("us",)), meant("us tariffs", ("us",))
    (['us'], [], ['us'])
    """
    words = WORD.findall(query)
    if any(word != word.lower() for word in words):
        return [word.lower() for word in words if word.isupper() and word.lower() in acronyms]
    return [word for word in words[:1] if word in acronyms and len(words) > 1 and word != "it"]


# --------------------------------------------------------------------------- names in two scripts


@cache
def _name_table() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """(Chinese -> its English names, lower-case English -> its Chinese names)."""
    english: dict[str, set[str]] = {}
    chinese: dict[str, set[str]] = {}
    for zh, en in lexicon("zh").get("names", ()):
        english.setdefault(zh, set()).add(en)
        chinese.setdefault(en.lower(), set()).add(zh)
    return (
        {zh: frozenset(names) for zh, names in english.items()},
        {en: frozenset(names) for en, names in chinese.items()},
    )


@cache
def _latin_names() -> re.Pattern[str]:
    longest_first = sorted(_name_table()[1], key=len, reverse=True)
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, longest_first))})(?![^\W_])", re.IGNORECASE)


def _names_in(query: str) -> list[str]:
    """Known names as the query writes them. Short all-capital names (US, UN) only in capitals."""
    english, chinese = _name_table()
    found = [m.group() for m in _latin_names().finditer(query) if not _lower_acronym(m.group(), chinese)]
    if HAN.search(query):
        folded = simplified(query)
        words = set(tokens(folded))
        found += [zh for zh in english if zh in folded and (_is_one_of(zh, words) or on_boundaries(zh, folded))]
    return found


def _is_one_of(zh: str, words: set[str]) -> bool:
    return zh in words or any(is_name(zh, word) for word in words)


def _lower_acronym(name: str, chinese: dict[str, frozenset[str]]) -> bool:
    zh = next(iter(chinese[name.lower()]))
    return name.islower() and any(en.isupper() and en.lower() == name for en in _name_table()[0][zh])


def _named(name: str, acronyms: tuple[str, ...]) -> Term:
    english, chinese = _name_table()
    han = chinese.get(name.lower()) or frozenset({name})
    latin = {en for zh in han for en in english.get(zh, ())}
    capitals = {en for en in latin if en.lower() in acronyms}
    spelled = {normalise(en) for en in latin - capitals}
    dotted = {normalise(form) for en in latin - capitals if en.isupper() for form in _with_dots(en)}
    label = name if HAN.search(name) or name.upper() in capitals else normalise(name)
    return Term(
        label=label,
        words=frozenset(en for en in spelled if WORD.fullmatch(en)) | dotted,
        phrases=tuple(sorted(" ".join(WORD.findall(en)) for en in spelled if not WORD.fullmatch(en))),
        han=tuple(sorted(han)),
        capitals=frozenset().union(*map(_with_dots, capitals)),
    )


def _without(query: str, name: str) -> str:
    if HAN.search(name):
        first, *rests = simplified(query).split(name)
        return " ".join((first, *map(after_name, rests)))
    return re.sub(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", " ", query, flags=re.IGNORECASE)


def _place(term: Term, order: str) -> int:
    at = order.find(term.label.lower())
    return at if at >= 0 else len(order)


# --------------------------------------------------------------------------- forms in a text


def folded(text: str) -> str:
    """NFKC and simplified, case kept: the form in which capitals can still be seen."""
    return text if text.isascii() else simplified(_composed(_narrow(text)))


def folded_all(texts: Sequence[str]) -> list[str]:
    """The same of texts that hold no half of a character (posts.columns), for a third of the cost."""
    others = [text for text in texts if not text.isascii()]
    narrow = iter(_narrow(_HALF.join(others)).split(_HALF))
    return [text if text.isascii() else simplified(_composed(next(narrow))) for text in texts]


_WIDE = tuple((mark, normalize("NFKC", mark)) for mark in "，：；！？（）")
"""Most Chinese posts need NFKC for these marks only, and putting them right first costs a tenth of it."""
_HALF = "\ud800"
"""Stands between texts."""


def _narrow(text: str) -> str:
    for wide, narrow in _WIDE:
        text = text.replace(wide, narrow)
    return text


def _composed(text: str) -> str:
    return text if is_normalized("NFKC", text) else normalize("NFKC", text)


def query_words(query: str) -> list[str]:
    """Content words of a query, normalised (for comparing two queries)."""
    return content_tokens(query)
