"""The X stream: search widely, look at what came back, search once more if it is off topic.

    compile -> fan out -> verify ids -> judge --flood--> widest form, once -> judge --+
                                          |                                           |
                                          +------> the better corpus (strictly) <-----+
                                                          |
                                    gates -> prune -> lanes (judged, pruned) -> budget

One absolute deadline for all of it. Every post that came back ends in the result with a verdict. Pruning is a
warning, never a failure. The judge is pure; only this module and the backends wait for anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.errors import FetchError, InputError, Status
from pipeline.settings import Settings, XSettings
from pipeline.types import (
    Bucket,
    Candidate,
    Clock,
    Embedder,
    Judged,
    Malformed,
    Outcome,
    Plan,
    Progress,
    Verdict,
    XQuery,
    XReport,
    XVerdict,
)
from pipeline.xlane import lanes
from pipeline.xlane.backends import Backend, Found, not_configured
from pipeline.xlane.compile import Variant, plan_topic, same_query, variants, widest
from pipeline.xlane.context import vectors_for
from pipeline.xlane.gates import table
from pipeline.xlane.judge import Floors, Judgement, PostVerdict, judge_x_corpus
from pipeline.xlane.posts import handle_key
from pipeline.xlane.verify import verify

Result = tuple[tuple[Judged, ...], XReport | None, tuple[Outcome, ...]]
FILE_LIMIT = 20_000
"""Posts taken from an imported file."""


@dataclass(slots=True)
class _Run:
    """What one stream collects on its way."""

    plan: Plan
    backend: Backend
    x: XSettings
    floors: Floors
    embedder: Embedder | None
    deadline: float
    topic: str
    dropped: list[Judged] = field(default_factory=list)
    queries: list[XQuery] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    errors: list[FetchError] = field(default_factory=list)
    answered: int = 0
    requests: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Corpus:
    """Verified posts and what the judge said of them."""

    query: str
    posts: tuple[Candidate, ...]
    judged: Judgement

    def verdict(self) -> XVerdict:
        counts = {name: sum(v.verdict == name for v in self.judged.verdicts) for name in ("on", "off", "unjudged")}
        return XVerdict(
            query=self.query,
            on_topic_ratio=self.judged.on_topic_ratio,
            is_off_topic_flood=self.judged.is_off_topic_flood,
            rule=self.judged.rule,
            on_topic=counts["on"],
            off_topic=counts["off"],
            unjudged=counts["unjudged"],
            floor=self.judged.floor,
            mode=self.judged.mode,
        )

    def ids(self) -> tuple[tuple[str, str], ...]:
        return tuple((post.id, v.verdict) for post, v in zip(self.posts, self.judged.verdicts, strict=True))


async def stream(
    plan: Plan,
    backend: Backend | None,
    *,
    settings: Settings,
    embedder: Embedder | None,
    clock: Clock | None = None,
    progress: Progress | None = None,
) -> Result:
    """Everything X brings to a run: (posts with verdicts, what the stream did, the endpoint's outcome).

    Never raises for what a service does: that is the outcome. `clock` stamps nothing and decides nothing here; it is
    taken so that a caller hands the same arguments to every stage that waits.
    """
    x = settings.pipeline.x
    if backend is None:
        return (), None, (not_configured(plan, x),)
    loop = asyncio.get_running_loop()
    started = loop.time()
    run = _Run(
        plan=plan,
        backend=backend,
        x=x,
        floors=Floors.of(x),
        embedder=embedder,
        deadline=started + x.deadline_s,
        topic=plan_topic(plan),
    )
    tell = progress or _silent
    first = await _first_corpus(run)
    tell("x", step="searched", posts=len(first.posts), on_topic=first.judged.on_topic_ratio)
    second, retry_note = await _retry(run, first)
    chosen, other = _choose(first, second)
    if second is not None:
        retry_note = _what_changed(first, second, used_second=chosen is second)
        tell("x", step="retried", note=retry_note)
    explicit = lanes.explicit_handles(plan)
    handles = table(chosen.judged.handle_stats, [lane.handle for lane in explicit], run.floors)
    kept, pruned = _prune(run, chosen, other)
    lane_kept, lane_pruned = await _lanes(run, chosen, explicit, {j.candidate.id for j in (*kept, *pruned)})
    judged = (*_budget(run, kept, lane_kept), *pruned, *lane_pruned, *run.dropped)
    _warn(run, first, second, chosen, judged)
    report = XReport(
        backend=backend.name,
        topic=run.topic,
        queries=tuple(run.queries),
        before=first.verdict(),
        after=second.verdict() if second is not None else None,
        retry_note=retry_note,
        used="after" if second is not None and chosen is second else "before",
        handles=handles,
        post_ids_before=first.ids(),
        post_ids_after=second.ids() if second is not None else (),
        notes=tuple(dict.fromkeys(run.notes)),
        warnings=tuple(run.warnings),
    )
    return judged, report, (_outcome(run, judged, elapsed_ms=int((loop.time() - started) * 1000)),)


def _silent(kind: str, **facts: Any) -> None:
    """Nobody is told."""


# --------------------------------------------------------------------------- asking


@dataclass(frozen=True, slots=True)
class _Asked:
    variant: Variant
    found: Found | None
    problem: str = ""


async def _first_corpus(run: _Run) -> Corpus:
    """All variants at once, merged by post id, the widest first."""
    if not run.backend.asks:
        asked = await _ask(run, [Variant("file", "")], FILE_LIMIT)
    else:
        asked = await _ask(run, variants(run.topic, run.plan.window, run.plan.question.depth), run.x.per_variant)
    wide = asked[0].variant.query or run.topic
    return _judge(run, wide, _merge(run, asked))


async def _ask(run: _Run, wanted: Sequence[Variant], limit: int) -> list[_Asked]:
    """Every variant's answer in order; a failed or late one is a note and, if all fail, the outcome."""
    searches = [run.backend.search(variant.query, limit, deadline=run.deadline) for variant in wanted]
    results = await asyncio.gather(*(_in_time(run, search) for search in searches))
    return [_Asked(variant, *result) for variant, result in zip(wanted, results, strict=True)]


async def _in_time(run: _Run, search: Any) -> tuple[Found | None, str]:
    try:
        async with asyncio.timeout_at(run.deadline):
            found: Found = await search
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


def _merge(run: _Run, asked: Sequence[_Asked], known: Iterable[str] = ()) -> list[Candidate]:
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


def _judge(run: _Run, query: str, posts: Sequence[Candidate]) -> Corpus:
    ranking = run.plan.ranking_query or run.topic
    vectors = vectors_for(posts, ranking, run.embedder, run.notes)
    judged = judge_x_corpus(posts, run.topic, ranking_query=ranking, mode="context", vectors=vectors, floors=run.floors)
    return Corpus(query, tuple(posts), judged)


def _malformed(run: _Run, entry: Malformed) -> Judged:
    """An entry that could not be read, as a candidate with its reason: nothing disappears."""
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
    return _refused(candidate, Bucket.MALFORMED, entry.reason, "post check")


# --------------------------------------------------------------------------- the one retry


async def _retry(run: _Run, first: Corpus) -> tuple[Corpus | None, str]:
    """One more search in the widest form where the first was a flood, and a sentence when there is none."""
    if not first.posts or not first.judged.is_off_topic_flood:
        return None, ""
    if run.plan.question.depth == "quick":
        return None, "mostly off topic; at quick depth it is not searched again"
    if not run.backend.asks:
        return None, "mostly off topic; a file has nothing to ask again"
    query = widest(run.plan.core_subject or run.topic, run.plan.window)
    if any(same_query(query, asked.query) for asked in run.queries):
        return None, "mostly off topic; the widest form had been asked already, so there is no retry"
    asked = await _ask(run, [Variant("retry", query)], run.x.per_variant)
    if asked[0].found is None:
        _merge(run, asked)
        return None, f"mostly off topic; the retry failed: {asked[0].problem}"
    posts = _retried(run, first, asked)
    return _judge(run, query, posts), ""


def _retried(run: _Run, first: Corpus, asked: Sequence[_Asked]) -> list[Candidate]:
    """The retry's whole corpus: posts the first search brought too belong to both."""
    known = {post.id: post for post in first.posts}
    refused = {judged.candidate.id for judged in run.dropped}
    fresh = {post.id: post for post in _merge(run, asked, known=known.keys() | refused)}
    found = asked[0].found
    order = [post.id for post in (found.candidates if found else ())]
    line = run.queries[-1]
    run.queries[-1] = replace(line, kept=sum(i in known or i in fresh for i in dict.fromkeys(order)))
    return [known.get(i) or fresh[i] for i in dict.fromkeys(order) if i in known or i in fresh]


def _choose(first: Corpus, second: Corpus | None) -> tuple[Corpus, Corpus | None]:
    """(the corpus with the strictly greater ratio, the other one); an empty retry never wins."""
    if second is None:
        return first, None
    judged = any(v.verdict != "unjudged" for v in second.judged.verdicts)
    if judged and second.judged.on_topic_ratio > first.judged.on_topic_ratio:
        return second, first
    return first, second


def _what_changed(first: Corpus, second: Corpus, *, used_second: bool) -> str:
    before, after = first.verdict(), second.verdict()
    if not second.posts:
        return f"The first search was {before.on_topic_ratio:.0%} on topic; the retry brought nothing."
    judged = after.on_topic + after.off_topic
    verb = "was used" if used_second else "was no better, so the first search was kept"
    return (
        f"The first search was off topic ({before.on_topic} of {before.on_topic + before.off_topic} posts on topic, "
        f"{before.on_topic_ratio:.0%}); asked once more in the widest form, {after.on_topic} of {judged} were "
        f"({after.on_topic_ratio:.0%}): the retry {verb}."
    )


# --------------------------------------------------------------------------- pruning, lanes, budget


def _prune(run: _Run, chosen: Corpus, other: Corpus | None) -> tuple[list[Judged], list[Judged]]:
    """(kept, pruned): on-topic posts of the chosen corpus, then of the other one; first-party posts always."""
    kept: list[Judged] = []
    pruned: list[Judged] = []
    seen: set[str] = set()
    for corpus in (chosen, other) if other is not None else (chosen,):
        for post, verdict in zip(corpus.posts, corpus.judged.verdicts, strict=True):
            if post.id in seen:
                continue
            if corpus is chosen and verdict.verdict == "off" and other is not None and _on(other, post.id):
                continue  # the other corpus found it on topic: it joins from there
            seen.add(post.id)
            judged = as_judged(post, verdict, first_party=_is_first_party(run, post))
            (kept if judged.verdict.keep else pruned).append(judged)
    return kept, pruned


def _on(corpus: Corpus, post_id: str) -> bool:
    return any(post.id == post_id and v.on_topic for post, v in zip(corpus.posts, corpus.judged.verdicts, strict=True))


def _is_first_party(run: _Run, post: Candidate) -> bool:
    return handle_key(post.author) in {handle_key(h) for h in run.plan.question.x_handles}


def as_judged(
    post: Candidate, verdict: PostVerdict, *, first_party: bool = False, lane: str = "", by: str = "x judge"
) -> Judged:
    """A post with its verdict as the pool carries it."""
    keep = verdict.verdict != "off" or first_party
    if verdict.verdict == "unjudged":
        reason = "no text to judge; kept aside from the ratio"
    elif verdict.on_topic:
        reason = f"on topic: {verdict.rule}"
    elif first_party:
        reason = f"kept as first party although off topic: {verdict.rule}"
    else:
        reason = f"off topic: {verdict.rule}"
    return Judged(
        candidate=post,
        verdict=Verdict(
            keep=keep,
            bucket=None if keep else Bucket.OFF_TOPIC,
            reason=reason,
            score=verdict.score,
            floor=verdict.floor,
            matched=verdict.matched,
            missing=verdict.missing,
            decided_by=by,
            first_party=first_party,
            lane=lane,
        ),
    )


async def _lanes(
    run: _Run, chosen: Corpus, explicit: Sequence[lanes.Lane], known: set[str]
) -> tuple[list[Judged], list[Judged]]:
    """Posts of the lanes, judged beside the corpus and pruned; first-party ones are only pruned of lies."""
    if run.plan.question.depth == "quick":
        run.notes.append("no lanes at quick depth")
        return [], []
    found = lanes.extracted(chosen.judged.handle_stats, explicit, run.floors, limit=run.x.extracted_lanes)
    wanted = [*explicit, *found]
    results = await asyncio.gather(*(_in_time(run, _search_lane(run, lane)) for lane in wanted))
    kept: list[Judged] = []
    pruned: list[Judged] = []
    for lane, result in zip(wanted, results, strict=True):
        asked = _Asked(Variant(f"lane @{lane.handle}", lanes.query(lane, run.topic, run.plan.window)), *result)
        posts = _own_posts(run, lane, _merge(run, [asked], known))
        known |= {post.id for post in posts}
        for post, verdict in zip(posts, _beside(run, chosen, posts), strict=True):
            judged = as_judged(post, verdict, first_party=lane.first_party, lane=lane.kind)
            (kept if judged.verdict.keep else pruned).append(judged)
    return kept, pruned


def _own_posts(run: _Run, lane: lanes.Lane, found: Sequence[Candidate]) -> list[Candidate]:
    """A lane's posts that are the account's own, at most `lane_posts`; the others with the reason."""
    own = [post for post in found if handle_key(post.author) == lane.handle]
    for post in found:
        if handle_key(post.author) != lane.handle:
            reason = f"asked for @{lane.handle}, got a post of @{post.author or '?'}"
            run.dropped.append(_refused(post, Bucket.MALFORMED, reason, "post check"))
    for post in own[run.x.lane_posts :]:
        reason = f"over the {run.x.lane_posts} posts of a lane"
        run.dropped.append(_refused(post, Bucket.NOT_EXAMINED, reason, "x budget"))
    return own[: run.x.lane_posts]


def _refused(post: Candidate, bucket: Bucket, reason: str, by: str) -> Judged:
    return Judged(candidate=post, verdict=Verdict(keep=False, bucket=bucket, reason=reason, decided_by=by))


def _search_lane(run: _Run, lane: lanes.Lane) -> Any:
    return run.backend.search_handles(
        [lane.handle],
        run.topic,
        window=run.plan.window,
        limit=run.x.lane_posts,
        and_topic=lane.and_topic,
        deadline=run.deadline,
    )


def _beside(run: _Run, chosen: Corpus, posts: Sequence[Candidate]) -> Sequence[PostVerdict]:
    """Verdicts on a lane's posts, read in the light of the whole corpus."""
    if not posts:
        return ()
    return _judge(run, "", [*chosen.posts, *posts]).judged.verdicts[len(chosen.posts) :]


def _budget(run: _Run, kept: Sequence[Judged], lane_kept: Sequence[Judged]) -> list[Judged]:
    """At most `budget` posts go on: the main search's on-topic ones, first party, other lanes, then unjudged ones."""
    order = sorted(
        (*kept, *lane_kept),
        key=lambda j: (_rank(j), -(j.verdict.score or 0.0) * (run.x.related_weight if _related(j) else 1.0)),
    )
    return [judged if place < run.x.budget else _over(judged, run.x.budget) for place, judged in enumerate(order)]


def _rank(judged: Judged) -> int:
    verdict = judged.verdict
    if not verdict.lane and verdict.score is not None:
        return 0
    if verdict.lane:
        return 1 if verdict.first_party else 2
    return 3


def _related(judged: Judged) -> bool:
    return judged.verdict.lane == "related"


def _over(judged: Judged, budget: int) -> Judged:
    reason = f"over X's budget of {budget} posts"
    return replace(judged, verdict=replace(judged.verdict, keep=False, bucket=Bucket.NOT_EXAMINED, reason=reason))


# --------------------------------------------------------------------------- what is said


def _warn(run: _Run, first: Corpus, second: Corpus | None, chosen: Corpus, judged: Sequence[Judged]) -> None:
    """Warnings in plain sentences: pruning, lies, failures."""
    pruned = sum(j.verdict.bucket == Bucket.OFF_TOPIC for j in judged)
    remaining = sum(j.verdict.keep for j in judged)
    if chosen.judged.is_off_topic_flood or first.judged.is_off_topic_flood:
        total = pruned + remaining
        share = pruned / total if total else 0.0
        run.warnings.append(
            f"X was mostly off topic, its searches taken together: {pruned} of {total} posts ({share:.0%}) were pruned, {remaining} remain."
        )
    invented = sum(j.verdict.bucket == Bucket.MALFORMED for j in run.dropped)
    if invented:
        run.warnings.append(f"{invented} posts could not be true or could not be read and were dropped.")
    unjudged = sum(v.verdict == "unjudged" for v in chosen.judged.verdicts)
    if unjudged:
        run.notes.append(f"{unjudged} posts without text could not be judged and are outside the ratio")
    run.warnings.extend(dict.fromkeys(f"An X search failed: {error}" for error in run.errors if run.answered))


def _outcome(run: _Run, judged: Sequence[Judged], *, elapsed_ms: int) -> Outcome:
    """One outcome for the endpoint. Off-topic posts never make it a failure."""
    kept = sum(j.verdict.keep for j in judged)
    status: Status
    detail = ""
    wait = None
    if run.answered == 0 and run.errors:
        status, detail, wait = run.errors[0].status, str(run.errors[0]), run.errors[0].retry_after
    elif kept:
        status = "ok"
    else:
        status = "empty"
        off = sum(j.verdict.bucket == Bucket.OFF_TOPIC for j in judged)
        detail = f"0 of {off} posts were on topic" if off else "no post in the window"
    return Outcome(
        source="x",
        endpoint=run.backend.name,
        status=status,
        items=len(judged),
        elapsed_ms=elapsed_ms,
        bytes=run.bytes,
        retry_after_s=wait,
        detail=detail,
        queries=tuple(dict.fromkeys(line.query for line in run.queries)),
        requests=run.requests,
    )
