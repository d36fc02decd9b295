"""Texts to vectors: the packaged models behind the Embedder protocol."""
