"""Two fingerprints of every item: a 64-bit SimHash of its title, a MinHash of its lead's shingles.

Both are computed for a whole pool in flat arrays: a MinHash object an item costs fifteen times as much. They depend
on words alone, never on the pool or the process, so that they can be kept and compared in later runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pipeline.text import Corpus, Ragged

if TYPE_CHECKING:
    from pipeline.types import Flags, Floats, Ints

Codes = NDArray[np.uint64]

BITS = 64  # Charikar 2002; Manku et al. 2007 use 64 bits and a distance of 3 for web pages
PERMUTATIONS = 63  # 21 bands of 3: leads that share half their shingles meet with probability 0.94
LEAD_TOKENS = 48  # words of a text that count as its lead: a paragraph; a post or a summary is shorter
WORD_SHINGLE = 2  # words; survives an edit of every tenth word better than 3
CHAR_SHINGLE = 4  # characters of Chinese text, about two words
MIN_LEAD = 6  # shingles; below that a lead says too little to be compared, and an empty one never matches
_CHUNK = 1 << 15  # rows handled at once where a [rows, 64] table is needed
_LEADS = 1024  # leads that are hashed at once: what is read 63 times stays in the cache of the processor


@dataclass(frozen=True, slots=True)
class Prints:
    """The fingerprints of N items."""

    title: Codes
    """[N] SimHash of the title's content words, or of the text's where there is no title; 0 without words."""
    lead: NDArray[np.uint32]
    """[N, PERMUTATIONS] MinHash of the lead's shingles."""
    title_words: Ints
    """[N] number of content words behind `title`."""
    lead_size: Ints
    """[N] number of shingles behind `lead`."""

    @property
    def has_lead(self) -> Flags:
        return self.lead_size >= MIN_LEAD


def prints(corpus: Corpus) -> Prints:
    """Fingerprints of a pool."""
    codes = _word_codes(corpus)
    heads = headings(corpus)
    shingles = _shingles(corpus, codes)
    return Prints(
        title=_simhash(heads, codes),
        lead=_minhash(shingles),
        title_words=heads.lengths.astype(np.int32),
        lead_size=shingles.lengths.astype(np.int32),
    )


def headings(corpus: Corpus) -> Ragged:
    """Content words of the titles; of the first words of the text where an item (a post) has no title."""
    lengths = np.where(corpus.titles.lengths > 0, corpus.titles.lengths, 0)
    posts = np.flatnonzero(lengths == 0)
    if len(posts):
        titles = _concatenate(corpus, posts)
    else:
        titles = corpus.titles
    return select(titles, ~corpus.stop[titles.flat])


def _concatenate(corpus: Corpus, posts: NDArray[np.int64]) -> Ragged:
    lengths = corpus.titles.lengths.copy()
    lengths[posts] = np.minimum(corpus.texts.lengths[posts], LEAD_TOKENS)
    starts = _starts(lengths)
    flat = np.empty(starts[-1], np.int32)
    own = np.ones(len(flat), bool)
    for row in posts:
        own[starts[row] : starts[row + 1]] = False
        flat[starts[row] : starts[row + 1]] = corpus.texts[row][:LEAD_TOKENS]
    flat[own] = corpus.titles.flat
    return Ragged(flat, starts)


def head(ragged: Ragged, limit: int) -> Ragged:
    """The first `limit` entries of every row."""
    place = np.arange(len(ragged.flat)) - np.repeat(ragged.starts[:-1], ragged.lengths)
    return select(ragged, place < limit)


def select(ragged: Ragged, keep: Flags) -> Ragged:
    """The entries of every row where `keep` (one flag an entry) is set."""
    counts = np.concatenate(([0], np.cumsum(keep)))
    return Ragged(ragged.flat[keep], counts[ragged.starts])


def _starts(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))


# --------------------------------------------------------------------------- hashing


def _word_codes(corpus: Corpus) -> Codes:
    """[V] a 64-bit code a word; CRC-32 is enough for vocabularies of some 100,000 words and costs 0.2 us."""
    raw = np.fromiter(map(crc32, map(str.encode, corpus.words)), np.uint64, len(corpus.words))
    return mix(raw)


