"""Step 7: what the run says in plain sentences, and the endpoint's outcome."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.errors import Status
from pipeline.text.counts import many
from pipeline.types import Bucket, Judged, Outcome
from pipeline.xlane.steps.corpus import Corpus
from pipeline.xlane.steps.run import Run


def warn(run: Run, first: Corpus, chosen: Corpus, judged: Sequence[Judged]) -> None:
    """Pruning, lies, failures. None of them is a failure of the run."""
    pruned = sum(one.verdict.bucket == Bucket.OFF_TOPIC for one in judged)
    remaining = sum(one.verdict.keep for one in judged)
    if pruned:
        flood = first.judged.is_off_topic_flood or chosen.judged.is_off_topic_flood
        what = "X was mostly off topic, its searches taken together" if flood else "Not all of X was on topic"
        total = pruned + remaining
        run.warnings.append(
            f"{what}: {pruned} of {total} posts ({pruned / total:.0%}) were pruned, {remaining} went on to the next steps."
        )
    invented = sum(one.verdict.bucket == Bucket.MALFORMED for one in run.dropped)
    if invented:
        run.warnings.append(f"Dropped {many(invented, 'post')} that could not be true or could not be read.")
    unjudged = sum(verdict.verdict == "unjudged" for verdict in chosen.judged.verdicts)
    if unjudged:
        run.notes.append(f"{unjudged} posts without text could not be judged and are outside the ratio")
    run.warnings.extend(dict.fromkeys(f"An X search failed: {error}" for error in run.errors if run.answered))


def outcome(run: Run, judged: Sequence[Judged], *, elapsed_ms: int) -> Outcome:
    """One outcome for the endpoint. Off-topic posts never make it a failure."""
    kept = sum(one.verdict.keep for one in judged)
    status: Status
    detail = ""
    wait = None
    if run.answered == 0 and run.errors:
        status, detail, wait = run.errors[0].status, str(run.errors[0]), run.errors[0].retry_after
    elif kept:
        status = "ok"
    else:
        status = "empty"
        off = sum(one.verdict.bucket == Bucket.OFF_TOPIC for one in judged)
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
