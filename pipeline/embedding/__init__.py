"""Texts to vectors: the packaged models behind the Embedder protocol, and a fallback that needs no model."""

from pipeline.embedding.embedder import ModelEmbedder, open_embedder, text_of
from pipeline.embedding.models import MODELS

__all__ = ["MODELS", "ModelEmbedder", "open_embedder", "text_of"]