def mix(codes: Codes) -> Codes:
    """The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every input bit moves every output bit."""
    codes = (codes + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
    codes = (codes ^ (codes >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return codes ^ (codes >> np.uint64(31))


def _simhash(words: Ragged, codes: Codes) -> Codes:
    """[N] bit b is set when more words of the row have it set than not."""
    table = np.unpackbits(codes.view(np.uint8).reshape(-1, 8), axis=1).astype(np.int8) * 2 - 1
    found = np.zeros(len(words), np.uint64)
    for begin in range(0, len(words), _CHUNK):
        rows = slice(begin, min(begin + _CHUNK, len(words)))
        starts = words.starts[rows.start : rows.stop + 1]
        flat = words.flat[starts[0] : starts[-1]]
        full = starts[1:] > starts[:-1]
        if not len(flat):
            continue
        votes = np.add.reduceat(table[flat], (starts[:-1] - starts[0])[full], axis=0, dtype=np.int16)
        found[rows][full] = np.packbits(votes > 0, axis=1).view(np.uint64)[:, 0]
    return found


# --------------------------------------------------------------------------- leads


def _shingles(corpus: Corpus, codes: Codes) -> CodeRows:
    """Word pairs of spaced scripts, four characters of Chinese; a row is treated by the script of its first words."""
    leads = head(corpus.texts, LEAD_TOKENS)
    han = _mostly_han(corpus, leads)
    words = _grams(codes[leads.flat], leads.starts, WORD_SHINGLE, ~han)
    chars, starts = _characters(corpus, leads, han)
    grams = _grams(chars, starts, CHAR_SHINGLE, han)
    lengths = words.lengths + grams.lengths
    flat = np.empty(lengths.sum(), np.uint64)
    spot = np.repeat(han, lengths)
    flat[~spot], flat[spot] = words.flat, grams.flat
    return CodeRows(flat, _starts(lengths))


@dataclass(frozen=True, slots=True)
class CodeRows:
    """Rows of 64-bit codes in one flat array."""

    flat: Codes
    starts: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        return self.starts[1:] - self.starts[:-1]


def _mostly_han(corpus: Corpus, leads: Ragged) -> Flags:
    counts = np.concatenate(([0], np.cumsum(corpus.han[leads.flat])))
    return (counts[leads.starts[1:]] - counts[leads.starts[:-1]]) * 2 > leads.lengths


def _characters(corpus: Corpus, leads: Ragged, han: Flags) -> tuple[Codes, NDArray[np.int64]]:
    """The characters of the Han rows as codes (other rows are empty)."""
    chosen = select(leads, np.repeat(han, leads.lengths))
    used, place = np.unique(chosen.flat, return_inverse=True)
    texts = [corpus.words[i] for i in used]
    letters = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32)
    begins = _starts(np.fromiter(map(len, texts), np.int64, len(texts)))
    sizes = (begins[1:] - begins[:-1])[place]
    ends = _starts(sizes)
    spot = np.arange(ends[-1]) - np.repeat(ends[:-1] - begins[:-1][place], sizes)
    return mix(letters[spot].astype(np.uint64)), ends[chosen.starts]


def _grams(codes: Codes, starts: NDArray[np.int64], size: int, rows: Flags) -> CodeRows:
    """Codes of every `size` neighbours within the chosen rows; a row shorter than that gives none."""
    lengths = np.where(rows, np.maximum(starts[1:] - starts[:-1] - size + 1, 0), 0)
    new = _starts(lengths)
    at = np.arange(new[-1]) + np.repeat(starts[:-1] - new[:-1], lengths)
    grams = np.zeros(len(at), np.uint64)
    for step in range(size):
        grams = mix(grams ^ codes[at + step])
    return CodeRows(grams, new)


def _permutations() -> tuple[Codes, Codes]:
    """Multipliers (odd) and offsets of the multiply-shift family (Dietzfelbinger et al. 1997), fixed for good."""
    seeds = mix(np.arange(2 * PERMUTATIONS, dtype=np.uint64))
    return seeds[:PERMUTATIONS] | np.uint64(1), seeds[PERMUTATIONS:]


def _minhash(shingles: CodeRows) -> NDArray[np.uint32]:
    """[N, PERMUTATIONS] the least value of each permutation over a row's shingles; all ones for an empty row."""
    found = np.full((len(shingles.starts) - 1, PERMUTATIONS), 0xFFFFFFFF, np.uint32)
    full = np.flatnonzero(shingles.lengths)
    for rows in np.array_split(full, len(full) // _LEADS + 1) if len(full) else ():
        codes = shingles.flat[shingles.starts[rows[0]] : shingles.starts[rows[-1] + 1]]
        begins, values = shingles.starts[rows] - shingles.starts[rows[0]], np.empty_like(codes)
        least = np.empty((PERMUTATIONS, len(rows)), np.uint64)
        for number, (factor, offset) in enumerate(zip(*_permutations(), strict=True)):
            np.add(np.multiply(codes, factor, out=values), offset, out=values)
            np.minimum.reduceat(values, begins, out=least[number])
        found[rows] = (least >> np.uint64(32)).T
    return found


# --------------------------------------------------------------------------- comparing


def hamming(a: Codes, b: Codes) -> Ints:
    """Number of differing bits, elementwise."""
    return np.bitwise_count(a ^ b).astype(np.int32) if hasattr(np, "bitwise_count") else _popcount(a ^ b)


def _popcount(codes: Codes) -> Ints:
    bits: Ints = np.unpackbits(codes.view(np.uint8).reshape(-1, 8), axis=1).sum(axis=1, dtype=np.int32)
    return bits


def agreement(lead: NDArray[np.uint32], a: Ints, b: Ints) -> Floats:
    """Estimated Jaccard similarity of the leads of rows a and b (standard error at most 0.063)."""
    shares: Floats = (lead[a] == lead[b]).mean(axis=1, dtype=np.float32)
    return shares
