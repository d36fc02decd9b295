"""Steps 1 and 2: fan out, fetch, merge by post id, verify. A search that fails or is late costs only itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection, Sequence
from dataclasses import dataclass

from pipeline.errors import FetchError, InputError
from pipeline.types import Bucket, Candidate, Judged, Malformed, XQuery
from pipeline.xlane.backends import Found
from pipeline.xlane.compile import Variant
from pipeline.xlane.steps.run import Run, refused
from pipeline.xlane.verify import verify


@dataclass(frozen=True, slots=True)
class Asked:
    """One search and its answer; `problem` says why there is none."""

    variant: Variant
    found: Found | None
    problem: str = ""


async def ask(run: Run, wanted: Sequence[Variant], limit: int) -> list[Asked]:
    """Every variant's answer in order; a failed or late one is a note and, if all fail, the outcome."""
    searches = [run.backend.search(variant.query, limit, deadline=run.deadline) for variant in wanted]
    return await answers(run, wanted, searches)


async def answers(run: Run, wanted: Sequence[Variant], searches: Sequence[Awaitable[Found]]) -> list[Asked]:
    """All at once, each within the stream's deadline."""
    results = await asyncio.gather(*(_in_time(run, search) for search in searches))
    return [Asked(variant, *result) for variant, result in zip(wanted, results, strict=True)]


async def _in_time(run: Run, search: Awaitable[Found]) -> tuple[Found | None, str]:
    try:
        async with asyncio.timeout_at(run.deadline):
            found = await search
    except TimeoutError:
        error = FetchError(f"no answer within the stream's {run.x.deadline_s:g} s", status="timeout")
    except FetchError as failed:
        if failed.status == "empty":  # a recording that holds no such search: nothing found, nothing broken
            run.answered += 1
            return Found(notes=(str(failed),)), ""
        error = failed
    except InputError:
        raise
    except Exception as fault:  # noqa: BLE001 - an answer in a shape nobody foresaw costs its search, not the run
        error = FetchError(f"the answer could not be read: {fault!r:.200}", status="bad response")
    else:
        run.answered += 1
        run.requests += found.requests
        run.bytes += found.bytes
        run.notes += found.notes
        run.dropped += [_malformed(run, entry) for entry in found.malformed]
        return found, ""
    run.errors.append(error)
    return None, str(error)


def merge(run: Run, asked: Sequence[Asked], known: Collection[str] = ()) -> list[Candidate]:
    """Verified posts of several answers, each id once; every query becomes a line of the report."""
    seen = set(known)
    merged: list[Candidate] = []
    for one in asked:
        found = one.found.candidates if one.found else ()
        fresh = []
        for post in found:
            if post.id not in seen:
                seen.add(post.id)
                fresh.append(post)
        good, dropped = verify(fresh, run.plan)
        merged += good
        run.dropped += dropped
        note = one.problem or "; ".join(one.found.notes if one.found else ())
        query = one.variant.query or "every post of the file"
        run.queries.append(XQuery(query=query, variant=one.variant.name, found=len(found), kept=len(good), note=note))
    return merged


def _malformed(run: Run, entry: Malformed) -> Judged:
    """An entry that could not be read, as a candidate with its reason."""
    candidate = Candidate(
        id=entry.id,
        source="x",
        endpoint=run.backend.name,
        url=entry.url,
        domain="x.com",
        title="",
        text=entry.title,
        kind="post",
    )
    return refused(candidate, Bucket.MALFORMED, entry.reason, "post check")
