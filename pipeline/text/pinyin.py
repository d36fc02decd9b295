"""Chinese names as English writes them: 灵犀 is read "lingxi", 王传福 "wangchuanfu".

Most characters share their sound with dozens of others, and some English words can be read as Chinese ones: what is
read alike is one name only beside other signs of one thing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise, product
from typing import Any

from pipeline.text.forms import HAN
from pipeline.text.lexicons import lexicon, stopwords

SHORTEST, LONGEST = 2, 4  # characters of a name: one is read like too many; 欧阳娜娜 has four
WORDS = 3  # Latin words of a name: Wang Chuanfu, Mao Ze Dong
ACRONYM = 4  # capitals that are no name by themselves: AI, EU, IAEA
_CAPITAL = re.compile(r"(?<![A-Za-z0-9])[A-Z][A-Za-z]*(?:['’][A-Za-z]+)*")
_JOINT = re.compile(r"['’ ]")
_NAMES = ("nr", "ns", "nt", "nz", "nrt")  # the segmenter's marks of people, places, bodies, others
_SYLLABLES = re.compile(
    rf"(?:(?:[zcs]h|[ln]y|[bpmfdtnlgkhjqxrzcsyw])?[aeiouv]{{1,3}}(?:ng|n|r)?){{{SHORTEST},{LONGEST}}}"
)
"""As good as all that is read so; the characters decide."""


def spellings(text: str) -> dict[str, str]:
    """Capitalised words, alone and joined with the next, that look like a name as it is read -> as they stand.

    >>> spellings("What Wang Chuanfu told Reuters"), spellings("the Chang'e probe")
    ({'wangchuanfu': 'Wang Chuanfu', 'chuanfu': 'Chuanfu'}, {'change': "Chang'e"})
    """
    words = list(_CAPITAL.finditer(text))
    apart = [text[a.end() : b.start()] != " " for a, b in pairwise(words)] + [True]
    found = {}
    for at, first in enumerate(words):
        for last in range(at, min(at + WORDS, len(words))):
            said = text[first.start() : words[last].end()]
            name = _JOINT.sub("", said).lower()
            if _SYLLABLES.fullmatch(name) and not (last == at and len(name) <= ACRONYM and said.isupper()):
                found[name] = said
            if apart[last]:
                break
    return found


def readings(words: Sequence[str], wanted: Collection[str]) -> dict[str, list[str]]:
    """Names among the words of a simplified text, in order, that are read as one of `wanted` -> as they stand, each once.

    A name is of whole words, by its part of speech, or a word that is in no dictionary: 我们 is none, though "Women" looks
    like it, nor 大厅, read "dating"; 智谱 is. What English is known to write otherwise is none: 巴黎 is Paris, not Bali.
    """
    stop = stopwords()
    found: dict[str, list[str]] = {}
    begun = _begun(frozenset(wanted))
    for at, word in enumerate(words):
        if not begun.intersection(_sounds(word[0])):
            continue
        name = ""
        for more in words[at : at + LONGEST]:
            name += more
            if len(name) > LONGEST or more in stop or not all(map(HAN.match, more)):
                break
            said = _read(name).intersection(wanted) if len(name) >= SHORTEST else ()
            if said and name not in _known() and (chinese_names(name) or (name == word and _unheard_of(name))):
                for one in said:
                    if name not in found.setdefault(one, []):
                        found[one].append(name)
    return found


def may_name(texts: Iterable[str], wanted: Collection[str]) -> list[str]:
    """Those of some texts in which a character that may begin one of the names stands close before one that may end it:
    the others need not be cut into words.
    """
    chinese = [text for text in texts if not text.isascii() and HAN.search(text)]
    first, last = _ends(frozenset(wanted)) if chinese else ("", "")
    close = re.compile(f"[{first}].{{0,{LONGEST - SHORTEST}}}[{last}]") if first and last else None
    return list(filter(close.search, chinese)) if close else []


def chinese_names(plain: str) -> set[str]:
    """Words of a simplified text that are names by their part of speech, of two characters or more."""
    import rjieba

    return {str(word) for word, flag in rjieba.tag(plain) if flag in _NAMES and len(word) >= SHORTEST}


def _unheard_of(word: str) -> bool:
    """The segmenter took it for a word by its characters alone."""
    import rjieba

    return list(rjieba.cut(word, False)) != [word]


def is_place(name: str) -> bool:
    """Whether a Chinese name is one of a place, by its part of speech."""
    import rjieba

    return HAN.match(name) is not None and [flag for _, flag in rjieba.tag(name)] == ["ns"]


def in_latin(name: str) -> frozenset[str]:
    """How English may write a name in characters, in small letters: in one word, or with what it begins with apart.

    >>> sorted(in_latin("灵犀")), sorted(in_latin("嫦娥"))
    (['ling xi', 'lingxi'], ['chang e', "chang'e", 'change'])
    """
    if not SHORTEST <= len(name) <= LONGEST:
        return frozenset()
    apart = (f"{first} {rest}" for first in _sounds(name[0]) for rest in _read(name[1:]))
    parted = ("".join(f"'{one}" if one[0] in "aeo" else one for one in way) for way in product(*map(_sounds, name)))
    return _read(name).union(apart, (way.removeprefix("'") for way in parted))


def capitals(words: Collection[str], texts: Iterable[str]) -> Counter[str]:
    """How many times more texts write some words, given in small letters, with a capital than without: "dating" is no
    name, though 大厅 is read so.
    """
    forms = sorted({form for word in words for form in (word, word.capitalize(), word.title(), word.upper())}, key=len)
    any_of = re.compile(rf"\b(?:{'|'.join(map(re.escape, reversed(forms)))})\b")
    more: Counter[str] = Counter()
    for text in texts if words else ():
        for found in any_of.findall(text):
            more[found.lower()] += -1 if found.islower() else 1
    return more


@cache
def _known() -> frozenset[str]:
    """Names that the lexicon gives in both languages, as Chinese writes them."""
    return frozenset(str(one[0]) for one in lexicon("zh").get("names", ()))


@lru_cache(maxsize=64)
def _begun(names: frozenset[str]) -> frozenset[str]:
    """What some names begin with, as far as a syllable can reach."""
    return frozenset(name[:size] for name in names for size in range(1, 7))  # "zhuang" is the longest


@lru_cache(maxsize=8192)
def _read(name: str) -> frozenset[str]:
    return frozenset("".join(syllables) for syllables in product(*map(_sounds, name)))


@lru_cache(maxsize=8192)
def _sounds(character: str) -> tuple[str, ...]:
    """Syllables without tones; 吕 is "lv", "lu" and "lyu". None for what is no Chinese character."""
    said = [sound[:-1].lower() for sound in _table().get(f"{ord(character):X}", "").split()]
    return tuple(dict.fromkeys(one.replace("v", spelt) for one in said for spelt in ("v", "u", "yu")))


@lru_cache(maxsize=64)
def _ends(names: frozenset[str]) -> tuple[str, str]:
    """All characters that may begin one of some names, and all that may end one."""
    first = {sound for sound in _written() if any(name.startswith(sound) for name in names)}
    last = {sound for sound in _written() if any(name.endswith(sound) for name in names)}
    return "".join(map(_written().__getitem__, first)), "".join(map(_written().__getitem__, last))


@cache
def _written() -> Mapping[str, str]:
    """Syllable -> the characters that are read so."""
    found: defaultdict[str, str] = defaultdict(str)
    for code in _table():
        character = chr(int(code, 16))
        for sound in _sounds(character):
            found[sound] += character
    return found


@cache
def _table() -> Mapping[str, Any]:
    from xpinyin import Pinyin

    table: Mapping[str, Any] = Pinyin().pinyins
    return table
