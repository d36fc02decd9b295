"""X API v2, recent search: GET /2/tweets/search/recent with an app-only bearer token.

Facts (docs.x.com, read 2026-11): max_results 10..100, pages by next_token, start_time at most 7 days back and
end_time at least 10 seconds ago; a query of at most 512 characters; from:, has:links, is:reply, quotes, OR and
negation are taken; since:, until:, min_faves: and filter: are not. Answers tell x-rate-limit-remaining and -reset.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pipeline.errors import FetchError
from pipeline.text import plain
from pipeline.types import Candidate, DateClaim, Endpoint, Fetcher, Malformed, Request, Response
from pipeline.xlane.backends.base import Backend, Found, is_count, listed, read_json, record
from pipeline.xlane.posts import candidate, id_claim
from pipeline.xlane.snowflake import posted_at

REACH = timedelta(days=7)
PAGE_MIN, PAGE_MAX = 10, 100
MAX_QUERY = 512
_REACH_MARGIN = timedelta(minutes=3)
"""The service counts from its own clock when it is asked, we from the run's begin; a start past the limit is refused."""
_END_MARGIN = timedelta(seconds=30)
_DAY = timedelta(days=1)
_DATE = re.compile(r"(?<!\S)(since|until):(\d{4}-\d{2}-\d{2})(?!\S)")
_FAVES = re.compile(r"(?<!\S)min_faves:(\d+)(?!\S)")
_FILTER = re.compile(r"(?<!\S)(-?)filter:(\w+)(?!\S)")
_FILTERS = {"links": "has:links", "replies": "is:reply", "retweets": "is:retweet", "images": "has:images"}
_ENGAGEMENT = (
    ("likes", "like_count"),
    ("reposts", "retweet_count"),
    ("replies", "reply_count"),
    ("quotes", "quote_count"),
)


@dataclass(frozen=True, slots=True)
class Translated:
    """A classic query as the service takes it, and what it does not take."""

    classic: str
    query: str
    since: datetime | None
    until: datetime | None
    min_faves: int
    notes: tuple[str, ...]


def translate(query: str) -> Translated:
    """Classic operators mapped to the service's own; what has no counterpart is left out with a note."""
    notes: list[str] = []
    dates = {m[1]: datetime.fromisoformat(m[2]).replace(tzinfo=UTC) for m in _DATE.finditer(query)}
    faves = max((int(m[1]) for m in _FAVES.finditer(query)), default=0)
    if faves:
        notes.append(f"min_faves:{faves} is not taken by the service: applied to what it sent, by relevance")

    def mapped(found: re.Match[str]) -> str:
        own = _FILTERS.get(found[2])
        if own is None:
            notes.append(f"{found[0]} left out: the service has no such operator")
            return " "
        return f"{found[1]}{own}"

    rest = _FILTER.sub(mapped, _FAVES.sub(" ", _DATE.sub(" ", query)))
    return Translated(query, " ".join(rest.split()), dates.get("since"), dates.get("until"), faves, tuple(notes))


