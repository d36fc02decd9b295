"""What a text speaks of, as sets that two texts can be compared by: numbers, names, actions, direction, negation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise

from pipeline.dates.names import ENGLISH_DAYS, ENGLISH_MONTHS
from pipeline.text import HAN, lexicon, normalise, stopwords, tokens

LEAD_CHARS = 300  # characters of the text that belong to the facts of an item: its lead paragraph

_OPENING = "\"'“‘([<«"
_AROUND = _OPENING + "”’)]>».,;:!?…"
_ENDING = ".!?:。！？："
WHEN = frozenset((*ENGLISH_MONTHS, *ENGLISH_DAYS)) - {"may"}  # it is a verb more often
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(
    r"(?P<nth>第)?(?P<value>\d+(?:[.,]\d+)*)(?:(?P<th>st|nd|rd|th)\b|\s?(?P<unit>%|percent(?:age points?)?\b|per cent\b"
    r"|basis points?\b|个基点|个百分点|thousand\b|million\b|billion\b|trillion\b|k\b|m\b|bn\b|tn\b|万亿|亿|万|千))?"
)
_PERCENT = {"%": 1, "percent": 1, "per cent": 1, "percentage point": 1, "percentage points": 1, "个百分点": 1,
            "basis point": 0.01, "basis points": 0.01, "个基点": 0.01}  # fmt: skip
_UNITS = {
    "thousand": 1e3, "k": 1e3, "千": 1e3, "万": 1e4, "million": 1e6, "m": 1e6, "亿": 1e8, "billion": 1e9, "bn": 1e9,
    "trillion": 1e12, "tn": 1e12, "万亿": 1e12,
}  # fmt: skip
_NO_NAMES = WHEN | {"center", "centre", "news", "report", "update", "breaking", "live", "exclusive", "video"}
_NUMERAL = "([一二两三四五六七八九十百]+)"
_CHINESE_ORDINAL = re.compile("第" + _NUMERAL)
_CHINESE_NUMBER = re.compile(
    f"(?<![第一二两三四五六七八九十百]){_NUMERAL}(?=号|届|轮|中全会|季度)|遥{_NUMERAL}"
)  # of a series
_CAPITAL = re.compile(r"(?<![\w'’])[A-ZÀ-ÞА-ЯΑ-Ω][\w'’&.-]*\w|\b[A-Z]\b")
_WORDS = re.compile(r"[^\W\d_][\w'’-]*")
_LETTERS = re.compile(r"\b[a-z]+\b")
_WHOLE = re.compile(r"(?<![\w-])[a-z]+(?![\w-])")  # "seven", but not that of "seven-year"


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
        return _stems(self._plain)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """All words as they stand, stop words too, endings folded."""
        return tuple(map(stem, self._tokens))

    @cached_property
    def _tokens(self) -> list[str]:
        return tokens(self._plain)

    @cached_property
    def told(self) -> frozenset[str]:
        return self.words | _stems(self._plain_lead)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Canonical numbers: "12", "2500000000", "4.4%"; ordinals as "#12"."""
        return numbers(self._plain)

    @cached_property
    def names(self) -> frozenset[str]:
        """Names, folded; those known in two languages by their Chinese form."""
        return names(self.title, self.lead)

    @cached_property
    def goods(self) -> frozenset[str]:
        """Things of which one mould tells now this, now that (lexicon: goods)."""
        return self.words & _goods()

    @cached_property
    def told_names(self) -> frozenset[str]:
        return self.names | names(self.lead, self.lead)

    @cached_property
    def actions(self) -> frozenset[str]:
        """Classes of actions (lexicon: actions)."""
        return _classes(self._plain, self.words)

    @cached_property
    def told_actions(self) -> frozenset[str]:
        return self.actions | _classes(self._plain_lead, self.told)

    @cached_property
    def direction(self) -> str:
        """ "up", "down", or "" when the title says neither or both."""
        up, down = (_direction(name, self._plain, self.words) for name in ("up", "down"))
        return "" if up == down else "up" if up else "down"

    @cached_property
    def sides(self) -> Mapping[str, tuple[int, str]]:
        """Pair of opposites (lexicon: opposites) -> (which of the two the title holds, the word); not where it holds both."""
        return _sides(self._plain, self._tokens)

    @cached_property
    def toll(self) -> bool:
        """Counts dead, injured or missing, which is corrected as rescue goes on."""
        english, chinese = _tolls()
        return not english.isdisjoint(self.order) or any(word in self._plain for word in chinese)

    @cached_property
    def han(self) -> bool:
        return HAN.search(self._plain) is not None

    @cached_property
    def negations(self) -> frozenset[str]:
        return _negations(self._plain)


