"""How alike two reports are in what they say: their words, their names, their figures, and the embedding's meaning.

Each of the four is a unit vector; side by side, scaled by their weights, they make one vector a report, so that the
average likeness of two groups of reports is one product of their sums. Two reports in different scripts share few words
whatever they tell: between them meaning counts for more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pipeline.events.entities import WHEN
from pipeline.events.fingerprint import Codes, head, mix
from pipeline.events.stems import stem
from pipeline.text import Corpus, Ragged

if TYPE_CHECKING:
    from pipeline.types import Flags, Floats, Ints

DIMS = 1024  # signed hashing (Weinberger et al. 2009): two unrelated texts differ from 0 by 0.03
_ROWS = 64  # vectors of DIMS handled at once: 512 KB as they are made
LEAD_WORDS = 150  # words of a text that are compared
TITLE_WEIGHT = 1.5  # a word of the title counts as that many of the text
BACKGROUND = (
    500  # reports that are thought to stand behind a pool: in a small one, what all share still counts a little
)
RARITY_POWER = 1.5  # of the inverse document frequency: reports of like events differ in their rare words
WORDS, NAMES, FIGURES, MEANING = 1.0, 1.0, 0.3, 1.0  # weights; chosen on events_ecbplus and events_feed_batches
FEW_WORDS, FEW_NAMES = 12, 3  # words and names of which a report must hold as many for half of their weight
WORDS_ALONE = 0.6  # of the floor where nothing is embedded: words and names agree less than meanings do
SAME_OUTLET = 0.5  # floors taken off two reports of one outlet, which tells a thing once; events_feed_batches
CROSS_MEANING = 0.30  # added to MEANING between scripts, where words and names are mostly silent


@dataclass(frozen=True, slots=True)
class Bags:
    """The distinct content words (as stems) of n reports' titles and leads, one entry a report and word."""

    count: int
    """n"""
    place: Ints
    """[entries] which report, ascending"""
    word: Ints
    """[entries] id of the stem"""
    weight: Floats
    """[entries] TITLE_WEIGHT when the title holds it, else 1"""
    seen: NDArray[np.int64]
    """[stems] number of reports that hold it"""
    sizes: NDArray[np.int64]
    """[n] number of entries of each report"""
    stem_of: Ints
    """[V] id of each word's stem, -1 for stop words"""


