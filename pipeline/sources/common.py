"""What every source needs: addresses, ids, what is sent, languages, publishers. Pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

from pipeline.errors import FetchError
from pipeline.sources import decode
from pipeline.text import HAN, host_of, language, plain
from pipeline.types import Candidate, Endpoint, Plan, Response, Subquery

KIND_TIMEOUT_S = 0.0
"""An endpoint's timeout that means "the default of its source's kind" (settings.pipeline.collect)."""
TEXT_CHARS = 1_500
"""Characters of a lead or summary that are kept."""
TITLE_CHARS = 300
MARKUP_CHARS = 20_000
"""Characters of an entry's markup that are looked at."""

PLATFORMS = (
    # hosts whose items belong to an account, not to the host
    "mp.weixin.qq.com", "news.google.com", "reddit.com", "youtube.com", "youtu.be", "github.com", "medium.com",
    "substack.com", "wordpress.com", "blogspot.com", "tumblr.com", "bsky.app", "x.com", "twitter.com", "weibo.com",
    "zhihu.com", "toutiao.com", "baijiahao.baidu.com", "sohu.com", "163.com", "archive.is", "archive.ph",
    "web.archive.org", "facebook.com", "t.me", "telegram.me", "mastodon.social", "bilibili.com", "feedburner.com",
)  # fmt: skip

_ARCHIVE = re.compile(
    r"^https?://(?:archive\.(?:is|ph|today|li|md|vn|fo)/(?:newest|latest|oldest|\d{4,14})/"
    r"|web\.archive\.org/web/(?:\d{4,14}[a-z_]*/)?)(?=https?://)",
    re.IGNORECASE,
)
_IN_PATH = re.compile(
    r"^https?://(?:[\w-]+\.)?(?:reddit\.com/r/(?P<sub>\w+)|github\.com/(?P<owner>[\w-]+)/)", re.IGNORECASE
)
_SPACE = re.compile(r"\s+")
_OPERATOR = re.compile(r"(?<!\S)(?:-\S+|(?:site|intitle|inurl|from|to|lang|since|until|filter):\S+|AND|OR|NOT)(?!\S)")
_QUOTES = re.compile(r"[\"“”„«»「」『』()\[\]{}<>|*~^\\]")


def listed(source: str, entry: Any, *, searches: bool = False) -> Endpoint:
    """The endpoint of an entry of sources.yaml (settings.Feed, settings.CustomPage)."""
    return Endpoint(
        source=source,
        name=entry.name,
        url=entry.url,
        timeout_s=KIND_TIMEOUT_S,
        priority=entry.priority,
        searches=searches,
        max_per_minute=entry.rate_limiter.max_per_minute,
        max_per_day=entry.rate_limiter.max_per_day,
        class_=entry.class_,
        owner=entry.owner,
        theme=entry.theme,
        language=entry.language,
        timezone=entry.timezone,
        authority_bias=entry.authority_bias,
        named=True,
    )


def clean_url(raw: object, base: str = "") -> str:
    """An absolute http(s) address without archive and redirect wrappers, "" for anything else (script, data, mail)."""
    if not isinstance(raw, str) or not (link := _SPACE.sub("", raw)):
        return ""
    try:
        link = urljoin(base, link) if base else link
        link = _ARCHIVE.sub("", link)
        parts = urlsplit(link)
        if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
            return ""
        if parts.hostname in ("www.google.com", "google.com") and parts.path == "/url":
            query = parse_qs(parts.query)
            return clean_url((query.get("url") or query.get("q") or [""])[0])
    except ValueError:
        return ""
    return link


def digest(*parts: str) -> str:
    """A short stable id of several strings."""
    return hashlib.sha1("\x1f".join(parts).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:20]


