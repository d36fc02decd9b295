"""What posts and query mean: vectors for context mode, without what all posts have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pipeline.errors import ModelError
from pipeline.text import lexicon
from pipeline.xlane.posts import columns

if TYPE_CHECKING:
    from pipeline.types import Embedder, Floats


def vectors_for(
    items: Sequence[Any], query: str, embedder: Embedder | None, notes: list[str], *, posts: bool = True
) -> Floats | None:
    """[N + 1, d] vectors of the items and, last, the query; None (with a note) where no model can be used.

    Posts are written unlike the headlines that models are centred by: what all posts have in common is taken out too
    (`posts=False` for sources of headlines), so that unrelated texts lie near 0 whatever their kind.
    """
    if embedder is None or not items:
        return None
    from pipeline.text import language

    texts = [*columns(items).texts, query]
    langs = [getattr(item, "lang", "") or language(text) for item, text in zip([*items, None], texts, strict=True)]
    try:
        vectors = embedder.encode(texts, langs)
        return _without_style(vectors, langs, embedder) if posts else vectors
    except ModelError as error:
        note = f"the embedding model could not be used ({error}); posts were judged by their words"
        if note not in notes:
            notes.append(note)
        return None


def _without_style(vectors: Floats, langs: Sequence[str], embedder: Embedder) -> Floats:
    import numpy as np

    style = np.stack([_style(embedder, "zh" if lang == "zh" else "en") for lang in langs])
    moved = vectors - style
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    empty = np.linalg.norm(vectors, axis=1, keepdims=True) == 0
    found: Floats = np.where(empty, 0.0, moved / np.maximum(lengths, 1e-9)).astype(np.float32)
    return found


def _style(embedder: Embedder, lang: str) -> Floats:
    """[d] mean vector of neutral posts of a language (config/lexicon, `neutral_posts`), kept for each model."""
    kept = _STYLES.get((embedder.name, lang))
    if kept is None:
        neutral = [str(text) for text in lexicon(lang).get("neutral_posts", ())]
        kept = _STYLES[embedder.name, lang] = embedder.encode(neutral, [lang] * len(neutral)).mean(axis=0)
    return kept


_STYLES: dict[tuple[str, str], Floats] = {}
"""A pure function of model and word list, so it may be kept; at most a few vectors."""
