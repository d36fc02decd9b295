"""The judge's verdict and the stream's silence in the words an analyst would use."""

from __future__ import annotations

from typing import Literal

from pipeline.types import Bucket, Outcome, Report, XVerdict

Silence = Literal["evergreen", "not asked", "not configured", "failed", "invented", "empty", ""]
_FINE = ("ok", "empty", "cancelled")


def headline(
    topic: str,
    before: XVerdict,
    after: XVerdict | None,
    *,
    used: Literal["before", "after"],
    retry_note: str,
    floor: float,
    retries: bool = True,
) -> str:
    """The verdict on a corpus as one or two sentences; `floor` is the corpus floor, a share.

    retries=False: this source is never searched again, so nothing is said about it.
    """
    judged = before.on_topic + before.off_topic
    if not judged:
        return _nothing(before)
    counts = f"{before.on_topic} of {judged} {'post was' if judged == 1 else 'posts were'} about “{topic}”"
    figures = f"({before.on_topic_ratio:.2f}, floor {floor:.2f})"
    if not before.is_off_topic_flood:
        return f"On topic: {counts} {figures}." + (" No retry was needed." if retries else "")
    leading = "" if before.on_topic_ratio < floor else ", yet the accounts that lead it are off topic"
    return f"Off-topic flood: {counts} {figures}{leading}." + (_retried(before, after, used, retry_note) or "")


def _nothing(before: XVerdict) -> str:
    if before.unjudged:
        return f"Nothing to judge: none of {before.unjudged} posts has text."
    return "Nothing to judge: no post came back."


def _retried(before: XVerdict, after: XVerdict | None, used: str, note: str) -> str:
    if after is None:
        said = note.removeprefix("mostly off topic; ")
        return f" {said[:1].upper()}{said[1:]}." if said else ""
    asked = f" A wider retry, “{words_of(after.query)}” instead of “{words_of(before.query)}”,"
    if not after.on_topic + after.off_topic:
        return f"{asked} brought nothing, so the first search was kept."
    if used == "after":
        return f"{asked} raised it to {after.on_topic_ratio:.2f}, so its posts were used."
    return f"{asked} brought {after.on_topic_ratio:.2f}, no better, so the first search was kept."


def words_of(query: str) -> str:
    """A query without its window, which is the same in every one."""
    return " ".join(word for word in query.split() if not word.startswith(("since:", "until:")))


def silence(report: Report) -> tuple[Silence, Outcome | None]:
    """(why a run has no post of X that was judged, the outcome that says so); "" where it has some."""
    if report.plan.route == "evergreen" and not report.outcomes:
        return "evergreen", None
    outcome = next((one for one in report.outcomes if one.source == "x"), None)
    if report.x is not None and (report.x.post_ids_before or report.x.post_ids_after):
        return "", outcome
    if outcome is None:
        return ("not asked" if _left_out(report) else "not configured"), None
    if outcome.status == "not configured":
        return "not configured", outcome
    if outcome.status not in _FINE:
        return "failed", outcome
    return ("invented" if _invented(report) else "empty"), outcome


def _left_out(report: Report) -> bool:
    """The analyst's own choice of sources left X out."""
    question = report.plan.question
    return "x" not in question.sources if question.sources is not None else bool(question.opml)


def _invented(report: Report) -> bool:
    """Posts came, and not one of them could be true."""
    table = report.table
    rows = [row for row, name in enumerate(table.sources) if name == "x"]
    return any(table.bucket[row] == Bucket.MALFORMED for row in rows)
