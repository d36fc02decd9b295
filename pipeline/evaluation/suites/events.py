"""Events: one happening from another of the same kind (ECB+), and reports of several outlets on real feeds.

Each folder, or batch of feeds, is one pool that `events.group` gets as a run gives it: candidates and vectors.
"""

from __future__ import annotations

from calendar import timegm
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pipeline import events
from pipeline.embedding import open_embedder, text_of
from pipeline.errors import InputError
from pipeline.evaluation.metrics import PRF, bcubed, pairwise, prf_of_sets
from pipeline.evaluation.rows import Measured, content, json_rows
from pipeline.settings import Settings, load_settings
from pipeline.text import host_of, language, plain
from pipeline.types import Candidate, DateClaim, DateLedger, Window

TASK = "events"
SWEEPS = ("words",)


def run(folder: Path, *, limit: int | None = None, sweep: str | None = None) -> Measured:
    """Measure one folder. `limit`: topics or batches at most; `sweep`: "words" groups without an embedder."""
    settings = load_settings()
    if (folder / "docs.jsonl.gz").is_file():
        return _topics(folder, limit, settings, sweep)
    if (folder / "events.jsonl").is_file():
        return _batches(folder, limit, settings, sweep)
    raise InputError(f"{folder}: neither docs.jsonl.gz nor events.jsonl is here; give a folder of event labels")


def _group(pool: Sequence[Candidate], settings: Settings, sweep: str | None) -> list[int]:
    """Event number of each candidate."""
    embedder = None if sweep == "words" else open_embedder(settings)[0]
    chars = settings.pipeline.embedding.text_chars
    vectors = embedder.encode([text_of(c, chars) for c in pool], [c.lang for c in pool]) if embedder else None
    dated = [at for c in pool if (at := c.published_at)]
    now = max(dated, default=datetime(2026, 1, 1, tzinfo=UTC))
    window = Window(since=min(dated, default=now), until=now + timedelta(1), how="default", evidence="", ends_now=True)
    return [int(e) for e in events.group(pool, window=window, settings=settings, vectors=vectors, now=now).event_of]


def _named(prf: PRF, prefix: str) -> dict[str, float]:
    return {f"{prefix}_p": prf.precision, f"{prefix}_r": prf.recall, f"{prefix}_f1": prf.f1}


# --------------------------------------------------------------------------- topics


def _topics(folder: Path, limit: int | None, settings: Settings, sweep: str | None) -> Measured:
    """Documents of all topics in one pool; counted are pairs inside a topic."""
    docs = json_rows(folder / "docs.jsonl.gz")
    chosen = sorted({doc["topic"] for doc in docs})[:limit]
    docs = [doc for doc in docs if doc["topic"] in chosen]
    found = _group([_document(doc) for doc in docs], settings, sweep)
    truth = [doc["event"] for doc in docs]
    guess = [(doc["topic"], event) for doc, event in zip(docs, found, strict=True)]
    cubed = bcubed(truth, guess)
    groups = {"bcubed_f1": cubed.f1, "bcubed_p": cubed.precision, "bcubed_r": cubed.recall}
    return Measured(len(docs), groups | _named(pairwise(truth, guess), "pairwise"))


def _document(doc: Mapping[str, Any]) -> Candidate:
    title, _, text = str(doc["text"]).partition("\n")
    return Candidate(
        id=str(doc["doc_id"]),
        source="file",
        endpoint=TASK,
        url=doc["url"] or "",
        domain=doc["domain"] or "",
        title=title.strip(),
        text=text.replace("\n", " "),
        lang=language(title),
    )


# --------------------------------------------------------------------------- batches of feeds


def _batches(folder: Path, limit: int | None, settings: Settings, sweep: str | None) -> Measured:
    """Pairs of a batch of which one item is in a labelled event and neither is to be ignored."""
    feeds = folder.parent / "feeds_real"
    if not feeds.is_dir():
        raise InputError(f"{feeds}: not here; the labels of {folder.name} speak of its files")
    labels: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in json_rows(folder / "events.jsonl"):
        labels[row["batch"]].append(row)
    true, guessed, items = set(), set(), 0
    for batch in sorted(labels)[:limit]:
        pool = {key: item for file in _files(feeds, batch) for key, item in _entries(feeds, file)}
        event_of = dict(zip(pool, _group(list(pool.values()), settings, sweep), strict=True))
        family, labelled, ignored = _labels(labels[batch])
        items += len(pool)
        kept = [key for key in pool if key not in ignored]
        true |= {(batch, *pair) for pair in _pairs(kept, labelled) if labelled[pair[0]] == labelled[pair[1]]}
        guessed |= {
            (batch, a, b)
            for a, b in _pairs(kept, event_of)
            if (a in labelled or b in labelled) and not _easily_merged(a, b, labelled, family)
        }
    return Measured(items, _named(prf_of_sets(true, guessed), "pairwise"))


Key = tuple[str, int]
"""(file, index of the entry)"""


def _labels(rows: Iterable[Mapping[str, Any]]) -> tuple[dict[str, str], dict[Key, str], set[Key]]:
    family, labelled, ignored = {}, {}, set()
    for row in rows:
        keys = [(str(member["file"]), int(member["index"])) for member in row["members"]]
        if row.get("ignore"):
            ignored |= set(keys)
            continue
        labelled.update(dict.fromkeys(keys, str(row["event"])))
        if row["family"]:
            family[str(row["event"])] = str(row["family"])
    return family, labelled, ignored


def _easily_merged(a: Key, b: Key, labelled: Mapping[Key, str], family: Mapping[str, str]) -> bool:
    """Two events of one family: the labels don't say whether joining them is wrong."""
    one, other = labelled.get(a, ""), labelled.get(b, "")
    return one != other and one in family and family.get(one) == family.get(other)


def _pairs(keys: Sequence[Key], group_of: Mapping[Key, Any]) -> set[tuple[Key, Key]]:
    members: dict[Any, list[Key]] = defaultdict(list)
    for key in sorted(keys):
        if key in group_of:
            members[group_of[key]].append(key)
    return {(a, b) for rows in members.values() for i, a in enumerate(rows) for b in rows[i + 1 :]}


def _files(feeds: Path, batch: str) -> list[str]:
    return [str(row["file"]) for row in json_rows(feeds / "feeds.jsonl") if row["batch"] == batch]


def _entries(feeds: Path, file: str) -> Iterable[tuple[Key, Candidate]]:
    import feedparser

    entries = feedparser.parse(content(feeds / file)).entries
    for index, entry in enumerate(entries):
        at = entry.get("published_parsed") or entry.get("updated_parsed")
        claim = (
            DateClaim(kind="feed", at=datetime.fromtimestamp(timegm(at), UTC), reliability=0.9, raw="") if at else None
        )
        title, link = plain(entry.get("title", "")), entry.get("link", "")
        yield (
            (file, index),
            Candidate(
                id=f"{file}#{index}",
                source="rss",
                endpoint=file,
                url=link,
                domain=host_of(link),
                title=title,
                text=plain(entry.get("summary", "")),
                author=entry.get("author", ""),
                lang=language(title),
                dates=DateLedger(claims=(claim,), chosen=0) if claim else DateLedger(),
            ),
        )
