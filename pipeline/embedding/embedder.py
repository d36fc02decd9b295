"""A packaged model as an Embedder: vectors centred per language and kept by content.

The mean vector of neutral headlines in the text's language is subtracted and the length restored to 1. Uncentred vectors
put two unrelated texts of one language above a text and its translation; centred, unrelated pairs lie near 0 in every
language and one threshold serves all. The means ship with the product (config/embedding/means.npz), so that a vector
never depends on the pool it was computed in.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from pipeline.embedding.models import MODELS, RawModel
from pipeline.errors import ModelError
from pipeline.settings import bundled
from pipeline.text import simplified
from pipeline.types import Candidate, Embedder, VectorCache

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pipeline.settings import Settings
    from pipeline.types import Floats

MAX_CHARS = 1000  # characters of a text that are read; the models cut at a few hundred word pieces anyway
_SPACE = re.compile(r"\s+")


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

        texts = [simplified(_SPACE.sub(" ", text).strip())[:MAX_CHARS] for text in texts]
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
    try:
        return ModelEmbedder(name, MODELS[name](), cache), ()
    except ModelError as error:
        warning = f"{error}; comparing spelling only until it is installed: paraphrases and translations are missed"
        return ModelEmbedder("hashed", MODELS["hashed"](), cache), (warning,)


def text_of(candidate: Candidate, text_chars: int) -> str:
    """What of a candidate is embedded: its title and the first `text_chars` characters of its text, at a word's end."""
    lead = candidate.text[:text_chars]
    if len(candidate.text) > text_chars and " " in lead and candidate.text[text_chars] != " ":
        lead = lead.rsplit(" ", 1)[0]
    return f"{candidate.title}. {lead}" if candidate.title and lead else candidate.title or candidate.text[:200]


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
