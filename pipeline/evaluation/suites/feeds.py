"""Reading what sources send: feeds, API answers, listing pages. The folder's content decides which.

Feeds (feeds.jsonl): every entry the reference parser finds must be a candidate or a malformed entry with its reason.
API answers (payloads.jsonl): every row of a list that an adapter of ours reads; block pages must be failures.
Listing pages (pages.jsonl with selectors): the expected number of items, and the first and last ones by title and link.

Metrics: `files`, `exceptions` (other than the expected failure), `items`, `items_ref`, `dated`, `dated_ref` over all
files; `lost`: entries of the reference missing, summed per file; `refused`, `refused_ref`: block pages; `expected`,
`expected_found`: named entries.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pipeline.errors import FetchError, InputError
from pipeline.evaluation.rows import Measured, content, json_rows
from pipeline.sources import SOURCES
from pipeline.types import Candidate, Endpoint, Parsed, Plan, Question, Response, Subquery, Window

TASK = "feeds"
_NOW = datetime(2026, 9, 1, tzinfo=UTC)
_SOURCES = {source.name: source for source in SOURCES}
_KINDS = {
    # words in a payload's kind -> (our adapter, where the rows are)
    "hacker news algolia": ("hackernews", ("hits",)),
    "gdelt doc": ("gdelt", ("articles",)),
    "reddit listing": ("search", ("data", "children")),
}
_BLOCKED = ("anti-bot", "block")


def run(folder: Path, *, limit: int | None = None) -> Measured:
    """Read the folder's files (the first `limit`). Raises InputError for another folder."""
    if (folder / "feeds.jsonl").is_file():
        counted = [_feed(folder, row) for row in json_rows(folder / "feeds.jsonl")[:limit]]
    elif (folder / "payloads.jsonl").is_file():
        counted = [found for row in json_rows(folder / "payloads.jsonl")[:limit] for found in _payload(folder, row)]
    elif (folder / "pages.jsonl").is_file():
        counted = [_page(folder, row) for row in json_rows(folder / "pages.jsonl")[:limit]]
    else:
        raise InputError(f"{folder} holds no feeds.jsonl, payloads.jsonl or pages.jsonl")
    total: Counter[str] = Counter()
    for found in counted:
        total.update({"files": 1, **found})
    names = ("files", "exceptions", "items", "items_ref", "lost", "dated", "dated_ref", "refused", "refused_ref",
             "expected", "expected_found")  # fmt: skip
    metrics: dict[str, float] = {
        name: total[name] for name in names if name in total or not name.startswith(("expected", "refused"))
    }
    return Measured(total["files"], metrics)


def _feed(folder: Path, row: Mapping[str, Any]) -> dict[str, int]:
    body = content(folder / row["file"])
    reference = row.get("ref_entries")
    items = row.get("items_raw", 0) if reference is None else reference  # formats the reference does not read
    return _counted(_read("rss", body, "https://feeds.example/feed"), items, row.get("ref_dated") or 0)


def _payload(folder: Path, row: Mapping[str, Any]) -> Iterator[dict[str, int]]:
    kind = row["kind"].lower()
    if any(word in kind for word in _BLOCKED):
        answers = [_read(name, content(folder / row["file"]), "https://api.example/") for name in _searching()]
        refused = sum(isinstance(answer, FetchError) and answer.status == "bad response" for answer in answers)
        broken = sum(isinstance(answer, Exception) and not isinstance(answer, FetchError) for answer in answers)
        yield {"refused": refused, "refused_ref": len(answers), "exceptions": broken}
    for word, (name, path) in _KINDS.items():
        if word in kind:
            body = content(folder / row["file"])
            held = _held(body, path)
            yield _counted(_read(name, body, "https://api.example/"), held, held)


def _held(body: bytes, path: Sequence[str]) -> int:
    """How many rows an answer holds, by its own structure; none where the structure is another."""
    data: Any = json.loads(body)
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return len(data) if isinstance(data, list) else 0


def _searching() -> Iterator[str]:
    return (name for name, source in _SOURCES.items() if source.kind in ("feed", "api"))


def _page(folder: Path, row: Mapping[str, Any]) -> dict[str, int]:
    selectors = {name: row["selectors"].get(name) or "" for name in ("item", "title", "link", "date", "text")}
    answer = _read("custom", content(folder / row["file"]), row["url"], {"selectors": selectors})
    wanted = [*row["expected_first"], *row["expected_last"]]
    counts = _counted(answer, row["expected_count"], sum(bool(item.get("date")) for item in wanted))
    kept = answer.candidates if isinstance(answer, Parsed) else ()
    ends = [*kept[: len(row["expected_first"])], *kept[len(kept) - len(row["expected_last"]) :]]
    found = sum(_is(item, candidate) for item, candidate in zip(wanted, ends, strict=False))
    return counts | {"expected": len(wanted), "expected_found": found}


def _is(item: Mapping[str, Any], candidate: Candidate) -> bool:
    return (candidate.title, candidate.url) == (item["title"], item["url"])


def _read(source: str, body: bytes, url: str, options: Mapping[str, Any] | None = None) -> Parsed | Exception:
    endpoint = Endpoint(source=source, name=source, url=url, timeout_s=0, options=options or {})
    response = Response(url=url, status=200, headers={}, body=body)
    try:
        return _SOURCES[source].parse(response, endpoint, _PLAN)
    except Exception as error:  # noqa: BLE001 - counting what is raised is the measurement
        return error


def _counted(answer: Parsed | Exception, items_ref: int, dated_ref: int) -> dict[str, int]:
    if isinstance(answer, Exception):
        # a file without a single entry may be refused as no feed; anything else raised is an exception
        fault = 0 if isinstance(answer, FetchError) and not items_ref else 1
        return {"exceptions": fault, "items_ref": items_ref, "dated_ref": dated_ref, "lost": items_ref}
    items = len(answer.candidates) + len(answer.malformed)
    dated = sum(candidate.published_at is not None for candidate in answer.candidates)
    lost = max(0, items_ref - items)
    return {"items": items, "items_ref": items_ref, "lost": lost, "dated": dated, "dated_ref": dated_ref}


_PLAN = Plan(
    question=Question(text="feeds"),
    text="feeds",
    now=_NOW,
    language="en",
    zone="UTC",
    window=Window(since=_NOW - timedelta(days=30), until=_NOW, how="default", evidence="", ends_now=True),
    route="recent",
    stability="unsure",
    reasons=(),
    signals=(),
    raw_topic="feeds",
    core_subject="feeds",
    ranking_query="feeds",
    subqueries=(Subquery(label="", raw_topic="feeds", search_query="feeds", ranking_query="feeds"),),
)
"""Parsing looks at no more of a plan than its clock."""
