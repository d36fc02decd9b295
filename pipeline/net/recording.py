"""A run's raw answers in one file, and the player that gives them back through the same adapters.

A recording is a zip: `manifest.json` and one file a body under `bodies/`, byte for byte as the parser got it.

    {"format": "lately-recording", "version": 1, "now": ISO, "question": {...}, "window": {"since", "until"},
     "endpoints": [{... every field of Endpoint}],
     "exchanges": [{"source", "endpoint", "method", "url", "queries": [...], "final_url", "status", "headers",
                    "body": "bodies/0000", "failure": null | {"status", "message", "retry_after"}, ...}]}

Keys are in no recording: secret headers never reach one, and secret-looking parameters are blanked in addresses.
A demo is the same thing made in memory: `Player(exchanges)`.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from pipeline.errors import FetchError, InputError, Status
from pipeline.text import content_tokens, tokens
from pipeline.types import Endpoint, Plan, Question, Request, Response

T = TypeVar("T")
FORMAT, VERSION = "lately-recording", 1
_MAX_BYTES = 1_000_000_000  # unpacked size of a recording that is still opened
_MAX_MANIFEST = 64_000_000  # of its manifest, which is read whole; 10,000 exchanges take some 10 MB
_SECRET_PARAM = re.compile(r"(?i)^(?:api[-_]?key|key|token|access[-_]?token|auth|secret|password|apikey)$")
_OPERATOR = re.compile(r"(?<!\S)-?[a-z_]+:\S+")
"""since:2026-11-01, -filter:replies: what a search adds to a query is no part of what it is about."""
_ACCOUNT = re.compile(r"(?<!\S)from:\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One answer, and which requests it answers.

    A request is answered by the exchange of its very address, else by one of its source (and endpoint, unless that
    is "") with the same query, else with the same set of query words, else, when it lists and searches nothing, by one without `queries`;
    a search that nobody answers gets the source's `fallback`, where there is one.
    """

    source: str
    endpoint: str = ""
    method: str = "GET"
    url: str = ""
    """With its parameters, secrets blanked; "" answers any address of the endpoint."""
    queries: tuple[str, ...] = ()
    """The searches it answers; () for a listing."""
    fallback: bool = False
    final_url: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    cached_s: float | None = None
    failure: tuple[Status, str, float | None] | None = None
    """(outcome, message, retry after): the request failed, and does so again when played."""
    digest: str = ""
    """Of a posted body."""


def address(request: Request) -> str:
    """The whole address of a request, parameters in order, secret-looking ones blanked."""
    try:
        parts = urlsplit(request.url)
    except ValueError:
        return request.url
    pairs = [*parse_qsl(parts.query, keep_blank_values=True), *request.params]
    query = urlencode([(name, "" if _SECRET_PARAM.match(name) else value) for name, value in pairs])
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, query, ""))


