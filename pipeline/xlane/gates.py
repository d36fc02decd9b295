"""Which accounts earn a lane of their own. What turns up often is not thereby relevant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pipeline.types import HandleStats
from pipeline.xlane.judge import Floors, HandleCount, Mode, default_floors, judge_x_corpus
from pipeline.xlane.posts import handle_key

if TYPE_CHECKING:
    from pipeline.types import Floats


def promotable_handles(
    posts: Sequence[Any],
    topic: str,
    extracted_handles: Iterable[str],
    *,
    explicit_handles: Iterable[str] | None = None,
    ranking_query: str = "",
    mode: Mode = "coverage",
    vectors: Floats | None = None,
    floors: Floors | None = None,
) -> tuple[list[str], list[str]]:
    """(explicit, extracted) handles that get a lane: lower-cased, without "@", none twice.

    Explicit handles always pass, even without a post. An extracted one needs `min_hits` on-topic posts and an
    on-topic share at the handle floor, looked at before any pruning (after it every share is 1).
    """
    floors = floors or default_floors()
    judged = judge_x_corpus(posts, topic, ranking_query=ranking_query, mode=mode, vectors=vectors, floors=floors)
    explicit = unique(explicit_handles or ())
    extracted = [handle for handle in unique(extracted_handles) if handle not in explicit]
    passed = [handle for handle in extracted if gate(judged.handle_stats.get(handle), floors)[0]]
    return explicit, passed


def unique(handles: Iterable[str]) -> list[str]:
    """Handles as they are compared, in order, none empty, none twice."""
    return list(dict.fromkeys(key for key in map(handle_key, handles) if key))


def gate(count: HandleCount | None, floors: Floors) -> tuple[bool, str]:
    """Whether an account found in the corpus earns a lane, and which gate decided."""
    on_topic, total = count or HandleCount(0, 0)
    if on_topic < floors.min_hits:
        return False, f"hits: {on_topic} on topic, {floors.min_hits} needed"
    share = on_topic / total
    if share < floors.handle:
        return False, f"share: {on_topic} of {total} on topic ({share:.0%}), {floors.handle:.0%} needed"
    return True, f"{on_topic} of {total} on topic ({share:.0%})"


def by_merit(handles: Iterable[str], stats: Mapping[str, HandleCount]) -> list[str]:
    """Ordered by share on topic, then hits; never by frequency."""
    return sorted(handles, key=lambda handle: (-stats[handle].share, -stats[handle].on_topic, handle))


def table(stats: Mapping[str, HandleCount], explicit: Sequence[str], floors: Floors) -> tuple[HandleStats, ...]:
    """Every account of the corpus with its gate, explicit ones first, then by posts on topic."""
    rows = []
    for handle in explicit:
        on_topic, total = stats.get(handle, HandleCount(0, 0))
        rows.append(
            HandleStats(
                handle=handle, on_topic=on_topic, total=total, promotable="explicit", gate="named by the analyst"
            )
        )
    for handle in sorted(set(stats) - set(explicit), key=lambda h: (-stats[h].on_topic, -stats[h].total, h)):
        passed, why = gate(stats[handle], floors)
        count = stats[handle]
        rows.append(
            HandleStats(
                handle=handle,
                on_topic=count.on_topic,
                total=count.total,
                promotable="extracted" if passed else "no",
                gate=why,
            )
        )
    return tuple(rows)