def bags(corpus: Corpus, rows: Ints) -> Bags:
    """Words of the given rows."""
    stem_of, count = _stems(corpus)
    parts = (
        _part(corpus.titles, stem_of, rows, TITLE_WEIGHT),
        _part(head(corpus.texts, LEAD_WORDS), stem_of, rows, 1.0),
    )
    keys = np.concatenate([place.astype(np.int64) * count + word for place, word, _ in parts])
    order = np.argsort(keys, kind="stable")  # the title's entry comes first, its weight counts
    keys = keys[order]
    new = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))) if len(keys) else np.empty(0, np.int64)
    word = (keys[new] % count).astype(np.int32)
    return Bags(
        count=len(rows),
        place=(keys[new] // count).astype(np.int32),
        word=word,
        weight=np.concatenate([weight for _, _, weight in parts])[order][new],
        seen=np.bincount(word, minlength=count),
        sizes=np.bincount(keys[new] // count, minlength=len(rows)),
        stem_of=stem_of,
    )


def _stems(corpus: Corpus) -> tuple[Ints, int]:
    """[V] id of each word's stem, and their number; stop words are -1."""
    numbers: dict[str, int] = {}
    stemmed = [numbers.setdefault(root, len(numbers)) for root in map(stem, corpus.words)]
    found = np.array(stemmed, np.int32)
    found[corpus.stop] = -1
    return found, max(len(numbers), 1)


def _part(ragged: Ragged, stem_of: Ints, rows: Ints, weight: float) -> tuple[Ints, Ints, Floats]:
    lengths = ragged.lengths[rows]
    ends = np.concatenate(([0], np.cumsum(lengths)))
    at = np.arange(ends[-1]) - np.repeat(ends[:-1] - ragged.starts[:-1][rows], lengths)
    words = stem_of[ragged.flat[at]]
    position = np.repeat(np.arange(len(rows), dtype=np.int32), lengths)
    keep = words >= 0
    return position[keep], words[keep], np.full(int(keep.sum()), weight, np.float32)


def words(bags: Bags, chosen: Ints) -> Floats:
    """[len(chosen), DIMS] unit vectors of the words of the chosen reports, weighted by rarity among all of them."""
    spot = np.full(bags.count, -1, np.int64)
    spot[chosen] = np.arange(len(chosen))
    keep = spot[bags.place] >= 0
    place, word, weight = spot[bags.place[keep]], bags.word[keep], bags.weight[keep]
    codes = mix(np.arange(len(bags.seen), dtype=np.uint64))
    return _sketch(place, codes[word], weight * _rarity(bags.count, bags.seen)[word], len(chosen))


def figures(bags: Bags, corpus: Corpus, chosen: Ints) -> Floats:
    """[len(chosen), DIMS] unit vectors of the figures among the words: numbers of two digits, days, months."""
    numbers = [word for word in np.flatnonzero(corpus.numeric).tolist() if len(corpus.words[word]) > 1]
    kind = np.zeros(len(bags.seen), bool)
    kind[bags.stem_of[[*numbers, *corpus.find(WHEN)]]] = True
    keep = kind[bags.word]
    return words(replace(bags, place=bags.place[keep], word=bags.word[keep], weight=bags.weight[keep]), chosen)


def sets(said: Sequence[frozenset[str]]) -> Floats:
    """[n, DIMS] unit vectors of sets of names, weighted by rarity among the n."""
    place = np.repeat(np.arange(len(said)), [len(one) for one in said])
    raw = np.fromiter((crc32(word.encode()) for one in said for word in one), np.uint64, len(place))
    _, kind, seen = np.unique(raw, return_inverse=True, return_counts=True)
    return _sketch(place, mix(raw), _rarity(len(said), seen)[kind], len(said))


def _rarity(count: int, seen: NDArray[np.int64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.log((count + BACKGROUND) / (seen + 0.5)) ** RARITY_POWER
    return found


def _sketch(place: NDArray[np.int64], codes: Codes, values: NDArray[np.float64], count: int) -> Floats:
    """[count, DIMS] unit vectors of valued words, of which `place` says, ascending, whose they are."""
    column = (codes % np.uint64(DIMS)).astype(np.int64)
    signed = np.where(codes >> np.uint64(63), values, -values)
    found = np.empty((count, DIMS), np.float32)
    for rows in _portions(count):
        some = slice(*np.searchsorted(place, (rows.start, rows.stop)))
        at = (place[some] - rows.start) * DIMS + column[some]
        flat = np.bincount(at, signed[some], minlength=(rows.stop - rows.start) * DIMS)
        found[rows] = unit(flat.reshape(-1, DIMS).astype(np.float32))
    return found


def products(vectors: Floats, a: NDArray[np.signedinteger[Any]], b: NDArray[np.signedinteger[Any]]) -> Floats:
    """[pairs] products of the rows a with the rows b."""
    found = np.empty(len(a), vectors.dtype)
    for some in _portions(len(a)):
        found[some] = np.einsum("ij,ij->i", vectors[a[some]], vectors[b[some]])
    return found


def _portions(count: int) -> Iterator[slice]:
    """Rows 0..count-1, so many at once that what is made of them on the way stays in the cache of the processor."""
    return (slice(begin, min(begin + _ROWS, count)) for begin in range(0, count, _ROWS))


@dataclass(frozen=True, slots=True)
class Said:
    """How much n reports say: [n] number of distinct content words, of names, whether in Chinese script, whose."""

    words: NDArray[np.int64]
    names: NDArray[np.int64]
    han: Flags
    outlet: Ints
    """The outlet's number."""


@dataclass(frozen=True, slots=True)
class Side:
    """What n reports are compared by. Sums of rows compare groups; likeness 1 is the floor."""

    near: Floats
    """[n, d] words, names and figures in one sketch, meaning beside it; its products are likenesses within a script."""
    across: Floats
    """[n, 2 m] the meaning in the half of the report's script; products use exchanged halves. Empty without."""
    outlet: Ints
    """[n] number of the outlet each is of."""

    def alike(self, a: Ints, b: Ints) -> Floats:
        """Likeness of pairs of reports in units of their floor."""
        found = products(self.near, a, b)
        if self.across.shape[1]:
            found = found + np.einsum("ij,ij->i", self.across[a], _exchanged(self.across[b]))
        found -= np.float32(SAME_OUTLET) * (self.outlet[a] == self.outlet[b])
        return found


def between(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> float:
    """Summed likeness of all pairs of two groups, given the sums of their rows of (near, across)."""
    return float(a[0] @ b[0]) + (float(a[1] @ _exchanged(b[1])) if a[1].size else 0.0)


def _exchanged(across: Floats) -> Floats:
    half = across.shape[-1] // 2
    return np.concatenate((across[..., half:], across[..., :half]), axis=-1)


def side(
    word: Floats,
    name: Floats,
    figure: Floats,
    meaning: Floats | None,
    said: Said,
    long_floor: float,
    short_floor: float,
) -> Side:
    """Put the parts together, each report scaled so that likeness 1 is the floor for reports of its length.

    The less a report says, the less its words and names prove, and the more its meaning counts; the floor moves from
    `long_floor` to `short_floor` with it.
    """
    sure_words, sure_names = said.words / (said.words + FEW_WORDS), said.names / (said.names + FEW_NAMES)
    weights = np.stack((WORDS * sure_words, NAMES * sure_names, np.full(len(word), FIGURES)))
    whole = sum(weights) + (0.0 if meaning is None else MEANING)
    floor = short_floor + (long_floor - short_floor) * sure_words
    if meaning is None:
        floor = floor * WORDS_ALONE
    scale = 1 / np.sqrt(whole * floor)[:, None]
    near = np.empty((len(word), DIMS + (0 if meaning is None else meaning.shape[1])), np.float32)
    for some in _portions(len(word)):
        parts = (word[some], np.roll(name[some], 1, axis=1), np.roll(figure[some], 2, axis=1))
        shares = np.sqrt(weights[:, some, None])
        near[some, :DIMS] = sum(share * part for share, part in zip(shares, parts, strict=True)) * scale[some]
    if meaning is None:
        return Side(near, np.empty((len(word), 0), np.float32), said.outlet)
    near[:, DIMS:] = np.sqrt(MEANING) * meaning * scale
    spread = np.zeros((len(word), 2 * meaning.shape[1]), np.float32)
    spread[said.han, : meaning.shape[1]], spread[~said.han, meaning.shape[1] :] = meaning[said.han], meaning[~said.han]
    return Side(near, (spread * np.sqrt(CROSS_MEANING) * scale).astype(np.float32), said.outlet)


def unit(vectors: Floats) -> Floats:
    """Rows scaled to length 1; zero rows stay zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 1e-9)
    return scaled