def distinct(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Make ids unique inside one answer without touching those that already are.

    Entries with one id and one link (a feed whose items all link to the front page) get the title and the date into
    their id; what is equal in everything is numbered. No entry is dropped here.
    """
    seen: dict[str, int] = {}
    for candidate in candidates:
        seen[candidate.id] = seen.get(candidate.id, 0) + 1
    if len(seen) == len(candidates):
        return tuple(candidates)
    widened = [
        candidate if seen[candidate.id] == 1 else replace(candidate, id=_wider_id(candidate))
        for candidate in candidates
    ]
    counts: dict[str, int] = {}
    numbered = []
    for candidate in widened:
        nth = counts[candidate.id] = counts.get(candidate.id, 0) + 1
        numbered.append(candidate if nth == 1 else replace(candidate, id=f"{candidate.id}-{nth}"))
    return tuple(numbered)


def _wider_id(candidate: Candidate) -> str:
    at = candidate.published_at
    return f"{candidate.id}-{digest(candidate.title, candidate.text[:200], at.isoformat() if at else '')[:8]}"


def title_of(markup: str) -> str:
    return plain(markup[:MARKUP_CHARS])[:TITLE_CHARS]


def text_of(markup: str) -> str:
    return plain(markup[:MARKUP_CHARS])[:TEXT_CHARS]


def text_escaped_once(markup: str) -> str:
    """As `text_of`, for markup that is known to be escaped once: what it writes as &lt; is text, not a tag."""
    return text_of(markup.replace("&lt;", "&amp;lt;").replace("&#60;", "&amp;lt;"))


def title_or_lead(title: str, text: str) -> str:
    """The title; where an entry has none, the beginning of its text."""
    if title or len(text) <= 100:
        return title or text
    cut = text[:100]
    return (cut[: cut.rindex(" ")] if " " in cut[40:] else cut).rstrip(" ,;:，；：、") + "…"


def lang_of(sample: str, declared: str = "") -> str:
    """Two-letter language: Chinese by its script, else what the feed declares, else detected."""
    code = declared.strip().lower()[:2]
    if HAN.search(sample) or not code.isalpha() or code == "zh":
        return language(sample[:200]) or code
    return code


def publisher_of(link: str, account: str) -> str:
    """The account on hosts where everybody publishes; "" where the host itself is the publisher."""
    host = host_of(link)
    if found := _IN_PATH.match(link):
        return f"r/{found['sub']}" if found["sub"] else found["owner"]
    on_platform = any(host == name or host.endswith("." + name) for name in PLATFORMS)
    return account if on_platform else ""


def sent_text(source: str, endpoint: str, subquery: Subquery, plan: Plan) -> str:
    """What a search is sent: the analyst's own edit, else the subquery's raw topic, else its search query.

    Operators and quotes of the question never reach a source unasked; an edited query is sent as it stands.
    """
    if edited := edited_query(source, endpoint, plan):
        return edited
    for text in (subquery.raw_topic, subquery.search_query):
        stripped = _SPACE.sub(" ", _QUOTES.sub(" ", _OPERATOR.sub(" ", text))).strip()
        if stripped:
            return stripped
    return plan.raw_topic.strip() or plan.text.strip()


def edited_query(source: str, endpoint: str, plan: Plan) -> str:
    """The query the analyst wrote for this endpoint or source; "" when the product's own is sent."""
    queries = plan.question.queries
    return (queries.get(f"{source}:{endpoint}") or queries.get(source) or "").strip()


def counts(row: Mapping[str, Any], *names: tuple[str, str]) -> tuple[tuple[str, int], ...]:
    """Engagement figures of a JSON object: (key there, name here) pairs; null and nonsense are left out."""
    found = []
    for key, name in names:
        value = row.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool) and value == value and abs(value) < 1e12:
            found.append((name, int(value)))
    return tuple(found)


def string(value: object) -> str:
    """A JSON value as text: strings as they are, numbers written out, everything else ""."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def rows(value: object, what: str) -> list[Mapping[str, Any]]:
    """The objects of a JSON list. Raises FetchError when there is no list, so that a changed API is not a quiet day."""
    if not isinstance(value, list):
        raise FetchError(f"the answer has no list of {what}", status="bad response")
    return [row for row in value if isinstance(row, dict)]


def unix(at: datetime) -> str:
    return str(int(at.timestamp()))


def json_of(response: Response) -> Any:
    """The JSON of an answer, or of its readable beginning. Raises FetchError."""
    return decode.to_json(response.body, content_type(response), cut=response.incomplete)


def content_type(response: Response) -> str:
    return response.headers.get("content-type", "")
