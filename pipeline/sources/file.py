"""Files the analyst has: CSV, JSON or JSON lines with columns of the usual names, in English or Chinese.

The endpoint's address is a file:// one, which net reads for sources of this kind only.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pipeline import dates
from pipeline.errors import FetchError
from pipeline.sources import common, decode
from pipeline.text import host_of
from pipeline.types import Candidate, Endpoint, Malformed, Parsed, Plan, Request, Response, Subquery

_NAMES = {
    # field -> column names that mean it, compared in lower case without "_", "-" and spaces
    "id": ("id", "guid", "uid", "编号"),
    "title": ("title", "headline", "name", "subject", "标题", "题目"),
    "url": ("url", "link", "href", "weburl", "permalink", "链接", "网址", "地址"),
    "text": ("text", "summary", "description", "content", "body", "abstract", "lead", "摘要", "正文", "内容"),
    "date": (
        "date", "publishedat", "published", "pubdate", "publisheddate", "publicationdate", "datepublished", "createdat",
        "createdutc", "created", "time", "timestamp", "datetime", "seendate", "发布时间", "发布日期", "日期", "时间",
    ),
    "author": ("author", "byline", "creator", "username", "handle", "作者"),
    "publisher": ("publisher", "source", "outlet", "site", "media", "来源", "媒体"),
    "lang": ("lang", "language", "语言"),
}  # fmt: skip
_LISTS = ("items", "articles", "results", "data", "posts", "entries", "hits", "rows")
_MAX_CELL = 4_000_000
_TIMEOUT_S = (
    120.0  # no server is waited for: 20,000 items take 8 s of a free core, and a busy one is not the file's fault
)


class File:
    name = "file"
    label = "Files"
    kind: Literal["feed", "api", "page", "file"] = "file"
    searches = False
    noisy = False
    social = False
    needs_key = ""

    def endpoints(self, config: Any, plan: Plan) -> Sequence[Endpoint]:
        """One endpoint a path of settings.FileSource."""
        return tuple(
            Endpoint(
                source=self.name,
                name=Path(path).name,
                url=Path(path).expanduser().absolute().as_uri(),
                timeout_s=_TIMEOUT_S,
                named=True,
                timezone=plan.zone,
            )
            for path in config.paths
        )

    def requests(self, endpoint: Endpoint, subquery: Subquery, plan: Plan, limit: int) -> Sequence[Request]:
        return (Request(url=endpoint.url),)

    def parse(self, response: Response, endpoint: Endpoint, plan: Plan) -> Parsed:
        kept: list[Candidate] = []
        bad: list[Malformed] = []
        for nth, row in enumerate(_rows(response, endpoint.name), 1):
            read = _candidate(row, endpoint, nth) if isinstance(row, dict) else _unreadable(endpoint, nth)
            if isinstance(read, Candidate):
                kept.append(read)
            else:
                bad.append(read)
        return Parsed(candidates=common.distinct(kept), malformed=tuple(bad))


def _rows(response: Response, name: str) -> Iterator[Any]:
    """The file's rows: JSON by its first character, else CSV by its separator. A bad line of JSONL yields None."""
    text = decode.to_text(response.body).strip()
    if not text:
        return
    if text[0] not in "[{":
        yield from _csv(text, name)
        return
    lines = [line for line in text.splitlines() if line.strip()]
    if text[0] == "{" and len(lines) > 1 and all(line.lstrip().startswith("{") for line in lines[:3]):
        yield from (_line(line) for line in lines)
        return
    yield from _list(decode.to_json(response.body, cut=response.incomplete), name)


def _csv(text: str, name: str) -> Iterator[Mapping[str, Any]]:
    head = text.partition("\n")[0]
    separator = max(",;\t|", key=head.count)
    if not {_flat(column) for column in head.split(separator)} & {n for names in _NAMES.values() for n in names}:
        raise FetchError(f"{name}: no column is called title, url, text or date", status="bad response")
    csv.field_size_limit(_MAX_CELL)
    yield from csv.DictReader(io.StringIO(text), delimiter=separator)


def _line(line: str) -> Any:
    try:
        return decode.to_json(line.encode())
    except FetchError:
        return None


def _list(data: Any, name: str) -> list[Any]:
    if isinstance(data, list):
        return data
    found = next((data[key] for key in _LISTS if isinstance(data.get(key), list)), None)
    if found is None and not _fields(data):
        raise FetchError(f"{name}: no list of items in this JSON", status="bad response")
    return [data] if found is None else found


def _flat(column: str) -> str:
    return column.strip().strip('"').lower().replace("_", "").replace("-", "").replace(" ", "")


def _fields(row: Mapping[str, Any]) -> dict[str, str]:
    flat = {_flat(str(key)): value for key, value in row.items() if key is not None}
    found = {}
    for field, names in _NAMES.items():
        value = next((common.string(flat[name]) for name in names if flat.get(name) not in (None, "")), "")
        if value:
            found[field] = value
    return found


def _candidate(row: Mapping[str, Any], endpoint: Endpoint, nth: int) -> Candidate | Malformed:
    read = _fields(row)
    url = common.clean_url(read.get("url"))
    text = common.text_of(read.get("text", ""))
    title = common.title_or_lead(common.title_of(read.get("title", "")), text)
    if not title:
        return _unreadable(endpoint, nth)
    claim = dates.parse_date(read["date"], zone=endpoint.timezone, kind="given") if "date" in read else None
    own = (read.get("id", ""), url) if read.get("id") or url else (title, read.get("date", ""))
    return Candidate(
        id=f"file:{common.digest(endpoint.name, *own)}",
        source="file",
        endpoint=endpoint.name,
        url=url,
        domain=host_of(url),
        title=title,
        text=text,
        author=read.get("author", "")[:120],
        publisher=common.publisher_of(url, read.get("publisher", "")) if url else read.get("publisher", ""),
        lang=common.lang_of(f"{title} {text[:120]}", read.get("lang", "")),
        dates=dates.choose((claim, dates.url_date(url))),
        engagement=common.counts(row, ("points", "points"), ("likes", "likes"), ("comments", "comments")),
    )


def _unreadable(endpoint: Endpoint, nth: int) -> Malformed:
    ident = f"file:{common.digest(endpoint.name, str(nth))}"
    return Malformed(id=ident, title="", url="", reason=f"row {nth} holds neither a title nor a text")
