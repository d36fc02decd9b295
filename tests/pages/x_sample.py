# ruff: noqa: E501 - the rows of the pool are a table
"""Made-up runs for the X judge page: a flood that was retried, and every way in which X can be silent."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pipeline.types import Bucket, HandleStats, Judged, Outcome, Report, Scored, Verdict, XQuery, XReport, XVerdict
from tests.pages import sample
from tests.pages.sample import HOSTILE, Row

WINDOW = "since:2026-10-31 until:2026-12-01"
FIRST = f"AI agent frameworks released {WINDOW}"
WIDER = f"AI agent frameworks {WINDOW}"
TOPIC = "AI agent frameworks released"
FLOOR = 0.5


@dataclass(frozen=True)
class Post:
    account: str
    text: str
    score: float | None
    matched: tuple[str, ...] = ()
    corpus: str = "before"
    source: str = "x"
    bucket: Bucket = Bucket.OFF_TOPIC
    reason: str = ""


ON, OFF = Bucket.SELECTED, Bucket.OFF_TOPIC
POSTS = (
    Post("kestrel_dev", "2.0 is out. Thread on what changed in the planner of our agent framework", 0.93, ("agent", "frameworks"), "after", bucket=ON),
    Post("kestrel_dev", "Office hours on agent frameworks tonight, bring your traces", 0.91, ("agent", "frameworks"), "after", bucket=ON),
    Post("zhou_kf", "用晨星的 AI agent 框架搭了三个智能体，日志清楚，调试还差点意思。", 0.81, ("ai", "agent"), "after", bucket=ON),
    Post("norland_std", "Comments on the draft standard for AI agent frameworks are open", 0.97, ("ai", "agent", "frameworks"), "both", bucket=ON),
    Post("dealstorm", "LAST CHANCE giveaway, reply DONE and check your DM", 0.01),
    Post("dealstorm", "Our agents are standing by, call now", 0.22, ("agent",)),
    Post("dealstorm", "Who wants 500 free followers? Drop a star below", 0.06),
    Post("hostile_co", HOSTILE, 0.08),
    Post("travel_zh", "旅行社代理商迎来旺季，机票涨价", 0.04),
    Post("gym_rat", "Gym log day 41", 0.09),
    Post("silent", "", None),
    Post("made_up", "I have never been posted", None, bucket=Bucket.MALFORMED, corpus="", reason="the id 1111111111111111111 looks made up"),
    Post("skylark.example", "Agent frameworks, a comparison by somebody who uses them", 0.88, ("agent", "frameworks"), "", source="bluesky", bucket=ON),
    Post("bread.example", "My sourdough has a name now", 0.03, (), "", source="bluesky"),
    Post("soup.example", "Soup is a drink", 0.02, (), "", source="bluesky"),
)  # fmt: skip


def report(
    run_id: str = "x", *, posts: tuple[Post, ...] = POSTS, x: XReport | None = None, demo: bool = False
) -> Report:
    """The flood: 1 of 7 on topic before, 4 of 4 after; a post without text, one invented, and a judged Bluesky."""
    base = sample.report(rows=tuple(_row(at, post) for at, post in enumerate(posts)), run_id=run_id, demo=demo)
    items = [_scored(base.item(at), post) for at, post in enumerate(posts)]
    outcomes = (
        Outcome(source="x", endpoint="x_api", status="ok", items=12, elapsed_ms=2100, queries=(FIRST, WIDER)),
        Outcome(
            source="bluesky", endpoint="bluesky", status="ok", items=3, elapsed_ms=700, queries=("AI agent frameworks",)
        ),
    )
    return replace(base, details=items.__getitem__, x=x or x_report(posts), outcomes=outcomes, warnings=())


def x_report(posts: tuple[Post, ...] = POSTS) -> XReport:
    before, after = _ids(posts, "before"), _ids(posts, "after")
    return XReport(
        backend="x_api",
        topic=TOPIC,
        queries=(
            XQuery(query=FIRST, variant="wide", found=9, kept=8),
            XQuery(query=f"{FIRST} min_faves:5", variant="popular", found=2, kept=0, note="applied to what it sent"),
            XQuery(query=WIDER, variant="retry", found=4, kept=4),
            XQuery(query=f"from:kestrel_dev {TOPIC} {WINDOW}", variant="lane @kestrel_dev", found=1, kept=1),
        ),
        before=_verdict(before, FIRST, True, "1 of 7 posts on topic (14%), below the floor of 40%"),
        after=_verdict(after, WIDER, False, "4 of 4 posts on topic (100%), at or above the floor of 40%"),
        retry_note="The first search was off topic",
        used="after",
        handles=(
            HandleStats(handle="northwind", on_topic=0, total=0, promotable="explicit", gate="named by the analyst"),
            HandleStats(handle="kestrel_dev", on_topic=2, total=2, promotable="extracted", gate="2 of 2 on topic"),
            HandleStats(handle="norland_std", on_topic=1, total=1, promotable="no", gate="hits: 1 on topic, 2 needed"),
            HandleStats(handle="dealstorm", on_topic=0, total=3, promotable="no", gate="hits: 0 on topic, 2 needed"),
        ),
        post_ids_before=before,
        post_ids_after=after,
        warnings=("X was mostly off topic: 6 of 10 posts (60%) were pruned, 4 went on to the next steps.",),
    )


def silent(status: str, run_id: str, **outcome: object) -> Report:
    """X asked in vain: no post at all, the outcome says why."""
    none = XVerdict(query=FIRST, on_topic_ratio=1.0, is_off_topic_flood=False, rule="no post with text: nothing to judge",
                    on_topic=0, off_topic=0, unjudged=0, floor=FLOOR, mode="context")  # fmt: skip
    asked = XReport(backend="x_api", topic=TOPIC, queries=(XQuery(query=FIRST, variant="wide"),), before=none, after=None,
                    retry_note="", used="before", handles=())  # fmt: skip
    base = sample.report(rows=tuple(row for row in sample.ROWS if row.source != "x"), run_id=run_id)
    said = Outcome(source="x", endpoint="x_api", status=status, **outcome)  # type: ignore[arg-type]
    return replace(base, x=None if status == "not configured" else asked, outcomes=(*base.outcomes[:-1], said))


def lied(run_id: str = "x-lied") -> Report:
    """A backend whose every post was invented."""
    posts = tuple(post for post in POSTS if post.bucket == Bucket.MALFORMED)
    asked = replace(
        silent("empty", run_id).x, warnings=("Dropped 1 post that could not be true or could not be read.",)
    )  # type: ignore[type-var]
    base = report(run_id, posts=posts, x=asked)
    said = Outcome(source="x", endpoint="grok", status="empty", items=1, detail="no post in the window")
    return replace(base, outcomes=(said,))


def every() -> tuple[Report, ...]:
    """All runs of this page, for a store that pictures and journeys are made on."""
    return (
        report(),
        silent(
            "not configured", "x-key", detail="set X_BEARER_TOKEN or XAI_API_KEY (environment or Streamlit's secrets)"
        ),
        silent("rate limited", "x-late", retry_after_s=40.0, detail="429: too many requests"),
        silent("empty", "x-empty", detail="no post in the window"),
        lied(),
    )


def _row(at: int, post: Post) -> Row:
    on = post.bucket == ON
    values = (0.9, 0.8, 0.4, 0.0, 0.67) if on else (0.0,) * 5
    return Row("", "x.com" if post.source == "x" else "bsky.app", 30.0 + at, values, post.bucket, at if on else -1,  # type: ignore[arg-type]
               source=post.source, author=post.account, text=post.text, reason="61.00 points." if on else post.reason)  # fmt: skip


def _scored(item: Scored, post: Post) -> Scored:
    refused = post.bucket == Bucket.MALFORMED
    found = f"{len(post.matched)} of 3 query words found, read beside the rest of the corpus"
    on = post.score is not None and post.score >= FLOOR
    reason = post.reason or ("no text to judge" if post.score is None else f"{'on' if on else 'off'} topic: {found}")
    verdict = Verdict(
        keep=on or (post.score is None and not refused),
        bucket=None if on else post.bucket,
        reason=reason,
        score=post.score,
        floor=None if refused else FLOOR,
        matched=post.matched,
        missing=tuple(word for word in ("ai", "agent", "frameworks") if word not in post.matched),
        decided_by="post id check" if refused else "x judge" if post.source == "x" else "corpus judge",
        lane="extracted" if post.text.startswith("Office") else "",
    )
    return replace(item, judged=Judged(candidate=item.judged.candidate, verdict=verdict))


def _ids(posts: tuple[Post, ...], corpus: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"item-{at}", "unjudged" if post.score is None else "on" if post.score >= FLOOR else "off")
        for at, post in enumerate(posts)
        if post.corpus in (corpus, "both")
    )


def _verdict(ids: tuple[tuple[str, str], ...], query: str, flood: bool, rule: str) -> XVerdict:
    counts = {kind: sum(one == kind for _, one in ids) for kind in ("on", "off", "unjudged")}
    return XVerdict(query=query, on_topic_ratio=counts["on"] / max(counts["on"] + counts["off"], 1), is_off_topic_flood=flood,
                    rule=rule, on_topic=counts["on"], off_topic=counts["off"], unjudged=counts["unjudged"], floor=FLOOR,
                    mode="context")  # fmt: skip
