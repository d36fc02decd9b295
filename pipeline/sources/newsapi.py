"""NewsAPI: GET <base_url>/v2/everything with q (at most 500 characters), from, to, sortBy, pageSize (at most 100)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pipeline.errors import FetchError, Status
from pipeline.sources import apis, common
from pipeline.text import host_of
from pipeline.types import Candidate, Endpoint, Parsed, Plan, Request, Response, Subquery

_MOST = 100
_QUERY_CHARS = 500
_CODES: dict[str, Status] = {
    "apiKeyDisabled": "unauthorised",
    "apiKeyInvalid": "unauthorised",
    "apiKeyMissing": "not configured",
    "apiKeyExhausted": "rate limited",
    "rateLimited": "rate limited",
}
_REMOVED = "[Removed]"


class NewsApi:
    name = "newsapi"
    label = "NewsAPI"
    kind: Literal["feed", "api", "page", "file"] = "api"
    searches = True
    noisy = False
    social = False
    needs_key = "NEWSAPI_KEY"

    def endpoints(self, config: Any, plan: Plan) -> Sequence[Endpoint]:
        return (apis.endpoint(self.name, config, "/v2/everything", needs_key=self.needs_key),) if config.enabled else ()

    def requests(self, endpoint: Endpoint, subquery: Subquery, plan: Plan, limit: int) -> Sequence[Request]:
        query = common.sent_text(self.name, endpoint.name, subquery, plan)[:_QUERY_CHARS]
        params = (
            ("q", query),
            ("from", f"{plan.window.since:%Y-%m-%dT%H:%M:%S}"),
            ("to", f"{plan.window.until:%Y-%m-%dT%H:%M:%S}"),
            ("sortBy", "publishedAt"),
            ("pageSize", apis.size(endpoint, limit, _MOST)),
        )
        return (Request(url=endpoint.url, params=params, query=query, secret_header=("X-Api-Key", "")),)

    def parse(self, response: Response, endpoint: Endpoint, plan: Plan) -> Parsed:
        data = common.json_of(response)
        if isinstance(data, dict) and data.get("status") == "error":
            code = common.string(data.get("code"))
            says = common.string(data.get("message"))[:160]
            raise FetchError(f"NewsAPI says: {code} {says}", status=_CODES.get(code, "bad response"))
        rows = common.rows(data.get("articles") if isinstance(data, dict) else None, "articles")
        kept = (row for row in rows if row.get("title") != _REMOVED)  # a withdrawn article keeps its place only
        return Parsed(candidates=common.distinct([_candidate(row, endpoint) for row in kept]))


def _candidate(row: Mapping[str, Any], endpoint: Endpoint) -> Candidate:
    url = common.clean_url(row.get("url"))
    outlet = row.get("source")
    name = common.string(outlet.get("name")) if isinstance(outlet, dict) else ""
    text = common.text_of(common.string(row.get("description")) or common.string(row.get("content")))
    title = common.title_or_lead(common.title_of(common.string(row.get("title"))), text)
    return Candidate(
        id=f"newsapi:{common.digest(url or title)}",
        source="newsapi",
        endpoint=endpoint.name,
        url=url,
        domain=host_of(url),
        title=title.removesuffix(f" - {name}") if name else title,
        text=text,
        author=common.string(row.get("author"))[:120],
        publisher=common.publisher_of(url, name),
        lang=common.lang_of(f"{title} {text[:120]}"),
        dates=apis.dated(row.get("publishedAt"), url, f"{title}. {text}"),
    )
