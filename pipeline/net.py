"""The network seam: the only importer of httpx."""
