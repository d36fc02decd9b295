"""Names that one report writes in Chinese and another as they are read: 灵犀 and Lingxi."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Set
from typing import TYPE_CHECKING

from pipeline.events.entities import LEAD_CHARS, known_names
from pipeline.text import HAN
from pipeline.text.pinyin import capitals, readings, spellings

if TYPE_CHECKING:
    from pipeline.events.pool import Pool

LEAD_WORDS = 100  # words of a Chinese text in which names are looked for


class ReadNames:
    """Row -> the names that it has in common with rows of the other script, by how they are read."""

    def __init__(self, latin: Mapping[int, Mapping[str, str]], chinese: Mapping[int, Mapping[str, str]]) -> None:
        both = _names(latin) & _names(chinese)
        every = ((row, said) for rows in (latin, chinese) for row, said in rows.items())
        self._said = {row: {name: said[name] for name in said.keys() & both} for row, said in every}
        characters = defaultdict(set)
        for row in chinese:
            for name, written in self._said[row].items():
                characters[name].add(written)
        forms = {
            frozenset(written.lower().split()): characters[name]
            for row in latin
            for name, written in self._said[row].items()
        }
        self._forms: Mapping[str, list[tuple[frozenset[str], set[str]]]] = defaultdict(list)
        for words, han in forms.items():
            self._forms[min(words)].append((words, han))
        """One word of a name in Latin letters -> (all its words, its characters)."""

    def shared(self, a: int, b: int) -> dict[str, str]:
        """What two rows of two scripts both name: as the first writes it -> as the second does."""
        mine, theirs = self._said.get(a, {}), self._said.get(b, {})
        names = sorted(mine.keys() & theirs.keys())
        return {
            mine[name]: theirs[name] for name in names if _in_characters(mine[name]) != _in_characters(theirs[name])
        }

    def told(self, a: int, b: int) -> str:
        """The same in words, to end a sentence with."""
        pairs = [sorted(pair, key=_in_characters) for pair in self.shared(a, b).items()]
        return ", " + " and ".join(f"{han} is read {latin}" for latin, han in pairs[:2]) if pairs else ""

    def united(self, row: int, names: Set[str], words: Iterable[str]) -> frozenset[str]:
        """The names of a row of these words: those in Latin letters that others write in characters by these."""
        found = set(names).union(*(said.lower().split() for said in self._said.get(row, {}).values()))
        every = found.union(words) if self._forms else found
        for one in sorted(every & self._forms.keys()):
            for latin, characters in self._forms[one]:
                if latin <= every:
                    found = (found - latin) | characters
        return frozenset(found)


def read_names(pool: Pool, rows: Collection[int]) -> ReadNames:
    """Of the given rows, which lie in both scripts.

    Only a word counts that they write with a capital more often than not: "Boxing" could be read as 百姓, too.
    """
    begun = {row: _beginning(pool, row) for row in rows if not pool.han[row]}
    latin = {row: spellings(text) for row, text in begun.items()}
    wanted = _names(latin) - known_names().keys()
    read = {row: readings(_words(pool, row), wanted) for row in rows if wanted and pool.han[row]}
    chinese = {row: {name: forms[0] for name, forms in said.items()} for row, said in read.items()}
    found = _names(chinese)
    words = {said[name].lower() for said in latin.values() for name in said.keys() & found}
    more = capitals(words, begun.values())
    named = {row: {name: said[name] for name in said if more[said[name].lower()] > 0} for row, said in latin.items()}
    return ReadNames(named, chinese)


def _in_characters(name: str) -> bool:
    return HAN.match(name) is not None


def _names(said: Mapping[int, Mapping[str, str]]) -> frozenset[str]:
    return frozenset(name for names in said.values() for name in names)


def _beginning(pool: Pool, row: int) -> str:
    item = pool.items[row]
    return f"{item.title}. {item.text[:LEAD_CHARS]}"


def _words(pool: Pool, row: int) -> list[str]:
    corpus = pool.corpus
    return [corpus.words[i] for i in (*corpus.titles[row], *corpus.texts[row][:LEAD_WORDS])]