class XApi(Backend):
    name = "x_api"
    label = "X API, recent search"

    def __init__(
        self, *, net: Fetcher, endpoint: Endpoint, key: str, now: datetime, name: str = "", reach: timedelta = REACH
    ) -> None:
        self.name = name or self.name
        self._net = net
        self._endpoint = endpoint
        self._key = key
        self._now = now
        self._reach = reach

    async def search(self, query: str, limit: int, *, deadline: float) -> Found:
        asked = translate(query)
        notes = list(asked.notes)
        times = self._times(asked, notes)
        if times is None:
            return Found(notes=tuple(notes))
        if len(asked.query) > MAX_QUERY:
            raise FetchError(f"the query has {len(asked.query)} characters, X takes {MAX_QUERY}: shorten it")
        candidates: list[Candidate] = []
        malformed: list[Malformed] = []
        requests = size = 0
        token = ""
        while len(candidates) < limit:
            page = max(PAGE_MIN, min(PAGE_MAX, limit - len(candidates)))
            try:
                response = await self._net.fetch(
                    self._request(asked, times, page, token), endpoint=self._endpoint, deadline=deadline
                )
                data = read_json(response, "X", now=self._now)
            except FetchError as error:
                if not candidates:
                    raise
                notes.append(f"stopped after {requests} pages: {error}")
                break
            requests, size = requests + 1, size + len(response.body)
            read, bad = self._read(data)
            candidates += [post for post in read if _likes(post) >= asked.min_faves]
            malformed += bad
            notes += _said(data, response)
            token = str(record(data.get("meta")).get("next_token") or "")
            if not token or not read:
                break
        return Found(
            candidates=tuple(candidates[:limit]),
            malformed=tuple(malformed),
            notes=tuple(dict.fromkeys(notes)),
            requests=requests,
            bytes=size,
        )

    async def check_key(self, *, deadline: float) -> str:
        """GET /2/usage/tweets: reads the month's count and costs no post."""
        request = Request(url=f"{self._endpoint.url}/2/usage/tweets", secret_header=self._secret())
        data = read_json(await self._net.fetch(request, endpoint=self._endpoint, deadline=deadline), "X", now=self._now)
        usage = data.get("data")
        if not isinstance(usage, dict):
            raise FetchError("X took the key, but what it says about its use can't be read", status="bad response")
        return (
            f"key accepted; {usage.get('project_usage', '?')} of {usage.get('project_cap', '?')} posts read this month"
        )

    # ------------------------------------------------------------------ asking

    def _times(self, asked: Translated, notes: list[str]) -> dict[str, str] | None:
        """start_time and end_time inside the service's reach; None when the whole window lies before it."""
        oldest = self._now - self._reach + _REACH_MARGIN
        since = asked.since or oldest
        if since < oldest:
            if oldest - since >= _DAY:  # queries carry whole days; a part of one is no loss
                notes.append(f"X's recent search reaches back 7 days: asked from {oldest:%Y-%m-%d %H:%M} UTC on")
            since = oldest
        times = {"start_time": f"{since:%Y-%m-%dT%H:%M:%SZ}"}
        if asked.until and asked.until < self._now - _END_MARGIN:
            if asked.until <= since:
                notes[:] = ["the window ends before the 7 days that X's recent search reaches: nothing was asked"]
                return None
            times["end_time"] = f"{asked.until:%Y-%m-%dT%H:%M:%SZ}"
        return times

    def _request(self, asked: Translated, times: Mapping[str, str], page: int, token: str) -> Request:
        params = {
            "query": asked.query,
            "max_results": str(page),
            "sort_order": "relevancy" if asked.min_faves else "recency",
            "tweet.fields": "created_at,author_id,lang,public_metrics,referenced_tweets,note_tweet,entities",
            "expansions": "author_id,referenced_tweets.id",
            "user.fields": "username",
            **times,
        }
        if token:
            params["next_token"] = token
        return Request(
            url=f"{self._endpoint.url}/2/tweets/search/recent",
            params=tuple(params.items()),
            query=asked.classic,  # a recording tells the variants apart by it
            secret_header=self._secret(),
        )

    def _secret(self) -> tuple[str, str] | None:
        return ("Authorization", f"Bearer {self._key}") if self._key else None

    # ------------------------------------------------------------------ reading

    def _read(self, data: Mapping[str, Any]) -> tuple[list[Candidate], list[Malformed]]:
        entries, includes = data.get("data") or [], record(data.get("includes"))
        if not isinstance(entries, list):
            raise FetchError("X sent its posts in a shape that can't be read", status="bad response")
        users = {str(u.get("id")): str(u.get("username") or "") for u in _dicts(includes.get("users"))}
        originals = {str(t.get("id")): t for t in _dicts(includes.get("tweets"))}
        read: list[Candidate] = []
        bad: list[Malformed] = []
        for entry in entries:
            post_id = str(entry.get("id") or "") if isinstance(entry, dict) else ""
            if not post_id:
                bad.append(Malformed(id="x:?", title="", url="", reason="a post without an id"))
                continue
            read.append(self._post(entry, post_id, users, originals))
        return read, bad

    def _post(
        self, entry: Mapping[str, Any], post_id: str, users: Mapping[str, str], originals: Mapping[str, Any]
    ) -> Candidate:
        counts = record(entry.get("public_metrics"))
        claims, chosen = dates_of(post_id, entry.get("created_at"))
        return candidate(
            post_id=post_id,
            handle=users.get(str(entry.get("author_id")), ""),
            text=_text(entry, originals),
            endpoint=self._endpoint.name,
            claims=claims,
            chosen=chosen,
            lang=_lang(entry.get("lang")),
            engagement=tuple((name, counts[key]) for name, key in _ENGAGEMENT if is_count(counts.get(key))),
        )


def _dicts(value: Any) -> list[Mapping[str, Any]]:
    return [entry for entry in listed(value) if isinstance(entry, dict)]


def _text(entry: Mapping[str, Any], originals: Mapping[str, Any]) -> str:
    """The whole text: a long post's note, a repost's original (X cuts both in `text`)."""
    text = _said_in(record(entry.get("note_tweet"))) or _said_in(entry)
    for reference in _dicts(entry.get("referenced_tweets")):
        original = originals.get(str(reference.get("id")))
        cut = re.match(r"RT @\w+: ", text)
        if reference.get("type") == "retweeted" and original and cut:
            text = cut.group() + _said_in(original)
    return _with_links(plain(text), entry.get("entities"))


def _said_in(entry: Mapping[str, Any]) -> str:
    text = entry.get("text")
    return text if isinstance(text, str) else ""


def _with_links(text: str, entities: Any) -> str:
    """Shortened addresses written out: where a link leads says what a post is about."""
    for link in _dicts(record(entities).get("urls")):
        short, full = str(link.get("url") or ""), str(link.get("expanded_url") or "")
        if short and full.startswith(("https://", "http://")):
            text = text.replace(short, full)
    return text


def _lang(value: Any) -> str:
    lang = str(value or "")[:2]
    return "" if lang in ("un", "qm", "qa", "zx", "qh", "qs", "qc") else lang


def _likes(post: Candidate) -> int:
    return dict(post.engagement).get("likes", 0)


def dates_of(post_id: str, stated: Any) -> tuple[tuple[DateClaim, ...], int | None]:
    """The ledger of a post: the time in its id first, then what the service states."""
    claims: list[DateClaim] = []
    if at := posted_at(post_id):
        claims.append(id_claim(at, post_id))
    try:
        said = datetime.fromisoformat(str(stated).strip())
        at = said.astimezone(UTC) if said.tzinfo else said.replace(tzinfo=UTC)
    except (ValueError, OverflowError):  # no date, or one beyond the calendar
        pass
    else:
        zone = "stated" if said.tzinfo else "assumed UTC"
        claims.append(DateClaim(kind="api", at=at, reliability=0.9, raw=str(stated), zone=zone))
    return tuple(claims), 0 if claims else None


def _said(data: Mapping[str, Any], response: Response) -> list[str]:
    """Partial errors beside good data, and a rate limit that has run out."""
    notes = [f"X says: {str(e.get('detail') or e.get('title') or 'error')[:160]}" for e in _dicts(data.get("errors"))]
    if response.headers.get("x-rate-limit-remaining") == "0":
        notes.append("X's rate limit is used up until its reset")
    return notes