# --------------------------------------------------------------------------- words


def stem(word: str) -> str:
    """English endings off (raises, raised, raising -> rais): crude, and the same for both sides of a comparison."""
    if len(word) < 4 or (word[-1] not in "sdge" and word[-1] != word[-2]) or not word.isascii():
        return word
    if word[-1] in "sdg":
        for ending in ("ing", "ied", "ies", "ed", "es", "s"):
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                word = word[: -len(ending)] + ("y" if ending in ("ied", "ies") else "")
                break
    word = word.removesuffix("e")
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def _stems(plain: str) -> frozenset[str]:
    stop = stopwords()
    return frozenset(stem(word) for word in tokens(plain) if word not in stop)


# --------------------------------------------------------------------------- numbers


def numbers(plain: str) -> frozenset[str]:
    """Numbers of a normalised text in canonical form; ordinals are marked, so that "12th" is not "12 dead"."""
    found = set()
    plain = _in_digits(plain)
    for match in _NUMBER.finditer(plain) if _DIGIT.search(plain) else ():
        digits = match["value"].rstrip(".,")
        value = _value(digits)
        unit = match["unit"] or ""
        if match["nth"] or match["th"]:
            found.add(f"#{value:g}")
        elif unit in _PERCENT:
            found.add(f"{value * _PERCENT[unit]:g}%")
        else:
            found.add(f"{value * _UNITS.get(unit, 1):.10g}")
    if HAN.search(plain):
        found |= {f"#{chinese_number(match[1])}" for match in _CHINESE_ORDINAL.finditer(plain)}
        found |= {f"{chinese_number(match[1] or match[2])}" for match in _CHINESE_NUMBER.finditer(plain)}
    ordinals = lexicon("en").get("ordinals", {})
    return frozenset(found.union(f"#{ordinals[word]}" for word in _LETTERS.findall(plain) if word in ordinals))


def _in_digits(plain: str) -> str:
    """Number words as digits: "five percent" -> "5 percent"."""
    cardinals = lexicon("en").get("numbers", {})
    return _WHOLE.sub(lambda match: str(cardinals.get(match[0], match[0])), plain)


def _value(digits: str) -> float:
    """1,234.5 and 1.234.567 alike; a single comma before other than three digits is a decimal one."""
    parts = re.split(r"[.,]", digits)
    if len(parts) > 1 and all(len(part) == 3 for part in parts[1:]) and ("," in digits or len(parts) > 2):
        return float("".join(parts))
    if len(parts) == 1:
        return float(digits)
    return float("".join(parts[:-1]) + "." + parts[-1])


def chinese_number(text: str) -> int:
    """Value of a Chinese numeral below a thousand: 十二 -> 12, 二十 -> 20, 一百零三 -> 103."""
    digits: Mapping[str, int] = lexicon("zh")["numbers"]
    total, digit = 0, 0
    for char in text:
        if char in ("十", "百"):
            total += max(digit, 1) * (10 if char == "十" else 100)
            digit = 0
        else:
            digit = digits.get(char, 0)
    return total + digit


# --------------------------------------------------------------------------- names


