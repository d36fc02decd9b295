"""Step 6: the searches for single accounts. Their posts are judged beside the corpus and pruned like it."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.types import Bucket, Candidate, Judged
from pipeline.xlane import lanes
from pipeline.xlane.compile import Variant
from pipeline.xlane.judge import PostVerdict
from pipeline.xlane.posts import handle_key
from pipeline.xlane.steps.ask import Asked, answers, merge
from pipeline.xlane.steps.corpus import Corpus, judge
from pipeline.xlane.steps.prune import as_judged
from pipeline.xlane.steps.run import Run, refused


async def search_lanes(
    run: Run, chosen: Corpus, explicit: Sequence[lanes.Lane], known: set[str]
) -> tuple[list[Judged], list[Judged]]:
    """(kept, pruned) posts of the lanes besides the `known` ones; first-party posts are only pruned of lies."""
    if run.plan.question.depth == "quick":
        run.notes.append("no lanes at quick depth")
        return [], []
    found = lanes.extracted(chosen.judged.handle_stats, explicit, run.floors, limit=run.x.extracted_lanes)
    wanted = [*explicit, *found]
    kept: list[Judged] = []
    pruned: list[Judged] = []
    for lane, asked in zip(wanted, await _ask(run, wanted), strict=True):
        posts = _own(run, lane, merge(run, [asked], known))
        known |= {post.id for post in posts}
        for post, verdict in zip(posts, _beside(run, chosen, posts), strict=True):
            judged = as_judged(post, verdict, first_party=lane.first_party, lane=lane.kind)
            (kept if judged.verdict.keep else pruned).append(judged)
    return kept, pruned


async def _ask(run: Run, wanted: Sequence[lanes.Lane]) -> list[Asked]:
    window, topic = run.plan.window, run.topic
    searches = [
        run.backend.search_handles(
            [lane.handle],
            topic,
            window=window,
            limit=run.x.lane_posts,
            and_topic=lane.and_topic,
            deadline=run.deadline,
        )
        for lane in wanted
    ]
    named = [Variant(f"lane @{lane.handle}", lanes.query(lane, topic, window)) for lane in wanted]
    return await answers(run, named, searches)


def _own(run: Run, lane: lanes.Lane, found: Sequence[Candidate]) -> list[Candidate]:
    """A lane's posts that are the account's own, at most `lane_posts`; the others with the reason."""
    own = [post for post in found if handle_key(post.author) == lane.handle]
    for post in found:
        if handle_key(post.author) != lane.handle:
            reason = f"asked for @{lane.handle}, got a post of @{post.author or '?'}"
            run.dropped.append(refused(post, Bucket.MALFORMED, reason, "post check"))
    for post in own[run.x.lane_posts :]:
        reason = f"over the {run.x.lane_posts} posts of a lane"
        run.dropped.append(refused(post, Bucket.NOT_EXAMINED, reason, "x budget"))
    return own[: run.x.lane_posts]


def _beside(run: Run, chosen: Corpus, posts: Sequence[Candidate]) -> Sequence[PostVerdict]:
    """Verdicts on a lane's posts, read in the light of the whole corpus."""
    if not posts:
        return ()
    return judge(run, "", [*chosen.posts, *posts]).judged.verdicts[len(chosen.posts) :]
