"""Steps 3 and 4: a flood is searched again exactly once, in the widest form, and the better corpus is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.types import Candidate
from pipeline.xlane.compile import Variant, same_query, widest
from pipeline.xlane.steps.ask import Asked, ask, merge
from pipeline.xlane.steps.corpus import Corpus, judge
from pipeline.xlane.steps.run import Run


async def retry(run: Run, first: Corpus) -> tuple[Corpus | None, str]:
    """(the second corpus, ""), or (None, why there is none; "" where the first was no flood)."""
    if not first.posts or not first.judged.is_off_topic_flood:
        return None, ""
    if run.plan.question.depth == "quick":
        return None, "mostly off topic; at quick depth it is not searched again"
    if not run.backend.asks:
        return None, "mostly off topic; a file has nothing to ask again"
    query = widest(run.plan.core_subject or run.topic, run.plan.window)
    if any(same_query(query, asked.query) for asked in run.queries):
        return None, "mostly off topic; the widest form had been asked already, so there is no retry"
    asked = await ask(run, [Variant("retry", query)], run.x.per_variant)
    if asked[0].found is None:
        merge(run, asked)
        return None, f"mostly off topic; the retry failed: {asked[0].problem}"
    return judge(run, query, _retried(run, first, asked)), ""


def _retried(run: Run, first: Corpus, asked: Sequence[Asked]) -> list[Candidate]:
    """The retry's whole corpus: posts the first search brought too belong to both."""
    known = {post.id: post for post in first.posts}
    refused = {judged.candidate.id for judged in run.dropped}
    fresh = {post.id: post for post in merge(run, asked, known=known.keys() | refused)}
    found = asked[0].found
    order = dict.fromkeys(post.id for post in (found.candidates if found else ()))
    both = [known.get(post_id) or fresh[post_id] for post_id in order if post_id in known or post_id in fresh]
    run.queries[-1] = replace(run.queries[-1], kept=len(both))
    return both


def choose(first: Corpus, second: Corpus | None) -> tuple[Corpus, Corpus | None]:
    """(the corpus with the strictly greater ratio, the other one); an empty retry never wins."""
    if second is None:
        return first, None
    judged = any(verdict.verdict != "unjudged" for verdict in second.judged.verdicts)
    if judged and second.judged.on_topic_ratio > first.judged.on_topic_ratio:
        return second, first
    return first, second


def what_changed(first: Corpus, second: Corpus, *, used_second: bool) -> str:
    """What the retry changed, in percent."""
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
