"""What single steps of the flow take out of the world: the network, the models, the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from pipeline import collect, scoring
from pipeline import net as network
from pipeline.dates import choose
from pipeline.embedding import open_embedder, text_of
from pipeline.settings import Settings
from pipeline.sources import SOURCES
from pipeline.sources.opml import read_opml
from pipeline.store import Store
from pipeline.store.feedback import Kind
from pipeline.types import Candidate, DateClaim, Embedder, Gathered, Judged, Plan, Question
from pipeline.world import World
from pipeline.xlane import noisy_judge, stream
from pipeline.xlane.backends import choose as choose_backend

if TYPE_CHECKING:
    from pipeline.types import Floats

FIRST_SEEN_RELIABILITY = 0.35  # below every date that a source states


async def gather(plan: Plan, settings: Settings, world: World, embedder: Embedder | None) -> Gathered:
    """Open the network (or what stands in for it) and ask."""
    question = plan.question
    recorder = network.Recorder() if world.record else None
    async with network.Net(
        settings,
        environ=world.environ,
        transport=world.transport,
        budget=world.store.budget,
        cache=world.store.responses,
        recorder=recorder,
        player=_player(question, world, plan),
        refresh=question.refresh,
    ) as net:
        feeds = (
            await collect.fetch_opml(question.opml, net=net, settings=settings, read=read_opml)
            if question.opml is not None
            else ()
        )
        recorded = world.recording.endpoints if world.recording else None
        backend = choose_backend(plan, settings, net, world.environ, clock=world.clock, recorded=recorded)
        x = partial(stream, plan, backend, settings=settings, embedder=embedder, progress=world.progress)
        gathered = await collect.gather(
            plan,
            SOURCES,
            settings=settings,
            net=net,
            progress=world.progress,
            judge=noisy_judge(settings, embedder),
            xlane=x if _asks_x(question, backend is not None) else None,
            opml_feeds=feeds,
        )
    if recorder is not None and world.record is not None:
        recorder.save(world.record, plan)
    return gathered


def _asks_x(question: Question, ready: bool) -> bool:
    """Whether X is asked: where sources are named, when it is among them; else when a backend is ready.

    A list of feeds stands alone: nothing is asked beside it, unless a file of posts is given too.
    """
    if question.sources is not None:
        return "x" in question.sources
    return ready and (not question.opml or bool(question.x_import))


def _player(question: Question, world: World, plan: Plan) -> network.Player | None:
    if world.recording is not None:
        return world.recording.player()
    if question.demo:
        from pipeline.demo import demo_player

        return demo_player(plan.now)
    return None


def settings_of(question: Question, world: World) -> Settings:
    """The demo brings its own sources; everything else is the analyst's."""
    if not question.demo:
        return world.settings
    from pipeline.demo import demo_settings

    return demo_settings(world.settings)


def first_model(settings: Settings, store: Store) -> tuple[Embedder | None, tuple[str, ...]]:
    """The model of the whole pool, or none and the warning that says why."""
    return open_embedder(settings, store.vectors)


def second_model(settings: Settings, store: Store, vectors: Floats | None) -> Embedder | None:
    """The second model for the best few; none where embeddings are off or it is not installed."""
    name = settings.pipeline.embedding.rerank_model
    if vectors is None or name == "off":
        return None
    embedder, _ = open_embedder(settings, store.vectors, name=name)
    return embedder if embedder is not None and embedder.name == name else None


def embed(
    examined: Sequence[Candidate], plan: Plan, settings: Settings, embedder: Embedder | None
) -> tuple[Floats | None, Floats | None]:
    """Vectors of the examined items [n, d] and of the question [d]."""
    if embedder is None or not examined:
        return None, None
    chars = settings.pipeline.embedding.text_chars
    texts = [text_of(candidate, chars) for candidate in examined]
    vectors = embedder.encode(texts, [candidate.lang for candidate in examined])
    return vectors, embedder.encode([plan.ranking_query], [plan.language])[0]


def sighted(pool: Sequence[Judged], store: Store, plan: Plan, learned: bool) -> tuple[Judged, ...]:
    """The pool with what the store saw of it before, as claims of the ledgers; unchanged where nothing is learned.

    An undated item gets the time it was first seen, where an earlier complete fetch of its endpoint lacked it. What was
    seen before the date it states, title and text the same, gets that time as evidence against its date.
    """
    if not learned:
        return tuple(pool)
    undated: dict[str, list[str]] = {}
    for one in pool:
        if one.candidate.published_at is None and one.verdict.keep:
            undated.setdefault(one.candidate.endpoint, []).append(one.candidate.id)
    dates = {endpoint: store.firstseen.dates(endpoint, ids, plan.now) for endpoint, ids in undated.items()}
    told = store.firstseen.told([one.candidate for one in pool if one.verdict.keep], plan.now)
    return tuple(
        _with_sight(one, (told if one.candidate.published_at else dates.get(one.candidate.endpoint, {})))
        for one in pool
    )


def _with_sight(one: Judged, sights: Mapping[str, datetime]) -> Judged:
    candidate, stated = one.candidate, one.candidate.published_at
    at = sights.get(candidate.id)
    if at is None or not one.verdict.keep or (stated is not None and at >= stated):
        return one
    claim = DateClaim(kind="first seen", at=at, reliability=FIRST_SEEN_RELIABILITY, raw=f"{at:%Y-%m-%d %H:%M}")
    if claim in candidate.dates.claims:
        return one
    dates = choose([*candidate.dates.claims, claim], notes=candidate.dates.notes)
    return replace(one, candidate=replace(candidate, dates=replace(dates, event_at=candidate.dates.event_at)))


def decisions(store: Store) -> dict[Kind, list[str]]:
    """What the analyst decided -> ids of the items of which that is the latest word."""
    found: dict[Kind, list[str]] = {"adopt": [], "dismiss": [], "restore": []}
    for item, kind in store.feedback.states().items():
        found[kind].append(item)
    return found


def gate(pool: Sequence[Judged], plan: Plan, settings: Settings, store: Store) -> tuple[Judged, ...]:
    """The pool with the gates' verdicts; what was seen and muted is in the store."""
    hide = plan.question.hide_seen
    verdicts = scoring.gates(
        pool,
        plan,
        settings,
        seen=store.firstseen.shown([one.candidate.id for one in pool]) if hide else (),
        muted_domains=store.prefs.words("muted domains"),
        muted_words=store.prefs.words("muted words"),
    )
    return scoring.with_verdicts(pool, verdicts)


def endpoints_by_name(plan: Plan, settings: Settings) -> dict[str, Any]:
    """Endpoint name -> its configuration: class, owner and bias that the analyst gave a feed."""
    return {
        endpoint.name: endpoint
        for source in SOURCES
        if (section := getattr(settings.sources, source.name, None)) is not None
        for endpoint in source.endpoints(section, plan)
    }
