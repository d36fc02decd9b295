"""Text from outside, made harmless for the place where it is shown.

`text` for HTML, `md` for labels and captions that Streamlit reads as Markdown, `link` for addresses.
A headline can't bring a tag, an emphasis, a formula, an icon, a colour or a link of its own.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_SPACE = re.compile(r"\s+")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")
ACRONYM = 5  # letters of a word in capitals that is marked only as it is written
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")


def clean(raw: str) -> str:
    """One line without control characters and without marks that turn the direction of what follows."""
    return _SPACE.sub(" ", _CONTROL.sub("", raw)).strip()


def text(raw: object) -> str:
    """For st.html: characters only, never markup."""
    return html.escape(clean(str(raw)), quote=True)


def md(raw: object) -> str:
    """For labels, captions, toasts: every character that Markdown could read as more than itself is escaped."""
    return _MARKDOWN.sub(r"\\\1", clean(str(raw)))


def plot(raw: object) -> str:
    """For Plotly's labels and hover texts, which read a few tags and entities."""
    return html.escape(clean(str(raw)), quote=False)


def cut(raw: str, width: int) -> str:
    """At most `width` columns, Chinese characters counting two, with an ellipsis where it was cut."""
    plain, used = clean(raw), 0
    for at, char in enumerate(plain):
        used += 2 if _HAN.match(char) else 1
        if used > width:
            return plain[:at].rstrip() + "…"
    return plain


def link(url: str) -> str:
    """The address when it is http or https with a host, else ""; not yet escaped for an attribute."""
    try:
        parts = urlsplit(_CONTROL.sub("", url).strip())
    except ValueError:
        return ""
    return parts.geturl() if parts.scheme in ("http", "https") and parts.hostname else ""


def anchor(url: str, inner: str, css: str = "") -> str:
    """A link that opens outside, `inner` being safe HTML; only `inner` when the address can't be used."""
    target = link(url)
    if not target:
        return inner
    return (
        f'<a class="{css}" href="{html.escape(target, quote=True)}" target="_blank" '
        f'rel="noopener noreferrer nofollow">{inner}</a>'
    )


def marked(raw: str, words: Iterable[str]) -> str:
    """Safe HTML of `raw` with the given words marked: whole words, or any place for Chinese; US is not "us"."""
    plain = clean(raw)
    patterns = sorted({_word(word) for word in words if word.strip()}, key=len, reverse=True)
    if not patterns:
        return html.escape(plain, quote=True)
    pieces = re.split(f"({'|'.join(patterns)})", plain, flags=re.IGNORECASE)
    return "".join(
        f"<mark>{html.escape(piece, quote=True)}</mark>" if at % 2 else html.escape(piece, quote=True)
        for at, piece in enumerate(pieces)
    )


def _word(word: str) -> str:
    plain = re.escape(clean(word))
    if word.isupper() and len(word) <= ACRONYM:
        plain = f"(?-i:{plain})"
    if _HAN.search(word):
        return plain
    stem = re.sub(r"(?<=\w{3}[^s])s$", "", plain)  # of agents also agent
    return rf"\b{stem}(?:e?s)?\b"
