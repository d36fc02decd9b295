"""The corpus judge: posts and vectors in, verdicts out. No clock, no network, no model.

Searching widely brings posts that are not about the topic; what turns up often is not thereby relevant. The judge
says of every post whether it is on topic, of the corpus whether it is a flood, and of every account how often it was
on topic. `mode="coverage"` counts the query's tokens; `mode="context"` also reads the corpus (context.py).

The floors come from config/pipeline.yaml (`x`), with the reason beside each; pass `floors` to use others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pipeline.settings import XContext, XSettings, bundled, read_yaml
from pipeline.types import XVerdict
from pipeline.xlane.coverage import holdings
from pipeline.xlane.posts import Columns, columns
from pipeline.xlane.query import Term, terms
from pipeline.xlane.read_names import as_read

if TYPE_CHECKING:
    from pipeline.types import Floats

Mode = Literal["coverage", "context"]
Verdict = Literal["on", "off", "unjudged"]
TOP_HANDLES = 3
"""Accounts that lead a corpus: the flood clause looks at the three most frequent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Floors:
    """The judge's numbers. Shares 0..1, `min_hits` posts."""

    corpus: float
    near: float
    handle: float
    min_hits: int
    relevance: float
    context: float
    acronyms: tuple[str, ...]
    tuning: XContext
    """The weights of context mode."""

    @classmethod
    def of(cls, x: XSettings) -> Floors:
        return cls(
            corpus=x.corpus_on_topic_floor,
            near=x.near_floor,
            handle=x.handle_on_topic_floor,
            min_hits=x.min_on_topic_hits,
            relevance=x.relevance_floor,
            context=x.context_floor,
            acronyms=x.acronyms,
            tuning=x.context,
        )


@cache
def default_floors() -> Floors:
    """The floors that ship with the product."""
    data, _ = read_yaml(bundled("config") / "pipeline.yaml")
    return Floors.of(XSettings.model_validate(data["x"]))


class HandleCount(NamedTuple):
    """An account's judged posts: how many were on topic, of how many."""

    on_topic: int
    total: int

    @property
    def share(self) -> float:
        return self.on_topic / self.total if self.total else 0.0


class PostVerdict(NamedTuple):
    """The verdict on one post, with everything it was decided by."""

    id: str
    handle: str
    verdict: Verdict
    score: float | None
    floor: float
    matched: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    rule: str = ""
    rank: float = 0.0
    """For ordering: the evidence before it is squeezed into the score, and what makes a post worth reading."""

    @property
    def on_topic(self) -> bool:
        return self.verdict == "on"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The verdict on a corpus. The item lists hold the very objects that were passed in, in their order."""

    posts: tuple[Any, ...]
    verdicts: tuple[PostVerdict, ...]
    on_topic_ratio: float
    """On topic / judged; 1.0 when nothing could be judged."""
    is_off_topic_flood: bool
    rule: str
    handle_stats: Mapping[str, HandleCount]
    mode: Mode
    floor: float

    @property
    def on_topic_items(self) -> list[Any]:
        return self._those("on")

    @property
    def off_topic_items(self) -> list[Any]:
        return self._those("off")

    @property
    def unjudged_items(self) -> list[Any]:
        return self._those("unjudged")

    def summary(self, query: str = "") -> XVerdict:
        """The verdict without the posts. `query`: what was searched for."""
        said = Counter([one.verdict for one in self.verdicts])
        return XVerdict(
            query=query,
            on_topic_ratio=self.on_topic_ratio,
            is_off_topic_flood=self.is_off_topic_flood,
            rule=self.rule,
            on_topic=said["on"],
            off_topic=said["off"],
            unjudged=said["unjudged"],
            floor=self.floor,
            mode=self.mode,
        )

    def _those(self, verdict: str) -> list[Any]:
        return [item for item, found in zip(self.posts, self.verdicts, strict=True) if found.verdict == verdict]


def judge_x_corpus(
    posts: Sequence[Any],
    topic: str,
    *,
    ranking_query: str = "",
    mode: Mode = "coverage",
    vectors: Floats | None = None,
    floors: Floors | None = None,
) -> Judgement:
    """Judge every post and the corpus.

    `posts` are candidates or mappings with id, author (or handle) and text. `vectors` is [N + 1, d] float32, rows
    aligned with the posts and the query last (`xlane.context.vectors_for`); context mode works without it too.
    """
    floors = floors or default_floors()
    query = ranking_query.strip() or topic
    read = columns(posts)
    if mode == "context":
        from pipeline.xlane.context import judge_in_context

        verdicts = judge_in_context(read, query, vectors=vectors, floors=floors)
    else:
        verdicts = _covered(read, as_read(terms(query, floors.acronyms), query, read.texts), floors.relevance)
    return judgement(posts, verdicts, mode=mode, floors=floors)


def judgement(posts: Sequence[Any], verdicts: Sequence[PostVerdict], *, mode: Mode, floors: Floors) -> Judgement:
    """The verdict on a corpus, from those on its posts."""
    stats = _handle_stats(verdicts)
    ratio, flood, rule = _corpus(verdicts, stats, floors)
    return Judgement(
        posts=tuple(posts),
        verdicts=tuple(verdicts),
        on_topic_ratio=ratio,
        is_off_topic_flood=flood,
        rule=rule,
        handle_stats=stats,
        mode=mode,
        floor=floors.context if mode == "context" else floors.relevance,
    )


def should_retry_x_search(
    posts: Sequence[Any],
    topic: str,
    *,
    ranking_query: str = "",
    depth: str = "default",
    mode: Mode = "coverage",
    vectors: Floats | None = None,
    floors: Floors | None = None,
) -> bool:
    """Whether the corpus is a flood worth one more search; never at quick depth, never on an empty corpus."""
    if depth == "quick" or not posts:
        return False
    judged = judge_x_corpus(posts, topic, ranking_query=ranking_query, mode=mode, vectors=vectors, floors=floors)
    return judged.is_off_topic_flood


def prune_off_topic_items(
    posts: Sequence[Any],
    topic: str,
    *,
    ranking_query: str = "",
    mode: Mode = "coverage",
    vectors: Floats | None = None,
    floors: Floors | None = None,
) -> list[Any]:
    """The on-topic posts, the very objects, in order. Eight good posts of forty are a healthy eight."""
    judged = judge_x_corpus(posts, topic, ranking_query=ranking_query, mode=mode, vectors=vectors, floors=floors)
    return judged.on_topic_items


def unjudged(post_id: str, handle: str, floor: float) -> PostVerdict:
    """A post without text: outside the ratio, neither on nor off topic."""
    return PostVerdict(post_id, handle, "unjudged", None, floor, rule="no text to judge")


def _covered(posts: Columns, query: tuple[Term, ...], floor: float) -> list[PostVerdict]:
    held = holdings(posts.texts, query)
    said = {one: _said(one, [term.label for term in query], floor) for one in set(held)}
    return [
        made((post_id, handle, *said[one])) if text and not text.isspace() else unjudged(post_id, handle, floor)
        for post_id, handle, text, one in zip(*posts, held, strict=True)
    ]


def _said(held: Sequence[int], labels: Sequence[str], floor: float) -> tuple[Any, ...]:
    """From verdict on, what is said of every post that holds the same words of the query."""
    matched, missing = split(held, labels)
    score = len(matched) / len(labels) if labels else 0.0
    verdict: Verdict = "on" if matched and score >= floor else "off"
    return verdict, score, floor, matched, missing, found_rule(len(matched), len(labels)), 0.0


def split(held: Sequence[int], labels: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(the labels that are held, those that are missing)"""
    return (
        tuple(label for label, one in zip(labels, held, strict=True) if one),
        tuple(label for label, one in zip(labels, held, strict=True) if not one),
    )