def bare(url: str) -> str:
    """An address as it is, or written like `address` where something in it looks secret."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    secret = "@" in parts.netloc or any(_SECRET_PARAM.match(name) for name, _ in parse_qsl(parts.query))
    return address(Request(url=url)) if secret else url


def posted(request: Request) -> str:
    """Digest of a posted body; "" without one."""
    if request.json is None:
        return ""
    return hashlib.sha256(json.dumps(request.json, sort_keys=True).encode()).hexdigest()[:16]


def words(query: str) -> frozenset[str]:
    """The set of words a search is about; operators but from: and stop words are left out."""
    plain = _OPERATOR.sub(" ", query)
    return frozenset([*(content_tokens(plain) or tokens(plain)), *_ACCOUNT.findall(query)])


def _lane(query: str) -> bool:
    return query.startswith("from:")


# --------------------------------------------------------------------------- playing


class Player:
    """Answers requests from exchanges held in memory; the network is never touched."""

    def __init__(self, exchanges: Iterable[Exchange], endpoints: Iterable[Endpoint] = ()) -> None:
        self.endpoints = tuple(endpoints)
        """Whom the recorded run asked; () leaves that to the configuration."""
        self._exact: dict[tuple[str, str, str, str], list[Exchange]] = {}
        self._of_source: dict[str, list[Exchange]] = {}
        self._missed: dict[str, list[str]] = {}
        """Search that is not held -> who was asked."""
        for exchange in exchanges:
            key = (exchange.source, exchange.method, exchange.url, exchange.digest)
            self._exact.setdefault(key, []).append(exchange)
            self._of_source.setdefault(exchange.source, []).append(exchange)

    def play(self, request: Request, endpoint: Endpoint) -> Response:
        """The held answer. Raises FetchError as recorded; status "empty" for a search that is not held."""
        exchange = self._find(request, endpoint)
        if exchange is None:
            raise FetchError(f"not in the recording: {request.query or address(request)}", status="empty")
        if exchange.failure is not None:
            status, message, wait = exchange.failure
            raise FetchError(message, status=status, retry_after=wait)
        return Response(
            url=exchange.final_url or exchange.url or request.url,
            status=exchange.status,
            headers=exchange.headers,
            body=exchange.body,
            from_cache_s=exchange.cached_s,
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """One line for each search that was asked and is not held, naming what is."""
        exchanges = [exchange for group in self._of_source.values() for exchange in group]
        held = list(dict.fromkeys(e.queries[0] for e in exchanges if e.queries and not _lane(e.queries[0])))
        return tuple(
            f"the recording holds no search for {asked!r} ({', '.join(who)}); it holds: {'; '.join(held[:12]) or 'none'}"
            for asked, who in self._missed.items()
        )

    def _miss(self, request: Request, source: str) -> None:
        """Note a search that is not held; an account's own posts are no question of the analyst's."""
        if not _lane(request.query):
            who = self._missed.setdefault(_OPERATOR.sub(" ", request.query).strip(), [])
            who += [] if source in who else [source]

    def _find(self, request: Request, endpoint: Endpoint) -> Exchange | None:
        key = (endpoint.source, request.method, address(request), posted(request))
        if same := self._exact.get(key):
            return same.pop(0) if len(same) > 1 else same[0]
        near = [e for e in self._of_source.get(endpoint.source, ()) if e.endpoint in ("", endpoint.name)]
        if request.query:
            asked = words(request.query)
            found = next((e for e in near if request.query in e.queries), None)
            found = found or next((e for e in near if any(words(q) == asked for q in e.queries)), None)
            if found is None:
                self._miss(request, endpoint.source)
                found = next((e for e in near if e.fallback), None)
            return found
        return next((e for e in near if not e.queries and not e.fallback and not e.url), None)


# --------------------------------------------------------------------------- recording


class Recorder:
    """Collects a run's exchanges in the order in which they ended."""

    def __init__(self) -> None:
        self._exchanges: list[Exchange] = []
        self._endpoints: dict[tuple[str, str], Endpoint] = {}

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        return tuple(self._exchanges)

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        return tuple(self._endpoints.values())

    def begin(self, endpoint: Endpoint) -> None:
        """Note an endpoint when it is first asked, so that a replay asks in the same order."""
        self._endpoints.setdefault((endpoint.source, endpoint.name), endpoint)

    def answered(self, request: Request, endpoint: Endpoint, response: Response) -> None:
        self._exchanges.append(
            Exchange(
                **_identity(request, endpoint),
                final_url=bare(response.url),
                status=response.status,
                headers={name: value for name, value in response.headers.items() if name != "set-cookie"},
                body=response.body,
                cached_s=response.from_cache_s,
            )
        )

    def failed(self, request: Request, endpoint: Endpoint, error: FetchError) -> None:
        failure = (error.status, str(error), error.retry_after)
        self._exchanges.append(Exchange(**_identity(request, endpoint), failure=failure))

    def save(self, path: Path, plan: Plan) -> None:
        """Write the recording. Raises InputError when the file can't be written."""
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "now": plan.now.isoformat(),
            "question": asdict(plan.question),
            "window": {"since": plan.window.since.isoformat(), "until": plan.window.until.isoformat()},
            "endpoints": [asdict(endpoint) | {"url": bare(endpoint.url)} for endpoint in self._endpoints.values()],
            "exchanges": [_row(exchange, f"bodies/{n:04d}") for n, exchange in enumerate(self._exchanges)],
        }
        try:
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
                file.writestr("manifest.json", json.dumps(manifest, ensure_ascii=False, indent=1, default=str))
                for n, exchange in enumerate(self._exchanges):
                    file.writestr(f"bodies/{n:04d}", exchange.body)
        except OSError as error:
            raise InputError(f"{path}: can't be written ({error.strerror}); choose another place") from error


