"""What a text speaks of, as sets that two texts can be compared by: numbers, names, actions, direction, negation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise

from pipeline.dates.names import ENGLISH_DAYS, ENGLISH_MONTHS
from pipeline.events import polarity
from pipeline.events.numbers import behind, editions, numbers
from pipeline.events.stems import stem, stems
from pipeline.text import HAN, lexicon, normalise, stopwords, tokens
from pipeline.text.pinyin import chinese_names

LEAD_CHARS = 300  # characters of the text that belong to the facts of an item: its lead paragraph

_OPENING = "\"'“‘([<«"
_AROUND = _OPENING + "”’)]>».,;:!?…"
_ENDING = ".!?:。！？："
WHEN = frozenset((*ENGLISH_MONTHS, *ENGLISH_DAYS)) - {"may"}  # it is a verb more often
_NO_NAMES = WHEN | {"center", "centre", "news", "report", "update", "breaking", "live", "exclusive", "video"}
_CAPITAL = re.compile(r"(?<![\w'’])[A-ZÀ-ÞА-ЯΑ-Ω][\w'’&.-]*\w|\b[A-Z]\b")
_WRITTEN = re.compile(r"[A-Za-zÀ-ɏ][\w'’&.-]*")
_WORDS = re.compile(r"[^\W\d_][\w'’-]*")


class Facts:
    """What one item says, in comparable form. Names without `told` are of the title alone, the others look into the
    lead too. Everything is read when first asked for: most pairs are decided by their first rule.

    A post without a title is read by its first words.
    """

    def __init__(self, title: str, text: str) -> None:
        self.lead = text[:LEAD_CHARS]
        self.title = title or self.lead
        self._plain = normalise(self.title)

    @cached_property
    def _plain_lead(self) -> str:
        return normalise(self.lead)

    @cached_property
    def words(self) -> frozenset[str]:
        """Content words, endings folded."""
        stop = stopwords()
        return frozenset([root for word, root in zip(self._tokens, self.order, strict=True) if word not in stop])

    @cached_property
    def order(self) -> tuple[str, ...]:
        """All words as they stand, stop words too, endings folded."""
        return tuple(map(stem, self._tokens))

    @cached_property
    def _tokens(self) -> list[str]:
        return tokens(self._plain)

    def in_lead(self, words: Iterable[str]) -> frozenset[str]:
        """Those of the stems that are a word of the lead; most can be told without reading it."""
        maybe = frozenset(word for word in words if word in self._plain_lead)
        return maybe & self._lead_words if maybe else maybe

    @cached_property
    def _lead_words(self) -> frozenset[str]:
        return stems(self._plain_lead)

    @cached_property
    def told(self) -> frozenset[str]:
        return self.words | self._lead_words

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Canonical numbers: "12", "2500000000", "4.4%"; ordinals as "#12"."""
        return numbers(self._plain)

    @cached_property
    def editions(self) -> Mapping[str, frozenset[str]]:
        """Name of what comes in numbers ("firefox", "q") -> the numbers the title gives it."""
        return {
            what: numbers
            for (what, apart), numbers in editions(self.title).items()
            if what not in _no_names() and not (apart and title_case(self.title) and stem(what) not in self.names)
        }

    @cached_property
    def known(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the title that are known in two languages -> its words."""
        return dict(_known(self.title))

    def behind(self, name: str) -> frozenset[str]:
        """The numbers that the title gives a name."""
        return behind(normalise(name), self._plain)

    @cached_property
    def names(self) -> frozenset[str]:
        """Names, folded; those known in two languages by their Chinese form."""
        return names(self.title, self.lead)

    @cached_property
    def goods(self) -> frozenset[str]:
        """Things of which one mould tells now this, now that (lexicon: goods)."""
        return self.words & _goods()

    @cached_property
    def lead_names(self) -> frozenset[str]:
        """Names in the lead, without those that only begin a sentence."""
        chinese = chinese_names(self._plain_lead) if HAN.search(self.lead) else set()
        return frozenset({word.lower() for word in inner_capitals(self.lead)} - stopwords() - WHEN | chinese)

    @cached_property
    def told_names(self) -> frozenset[str]:
        return self.names | names(self.lead, self.lead)

    @cached_property
    def actions(self) -> frozenset[str]:
        """Classes of actions (lexicon: actions)."""
        return polarity.told("actions", self._plain, self.words)

    def deeds(self) -> list[str]:
        """The words of the title that tell its actions."""
        told = [polarity.classes("actions")[name] for name in sorted(self.actions)]
        words = [word for word in self._tokens if any(stem(word) in stems for stems, _ in told)]
        return words + [phrase for _, phrases in told for phrase in phrases if phrase in self._plain]

    @cached_property
    def told_actions(self) -> frozenset[str]:
        return self.actions | polarity.told("actions", self._plain_lead, self.told)

    @cached_property
    def direction(self) -> str:
        """ "up", "down", or "" when the title says neither or both."""
        return polarity.direction(self._plain, self.words)

    @cached_property
    def leaning(self) -> str:
        """The direction, turned round where the title denies it ("fails to pass"); "rejects" is itself one, and what
        "does not deny" comes to is open.
        """
        if self._denials[1]:
            return ""
        down, _ = polarity.classes("directions")["down"]
        turned = any(stem(word) not in down for word in self.negations)
        return {"up": "down", "down": "up"}.get(self.direction, "") if turned else self.direction

    @cached_property
    def turns(self) -> Mapping[str, str]:
        """What moves of itself -> which way, where nothing is denied."""
        return {} if self.negations else polarity.turns(self._plain)

    @cached_property
    def sides(self) -> Mapping[str, tuple[int, str]]:
        """Pair of opposites (lexicon: opposites) -> (which of the two the title holds, the word); not where it holds both."""
        return polarity.sides(self._plain, self._tokens, self.order)

    @cached_property
    def toll(self) -> bool:
        """Counts dead, injured or missing, which is corrected as rescue goes on."""
        return polarity.held(self._plain, frozenset(self.order), _tolls())

    def written(self, words: Iterable[str]) -> str:
        """Words or names of this title as it writes them, four at most; "nothing" for none."""
        spelled = {self._spelling.get(word, word) for word in words}
        whole = {one for one in spelled if not any(one != other and one in other.split() for other in spelled)}
        return ", ".join(sorted(whole)[:4]) or "nothing"

    @cached_property
    def _spelling(self) -> Mapping[str, str]:
        """Stem or known name -> how the title writes it."""
        found = {} if self.title.isascii() else {token: token for token in self._tokens}
        found |= {stem(_bare(word).lower()): _bare(word) for word in reversed(_WRITTEN.findall(self.title))}
        for name, parts in self.known.items():
            as_said = re.search(r"\W*".join(map(re.escape, parts)), self.title, re.IGNORECASE)
            found[name] = as_said[0] if as_said else name
        return found

    @cached_property
    def han(self) -> bool:
        return HAN.search(self._plain) is not None

    @cached_property
    def negations(self) -> frozenset[str]:
        return self._denials[0]

    @cached_property
    def _denials(self) -> tuple[frozenset[str], bool]:
        return polarity.denials(self._tokens)


# --------------------------------------------------------------------------- names


def names(title: str, lead: str = "") -> frozenset[str]:
    """Names in a title: by capitals (unless the whole title is capitalised), Chinese by part of speech, known ones.

    A name known in two languages is there as it stands and by its Chinese form.
    """
    known = list(_known(title))
    found = {name for name, _ in known} | {stem(part) for _, parts in known for part in parts}
    if HAN.search(title):
        found |= chinese_names(normalise(title))
        title, lead = HAN.sub(" ", title), HAN.sub(" ", lead)  # a Latin name ends where the characters begin
    capitals = [_bare(match[0]) for match in _CAPITAL.finditer(title)]
    if title_case(title):
        inside = {word.lower() for word in inner_capitals(lead)}
        capitals = [word for word in capitals if word.lower() in inside or (word.isupper() and not title.isupper())]
    else:
        first = _WORDS.search(title)
        capitals = [word for word in capitals if not first or word != _bare(first[0]) or not _common(word, lead)]
    return frozenset(found | {stem(word.lower()) for word in capitals if word.lower() not in _no_names()})


@cache
def _no_names() -> frozenset[str]:
    return _NO_NAMES | stopwords()


@cache
def _goods() -> frozenset[str]:
    return frozenset(stem(word) for lang in ("en", "zh") for word in lexicon(lang).get("goods", ()))


def _bare(word: str) -> str:
    """A name without the possessive and a trailing point or apostrophe."""
    return word.removesuffix("'s").removesuffix("’s").rstrip("'’.")


def title_case(title: str) -> bool:
    """Nearly every longer word begins with a capital, so capitals show no names."""
    words = [word for word in _WORDS.findall(title) if word.isascii() and len(word) > 3]
    return len(words) >= 3 and sum(word[0].isupper() for word in words) > 0.75 * len(words)


def inner_capitals(text: str) -> set[str]:
    """Capitalised words that don't begin a sentence, without their punctuation."""
    found = {
        _bare(word.strip(_AROUND))
        for before, word in pairwise(text.split())
        if (word[0].isupper() or (word[0] in _OPENING and word[1:2].isupper())) and before[-1] not in _ENDING
    }
    found.discard("")
    return found


def _common(word: str, lead: str) -> bool:
    """A title's first word is capitalised anyway; it is a name when the lead has it so inside, or in capitals."""
    if word.isupper() or any(char.isdigit() for char in word):
        return False
    return word not in lead or word not in inner_capitals(lead)


@cache
def known_names() -> Mapping[str, Sequence[tuple[tuple[str, ...], str, bool]]]:
    """First token -> (all tokens, canonical name, only in capitals), longest first; names known in two languages."""
    table: dict[str, list[tuple[tuple[str, ...], str, bool]]] = {}
    usual: dict[str, str] = {}
    for chinese, english in lexicon("zh").get("names", ()):
        name = usual.setdefault(english, chinese)  # of several forms the first
        for form in (chinese, english):
            parts = tuple(tokens(form))
            if parts:
                table.setdefault(parts[0], []).append((parts, name, form.isascii() and form.isupper()))
    return {first: sorted(forms, key=lambda form: -len(form[0])) for first, forms in table.items()}


def _known(text: str) -> Iterable[tuple[str, tuple[str, ...]]]:
    """(canonical form, tokens) of the known names in a text; "WHO" and "US" only where they stand in capitals."""
    table, words = known_names(), tokens(text)
    for at, word in enumerate(words):
        for parts, name, capitals in table.get(word, ()):
            if tuple(words[at : at + len(parts)]) == parts and (not capitals or word.upper() in text):
                yield name, parts
                break


@cache
def _tolls() -> polarity.Class:
    return frozenset(map(stem, lexicon("en").get("tolls", ()))), tuple(lexicon("zh").get("tolls", ()))
