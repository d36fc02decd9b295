"""A file as a backend: it holds one corpus, so there is nothing to ask again; lanes are read from the same file."""

from __future__ import annotations

import re
from pathlib import Path

from pipeline.types import Candidate
from pipeline.xlane.backends.base import Backend, Found
from pipeline.xlane.coverage import holds_all
from pipeline.xlane.importer import Imported, read_posts
from pipeline.xlane.posts import handle_key
from pipeline.xlane.query import terms
from pipeline.xlane.read_names import as_read

_FROM = re.compile(r"from:(\w+)", re.IGNORECASE)
_OPERATOR = re.compile(r"\(?(?<!\w)-?\w+:\S+|\bOR\b")
_PHRASE = re.compile(r'"([^"]+)"')


class ImportedPosts(Backend):
    name = "import"
    label = "imported file"
    asks = False

    def __init__(self, path: Path, acronyms: tuple[str, ...] = ()) -> None:
        self._path = path
        self._acronyms = acronyms
        self._read: Imported | None = None

    async def search(self, query: str, limit: int, *, deadline: float) -> Found:
        """The posts of the file that a query asks for; "" asks for all of them. Raises InputError."""
        held = self._read = self._read or read_posts(self._path)
        taken = [post for post in held.candidates if self._asked_for(post, query)]
        return Found(
            candidates=tuple(taken[:limit]) if query else tuple(taken), malformed=() if query else held.malformed
        )

    def _asked_for(self, post: Candidate, query: str) -> bool:
        handles = {handle_key(handle) for handle in _FROM.findall(query)}
        if handles and handle_key(post.author) not in handles:
            return False
        phrases = [phrase.lower() for phrase in _PHRASE.findall(query)]
        if any(phrase not in post.text.lower() for phrase in phrases):
            return False
        rest = _OPERATOR.sub(" ", _PHRASE.sub(" ", query)).strip()
        return holds_all(post.text, as_read(terms(rest, self._acronyms), rest, (post.text,)))