def _identity(request: Request, endpoint: Endpoint) -> dict[str, Any]:
    return {
        "source": endpoint.source,
        "endpoint": endpoint.name,
        "method": request.method,
        "url": address(request),
        "queries": (request.query,) if request.query else (),
        "digest": posted(request),
    }


def _row(exchange: Exchange, body: str) -> dict[str, Any]:
    row = asdict(exchange) | {"body": body}
    if exchange.failure is not None:
        row["failure"] = dict(zip(("status", "message", "retry_after"), exchange.failure, strict=True))
    return row


# --------------------------------------------------------------------------- files


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A recorded run: what was asked, when, of whom, and every answer."""

    question: Question
    """With `as_of` set to the run's clock, so that a replay plans the same window."""
    exchanges: tuple[Exchange, ...]
    endpoints: tuple[Endpoint, ...]

    def player(self) -> Player:
        return Player(self.exchanges, self.endpoints)


def load(path: Path) -> Recording:
    """Read a recording. Raises InputError, naming the file, when it is none or is damaged."""
    try:
        with zipfile.ZipFile(path) as file:
            if sum(info.file_size for info in file.infolist()) > _MAX_BYTES:
                raise InputError(f"{path}: larger than {_MAX_BYTES // 1_000_000} MB unpacked; not opened")
            if file.getinfo("manifest.json").file_size > _MAX_MANIFEST:
                raise InputError(f"{path}: its manifest is larger than {_MAX_MANIFEST // 1_000_000} MB; not opened")
            manifest = json.loads(file.read("manifest.json"))
            if manifest["format"] != FORMAT or manifest["version"] != VERSION:
                raise InputError(f"{path}: not a recording of this version ({FORMAT} {VERSION})")
            return Recording(
                question=_question(manifest["question"], manifest["now"]),
                exchanges=tuple(_exchange(row, file) for row in manifest["exchanges"]),
                endpoints=tuple(_endpoint(row) for row in manifest["endpoints"]),
            )
    except OSError as error:
        raise InputError(f"{path}: can't be read ({error.strerror}); check the path") from error
    except _DAMAGE as error:
        raise InputError(f"{path}: not a recording, or damaged; record the run again") from error


_DAMAGE = (
    zipfile.BadZipFile, zlib.error, EOFError, LookupError, ValueError, TypeError, AttributeError, RuntimeError
)  # fmt: skip
"""What zipfile, JSON and records raise over bytes they can't be made of; too deep a nesting is a RuntimeError."""


def _question(row: Mapping[str, Any], now: str) -> Question:
    known = {f.name for f in fields(Question)}
    values = {name: _tuple(value) for name, value in row.items() if name in known}
    for name in ("since", "until"):
        values[name] = _moment(values[name]) if values.get(name) else None
    return _made(Question, values | {"as_of": _moment(now)})


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError(f"{text} names no zone")
    return found


def _endpoint(row: Mapping[str, Any]) -> Endpoint:
    known = {f.name for f in fields(Endpoint)}
    return _made(Endpoint, {name: value for name, value in row.items() if name in known})


def _exchange(row: Mapping[str, Any], file: zipfile.ZipFile) -> Exchange:
    failure = row["failure"]
    values = {name: _tuple(value) for name, value in row.items()} | {
        "body": file.read(row["body"]),
        "failure": failure and (failure["status"], failure["message"], failure["retry_after"]),
    }
    return _made(Exchange, values)


def _made(kind: type[T], values: Mapping[str, Any]) -> T:
    """A record of these values, each of its field's type: what is none would break whoever reads it later."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind).validate_python(dict(values))


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
