"""Is this post what it says it is? The true time of a post is in its id; ids betray invented posts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from pipeline.types import Bucket, Candidate, Judged, Plan, Verdict, Window
from pipeline.xlane.posts import HANDLE, post_id
from pipeline.xlane.snowflake import is_numeric, looks_made_up, posted_at

SKEW = timedelta(hours=1)
"""Clock skew that a window ending now admits."""
UNVERIFIED = "unverified"


def verify(found: Sequence[Candidate], plan: Plan) -> tuple[list[Candidate], list[Judged]]:
    """(posts that can be true and lie in the window, the others with the reason)."""
    good: list[Candidate] = []
    dropped: list[Judged] = []
    for post in found:
        refused = problem(post, plan)
        if refused is None:
            good.append(post)
        else:
            bucket, reason = refused
            verdict = Verdict(keep=False, bucket=bucket, reason=reason, decided_by="post id check")
            dropped.append(Judged(candidate=post, verdict=verdict))
    return good, dropped


def problem(post: Candidate, plan: Plan) -> tuple[Bucket, str] | None:
    """Why a post is dropped before it is judged; None when it is not."""
    given = any(note.startswith(UNVERIFIED) for note in post.dates.notes)
    number = post_id(post)
    if post.author and not HANDLE.fullmatch(post.author):
        return Bucket.MALFORMED, f"no account can be called {post.author[:30]!r}: outside X's alphabet"
    if given:
        return _outside(post.published_at, plan.window, "by the date given with it")
    if not is_numeric(number):
        return Bucket.MALFORMED, f"the id {number[:30]!r} is no number"
    if looks_made_up(number):
        return Bucket.MALFORMED, f"the id {number} looks made up"
    at = posted_at(number)
    if at is None:
        return Bucket.MALFORMED, f"the id {number} holds no time"
    return _outside(at, plan.window, "by its id")


def _outside(at: datetime | None, window: Window, how: str) -> tuple[Bucket, str] | None:
    if at is None:
        return None
    until = window.until + SKEW if window.ends_now else window.until
    if at < window.since:
        return Bucket.OUT_OF_WINDOW, f"posted {at:%Y-%m-%d %H:%M} UTC {how}, before the window"
    if at >= until:
        return Bucket.OUT_OF_WINDOW, f"posted {at:%Y-%m-%d %H:%M} UTC {how}, after the window"
    return None
