"""The Guardian's content API: GET <base_url>/search with q, from-date, to-date, page-size (at most 200)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pipeline.errors import FetchError
from pipeline.sources import apis, common
from pipeline.sources.entries import passages
from pipeline.text import host_of
from pipeline.types import Candidate, Endpoint, Parsed, Plan, Request, Response, Subquery

_MOST = 200


class Guardian:
    name = "guardian"
    label = "The Guardian"
    kind: Literal["feed", "api", "page", "file"] = "api"
    searches = True
    noisy = False
    social = False
    needs_key = "GUARDIAN_API_KEY"

    def endpoints(self, config: Any, plan: Plan) -> Sequence[Endpoint]:
        return (apis.endpoint(self.name, config, "/search", needs_key=self.needs_key),) if config.enabled else ()

    def requests(self, endpoint: Endpoint, subquery: Subquery, plan: Plan, limit: int) -> Sequence[Request]:
        query = common.sent_text(self.name, endpoint.name, subquery, plan)
        params = (
            ("q", " AND ".join(query.split())),  # a plain list of words would match any one of them
            ("from-date", f"{plan.window.since:%Y-%m-%d}"),
            ("to-date", f"{plan.window.until:%Y-%m-%d}"),
            ("order-by", "newest"),
            ("show-fields", "trailText,byline,body"),
            ("page-size", apis.size(endpoint, limit, _MOST)),
        )
        return (Request(url=endpoint.url, params=params, query=query, secret_header=("api-key", "")),)

    def parse(self, response: Response, endpoint: Endpoint, plan: Plan) -> Parsed:
        data = common.json_of(response)
        answer = data.get("response") if isinstance(data, dict) else None
        if not isinstance(answer, dict) or answer.get("status") == "error":
            says = common.string(answer.get("message"))[:160] if isinstance(answer, dict) else ""
            raise FetchError(f"the Guardian says: {says or 'nothing of use'}", status="bad response")
        rows = common.rows(answer.get("results"), "results")
        return Parsed(candidates=common.distinct([_candidate(row, endpoint) for row in rows]))


def _candidate(row: Mapping[str, Any], endpoint: Endpoint) -> Candidate:
    found = row.get("fields")
    fields = found if isinstance(found, dict) else row
    url = common.clean_url(row.get("webUrl"))
    body = common.string(fields.get("body"))
    text = common.text_of(common.string(fields.get("trailText"))) or common.text_of(body)
    number = common.string(row.get("id")) or url
    return Candidate(
        id=f"guardian:{common.digest(number)}",
        source="guardian",
        endpoint=endpoint.name,
        url=url,
        domain=host_of(url),
        title=common.title_or_lead(common.title_of(common.string(row.get("webTitle"))), text),
        text=text,
        author=common.string(fields.get("byline"))[:120],
        lang="en",
        dates=apis.dated(row.get("webPublicationDate"), url, text),
        passages=passages(body),
    )