def names(title: str, lead: str = "") -> frozenset[str]:
    """Names in a title: by capitals (unless the whole title is capitalised), Chinese by part of speech, known ones.

    A name known in two languages is there as it stands and by its Chinese form.
    """
    known = list(_known(title))
    found = {name for name, _ in known} | {stem(part) for _, parts in known for part in parts}
    if HAN.search(title):
        found |= _chinese_names(normalise(title))
        title, lead = HAN.sub(" ", title), HAN.sub(" ", lead)  # a Latin name ends where the characters begin
    capitals = [_bare(match[0]) for match in _CAPITAL.finditer(title)]
    if title_case(title):
        inside = {word.lower() for word in inner_capitals(lead)}
        capitals = [word for word in capitals if word.lower() in inside or (word.isupper() and not title.isupper())]
    else:
        first = _WORDS.search(title)
        capitals = [word for word in capitals if not first or word != _bare(first[0]) or not _common(word, lead)]
    return frozenset(found | {stem(word.lower()) for word in capitals if word.lower() not in _NO_NAMES | stopwords()})


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
    return not word.isupper() and word not in inner_capitals(lead) and not any(char.isdigit() for char in word)


def _chinese_names(plain: str) -> set[str]:
    import rjieba

    return {str(word) for word, flag in rjieba.tag(plain) if flag in ("nr", "ns", "nt", "nz", "nrt") and len(word) > 1}


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


# --------------------------------------------------------------------------- actions


@cache
def _table(section: str) -> Mapping[str, tuple[frozenset[str], tuple[str, ...]]]:
    """Class -> (English stems, Chinese substrings)."""
    english, chinese = lexicon("en").get(section, {}), lexicon("zh").get(section, {})
    return {
        name: (frozenset(stem(word) for word in english.get(name, ())), tuple(chinese.get(name, ())))
        for name in {*english, *chinese}
    }


def _classes(plain: str, stems: frozenset[str]) -> frozenset[str]:
    han = HAN.search(plain) is not None
    return frozenset(
        name
        for name, (words, phrases) in _table("actions").items()
        if words & stems or (han and any(phrase in plain for phrase in phrases))
    )


def _direction(name: str, plain: str, stems: frozenset[str]) -> bool:
    words, phrases = _table("directions")[name]
    return bool(words & stems) or (HAN.search(plain) is not None and any(phrase in plain for phrase in phrases))


@cache
def _opposites() -> tuple[Mapping[str, Sequence[tuple[str, int]]], Sequence[tuple[str, str, int]]]:
    """English stem -> the pairs of opposites it stands in and on which side; (Chinese substring, pair, side)."""
    english: dict[str, list[tuple[str, int]]] = {}
    for name, both in lexicon("en").get("opposites", {}).items():
        for side, words in enumerate(both):
            for word in words:
                english.setdefault(stem(word), []).append((name, side))
    chinese = lexicon("zh").get("opposites", {}).items()
    return english, [
        (phrase, name, side) for name, both in chinese for side, all_ in enumerate(both) for phrase in all_
    ]


def _sides(plain: str, said: Sequence[str]) -> Mapping[str, tuple[int, str]]:
    english, chinese = _opposites()
    found: dict[str, dict[int, str]] = {}
    for word in said:
        for name, side in english.get(stem(word), ()):
            found.setdefault(name, {}).setdefault(side, word)
    for phrase, name, side in chinese if HAN.search(plain) else ():
        if phrase in plain:
            found.setdefault(name, {}).setdefault(side, phrase)
    return {name: next(iter(words.items())) for name, words in found.items() if len(words) == 1}


@cache
def _tolls() -> tuple[frozenset[str], Sequence[str]]:
    """(English stems, Chinese substrings)."""
    return frozenset(map(stem, lexicon("en").get("tolls", ()))), lexicon("zh").get("tolls", ())


def _negations(plain: str) -> frozenset[str]:
    said = set(_WORDS.findall(plain.replace("’", "'"))).intersection(lexicon("en").get("negation", ()))
    if HAN.search(plain):
        said |= {word for word in lexicon("zh").get("negation", ()) if word in plain}
    return frozenset(said)
