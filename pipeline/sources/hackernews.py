"""Hacker News through Algolia's search: stories and comments by date, and a thread's comments on demand.

API: GET <base_url>/api/v1/search_by_date with query, tags, numericFilters, hitsPerPage (at most 1000).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from pipeline import dates
from pipeline.sources import apis, common
from pipeline.sources.entries import passages
from pipeline.text import host_of
from pipeline.types import (
    Candidate,
    DateLedger,
    Endpoint,
    Malformed,
    Parsed,
    Passage,
    Plan,
    Request,
    Response,
    Subquery,
)

_PATH = "/api/v1/search_by_date"
_ITEM = "https://news.ycombinator.com/item?id="
_MOST = 1000
_COMMENT_SHARE = 4
"""Comments asked for: one to four stories; most of a search's comments are asides."""


class HackerNews:
    name = "hackernews"
    label = "Hacker News"
    kind: Literal["feed", "api", "page", "file"] = "api"
    searches = True
    noisy = False
    social = False
    needs_key = ""

    def endpoints(self, config: Any, plan: Plan) -> Sequence[Endpoint]:
        return (apis.endpoint(self.name, config, _PATH),) if config.enabled else ()

    def requests(self, endpoint: Endpoint, subquery: Subquery, plan: Plan, limit: int) -> Sequence[Request]:
        query = common.sent_text(self.name, endpoint.name, subquery, plan)
        window = plan.window
        span = f"created_at_i>={common.unix(window.since)},created_at_i<{common.unix(window.until)}"
        stories = int(apis.size(endpoint, limit, _MOST))
        wanted = (("story", stories), ("comment", max(1, stories // _COMMENT_SHARE)))
        return tuple(
            Request(
                url=endpoint.url,
                params=(("query", query), ("tags", tag), ("numericFilters", span), ("hitsPerPage", str(count))),
                query=query,
            )
            for tag, count in wanted
        )

    def parse(self, response: Response, endpoint: Endpoint, plan: Plan) -> Parsed:
        data = common.json_of(response)
        hits = common.rows(data.get("hits") if isinstance(data, dict) else None, "hits")
        read = [_candidate(hit, endpoint) for hit in hits]
        return Parsed(
            candidates=common.distinct([item for item in read if isinstance(item, Candidate)]),
            malformed=tuple(item for item in read if isinstance(item, Malformed)),
        )


def _candidate(hit: Mapping[str, Any], endpoint: Endpoint) -> Candidate | Malformed:
    number = common.string(hit.get("objectID")) or common.string(hit.get("story_id"))
    comment = common.string(hit.get("comment_text"))
    markup = comment or common.string(hit.get("story_text"))
    story = common.title_of(common.string(hit.get("title")) or common.string(hit.get("story_title")))
    if not number or not (story or markup):
        return Malformed(id=f"hackernews:{number or 'unknown'}", title=story, url="", reason="a hit without id or text")
    thread = _ITEM + number
    url = "" if comment else common.clean_url(hit.get("url"))
    text = common.text_escaped_once(markup)
    return Candidate(
        id=f"hackernews:{number}",
        source="hackernews",
        endpoint=endpoint.name,
        url=url or thread,
        domain=host_of(url or thread),
        title=f"Comment on: {story}" if comment else common.title_or_lead(story, text),
        text=text,
        author="" if url else common.string(hit.get("author")),  # who submits a link did not write the page
        lang=common.lang_of(f"{story} {text[:120]}", "en"),
        kind="post" if comment else "article" if url else "thread",
        dates=_ledger(hit, url),
        passages=passages(markup),
        engagement=common.counts(hit, ("points", "points"), ("num_comments", "comments")),
    )


def _ledger(hit: Mapping[str, Any], url: str) -> DateLedger:
    """When it was submitted; the linked page's address may tell of an older day, which the ledger then notes."""
    submitted = dates.parse_date(common.string(hit.get("created_at_i")), kind="api") or dates.parse_date(
        common.string(hit.get("created_at")), kind="api"
    )
    if submitted and url:
        submitted = replace(submitted, reliability=0.8)  # a link may be submitted long after it was published
    return dates.choose((submitted, dates.url_date(url) if url else None))


def thread_request(endpoint: Endpoint, candidate_id: str, limit: int = 100) -> Request:
    """The comments of one story, best first; `candidate_id` is a candidate's id ("hackernews:<number>")."""
    number = candidate_id.partition(":")[2]
    return Request(
        url=endpoint.url.removesuffix("_by_date"),
        params=(("tags", f"comment,story_{number}"), ("hitsPerPage", str(min(limit, _MOST)))),
    )


def thread_passages(response: Response) -> tuple[Passage, ...]:
    """The comments in an answer to `thread_request`, in the answer's order; empty ones are left out."""
    data = common.json_of(response)
    found = []
    for hit in common.rows(data.get("hits") if isinstance(data, dict) else None, "hits"):
        if text := common.text_escaped_once(common.string(hit.get("comment_text"))):
            claim = dates.parse_date(common.string(hit.get("created_at")), kind="api")
            found.append(
                Passage(
                    id=f"c{common.string(hit.get('objectID'))}",
                    text=text,
                    at=claim.at if claim else None,
                    author=common.string(hit.get("author")),
                )
            )
    return tuple(found)
