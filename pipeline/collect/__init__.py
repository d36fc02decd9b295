"""Plan -> candidates: whom to ask, all at once, each with its own deadline, and nothing lost on the way."""

from pipeline.collect.gather import gather
from pipeline.collect.opml import fetch_opml

__all__ = ["fetch_opml", "gather"]