made: Callable[[tuple[Any, ...]], PostVerdict] = partial(tuple.__new__, PostVerdict)
"""A verdict from all its fields, at a third of the cost of calling the class."""


@cache
def found_rule(found: int, of: int) -> str:
    return f"{found} of {of} query words found" if of else "the query holds no word that could be looked for"


_HANDLE_AND_VERDICT = itemgetter(1, 2)
_VERDICT = itemgetter(2)


def _handle_stats(verdicts: Sequence[PostVerdict]) -> dict[str, HandleCount]:
    """Account -> its judged posts, in order of first appearance."""
    found: dict[str, HandleCount] = {}
    for (handle, verdict), posts in Counter(map(_HANDLE_AND_VERDICT, verdicts)).items():
        if handle and verdict != "unjudged":
            on_topic, total = found.get(handle, (0, 0))
            found[handle] = HandleCount(on_topic + posts * (verdict == "on"), total + posts)
    return found


def _corpus(
    verdicts: Sequence[PostVerdict], stats: Mapping[str, HandleCount], floors: Floors
) -> tuple[float, bool, str]:
    """(ratio, flood, the clause that decided)."""
    said = Counter(map(_VERDICT, verdicts))
    on_topic = said["on"]
    judged = on_topic + said["off"]
    if not judged:
        return 1.0, False, "no post with text: nothing to judge"
    ratio = on_topic / judged
    share = f"{on_topic} of {judged} posts on topic ({ratio:.0%})"
    if ratio < floors.corpus:
        return ratio, True, f"{share}, below the floor of {floors.corpus:.0%}"
    leading = sorted(stats.values(), key=lambda count: -count.total)[:TOP_HANDLES]
    if leading and all(count.share < floors.handle for count in leading):
        theirs = sum(count.on_topic for count in leading)
        if on_topic < floors.min_hits:
            return ratio, True, f"{share}: fewer than {floors.min_hits}, and every leading account is off topic"
        if ratio < floors.near and theirs < floors.min_hits:
            return ratio, True, f"{share}, but the {len(leading)} leading accounts are off topic"
    return ratio, False, f"{share}, at or above the floor of {floors.corpus:.0%}"
