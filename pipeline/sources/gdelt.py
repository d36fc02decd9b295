"""GDELT DOC 2.0 article list: world news in 65 languages, titles only.

API: GET <base_url>/api/v2/doc/doc?mode=artlist&format=json with query, startdatetime, enddatetime, maxrecords
(at most 250), sort. Its `seendate` is when GDELT first saw the article, not when it was published, so it has a lower
reliability; there is no lead. Errors come as plain text with status 200. Titles are tokenised ("cuts , workers").
A 429, or the text "Please limit requests", comes on a first request too: its own load shedding, not our pace.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from pipeline import dates
from pipeline.errors import FetchError
from pipeline.sources import apis, common, decode
from pipeline.sources.blockpages import describe, page_instead
from pipeline.text import host_of
from pipeline.types import Candidate, Endpoint, Parsed, Plan, Request, Response, Subquery

SEEN_RELIABILITY = 0.6
_PATH = "/api/v2/doc/doc"
_MOST = 250
_PAUSE_S = 5.0
"""Seconds between requests that its own answer asks for."""
_SHORTEST = 3
"""Characters of the shortest search word it takes; shorter ones make it refuse the whole query."""
_BEFORE = re.compile(r"\s+([,.;:!?%)\]}»”’…])")
_AFTER = re.compile(r"([(\[{«“‘$€£#])\s+")
_APOSTROPHE = re.compile(r"(\w)\s+(['’])\s*(s|t|re|ve|ll|d|m)\b", re.IGNORECASE)
_QUOTED = re.compile(r"(^|\s)([\"'])\s+(.+?)\s+\2(?=\s|$|[,.;:!?])")
_HYPHEN = re.compile(r"(?<=\w) - (?=\w)")
_INITIALS = re.compile(r"\b([A-Z]\.)\s+(?=[A-Z]\.)")
_HOST = re.compile(r"(?<=\w)\.\s+(com|org|net|io|gov)\b")
_FIGURE = re.compile(r"(?<=\d)\s+([,.])\s+(?=\d)")
_LANGUAGES = {
    "english": "en", "chinese": "zh", "french": "fr", "spanish": "es", "german": "de", "italian": "it",
    "portuguese": "pt", "russian": "ru", "japanese": "ja", "korean": "ko", "arabic": "ar", "turkish": "tr",
    "dutch": "nl", "polish": "pl", "ukrainian": "uk", "persian": "fa", "hindi": "hi", "indonesian": "id",
    "vietnamese": "vi", "greek": "el", "swedish": "sv", "norwegian": "no", "danish": "da", "finnish": "fi",
    "czech": "cs", "hungarian": "hu", "romanian": "ro", "bulgarian": "bg", "croatian": "hr", "serbian": "sr",
    "hebrew": "he", "thai": "th",
}  # fmt: skip


class Gdelt:
    name = "gdelt"
    label = "GDELT"
    kind: Literal["feed", "api", "page", "file"] = "api"
    searches = True
    noisy = False
    social = False
    needs_key = ""

    def endpoints(self, config: Any, plan: Plan) -> Sequence[Endpoint]:
        return (apis.endpoint(self.name, config, _PATH),) if config.enabled else ()

    def requests(self, endpoint: Endpoint, subquery: Subquery, plan: Plan, limit: int) -> Sequence[Request]:
        edited = common.edited_query(self.name, endpoint.name, plan)
        query = edited or _acceptable(common.sent_text(self.name, endpoint.name, subquery, plan))
        params = (
            ("query", query),
            ("mode", "artlist"),
            ("format", "json"),
            ("sort", "datedesc"),
            ("maxrecords", apis.size(endpoint, limit, _MOST)),
            ("startdatetime", _moment(plan.window.since)),
            ("enddatetime", _moment(plan.window.until)),
        )
        return (Request(url=endpoint.url, params=params, query=query),)

    def parse(self, response: Response, endpoint: Endpoint, plan: Plan) -> Parsed:
        text = decode.to_text(response.body, common.content_type(response)).strip()
        if not text:
            return Parsed()
        if text[0] != "{":
            said = page_instead(text) if text[0] == "<" else f"GDELT says: {describe(text)}"
            raise self.explain(FetchError(said, status="bad response"))
        data = common.json_of(response)
        if not data:
            return Parsed()  # no match is an empty object
        rows = common.rows(data.get("articles"), "articles")
        return Parsed(candidates=common.distinct([_candidate(row, endpoint) for row in rows]))

    def explain(self, error: FetchError) -> FetchError:
        """A refusal for its load said as what it is, with when to ask again; any other failure unchanged."""
        said = str(error)
        if "answered 429" not in said and "limit requests" not in said.lower():
            return error
        wait = max(error.retry_after or 0.0, _PAUSE_S)
        return FetchError(
            f"GDELT is shedding load, which it does at a first request too (no limit of yours is used up): "
            f"ask again in {wait:g} s, and in some minutes if it goes on",
            status="rate limited",
            retry_after=wait,
        )


def _acceptable(query: str) -> str:
    """Words GDELT refuses for their length are left out, unless less than two others would carry the topic."""
    words = query.split()
    kept = [word for word in words if len(word) >= _SHORTEST or not word.isascii()]
    return " ".join(kept if len(kept) > 1 else words)


def _moment(at: datetime) -> str:
    return f"{at:%Y%m%d%H%M%S}"


def _candidate(row: Mapping[str, Any], endpoint: Endpoint) -> Candidate:
    url = common.clean_url(row.get("url"))
    title = untokenised(common.title_of(common.string(row.get("title"))))
    seen = dates.parse_date(common.string(row.get("seendate")), kind="first seen", reliability=SEEN_RELIABILITY)
    return Candidate(
        id=f"gdelt:{common.digest(url or title)}",
        source="gdelt",
        endpoint=endpoint.name,
        url=url,
        domain=host_of(url) or common.string(row.get("domain")).lower().removeprefix("www."),
        title=title,
        text="",
        lang=common.lang_of(title, _LANGUAGES.get(common.string(row.get("language")).lower(), "")),
        dates=dates.choose((seen, dates.url_date(url))),
    )


def untokenised(title: str) -> str:
    """GDELT's spaces around punctuation taken back: "cost - cutting , 1 , 000 jobs" -> "cost-cutting, 1,000 jobs".

    A spaced hyphen between words is ambiguous; it is joined when both sides are lower-case words or digits, because a
    title's own dash stands before a capital.
    """
    title = _FIGURE.sub(r"\1", title)
    title = _HOST.sub(r".\1", _INITIALS.sub(r"\1", _BEFORE.sub(r"\1", title)))
    title = _QUOTED.sub(r"\1\2\3\2", title)
    title = _APOSTROPHE.sub(r"\1\2\3", title)
    title = _AFTER.sub(r"\1", title)
    return _HYPHEN.sub(lambda found: _dash(title, found), title).strip()


def _dash(title: str, found: re.Match[str]) -> str:
    after = title[found.end() : found.end() + 1]
    return "-" if after.islower() or after.isdigit() else " - "
