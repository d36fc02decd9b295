"""A report as text for a terminal: the story in time, then what did not make it and why."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from typing import TYPE_CHECKING

from pipeline.cli.common import local, say
from pipeline.text.counts import many

if TYPE_CHECKING:
    from pipeline.types import Report, Scored

_NEAREST = 3  # rejects shown when nothing was selected


def print_story(report: Report) -> None:
    """The selected items in time order, the funnel, the failures, the warnings."""
    plan = report.plan
    window = f"{local(plan.window.since)} to {local(plan.window.until)}"
    say(f"{'DEMO  ' if report.demo else ''}{plan.text}")
    say(f"{window} ({plan.window.how}: {plan.window.evidence}); run {report.run_id}")
    say()
    items = report.items
    for item in items:
        _item(report, item)
    if not items:
        _nothing(report)
    _account(report)


def _item(report: Report, item: Scored) -> None:
    event = report.event(item.event_id)
    voices = f", {event.independent} independent" if event is not None and event.independent > 1 else ""
    more = len(item.copies) + len(item.folded)
    marks = f"{'  upstream' if item.upstream else ''}{f'  +{more} more' if more else ''}"
    say(f"{local(item.published_at)}  {item.total:6.2f}  {item.tier:<4}  {one_line(item.title) or '(no title)'}")
    say(f"{'':18}{item.judged.candidate.domain or item.source} ({item.source}){voices}{marks}")
    width = max(40, min(shutil.get_terminal_size((100, 24)).columns, 120))
    for line in textwrap.wrap(one_line(item.excerpt), width - 18):
        say(f"{'':18}{line}")
    say(f"{'':18}{one_line(item.url)}")
    say()


def _nothing(report: Report) -> None:
    say("Nothing is shown. What came nearest:")
    table = report.table
    nearest = sorted(range(len(table)), key=lambda row: -float(table.total[row]))[:_NEAREST]
    for row in nearest:
        item = report.item(row)
        say(f"  {item.total:6.2f}  {one_line(item.title)}: {item.reason or item.bucket.label}")
    if nearest:
        say("Try `--threshold 20` and come back step by step, or a longer window with `--days`.")
    say()


def _account(report: Report) -> None:
    from pipeline.types import Bucket

    counts = Counter(int(bucket) for bucket in report.table.bucket)
    ended = ", ".join(f"{counts[bucket]} {bucket.label}" for bucket in reversed(Bucket) if counts[bucket])
    say(f"{many(len(report.table), 'candidate')}: {ended or 'none'}")
    for stage in report.stages:
        if repeated := stage.name == "collect" and stage.dropped.get("had come before", 0):
            say(f"{many(stage.n_in, 'item')} fetched: {repeated} of them had come before, from another query or source")
        if stage.name == "pages of undated items":
            say(f"{many(stage.n_in, 'page')} of undated items looked up: {stage.n_out} gave a date")
    statuses = Counter(outcome.status for outcome in report.outcomes)
    ends = ", ".join(f"{n} {status}" for status, n in statuses.items())
    say(f"{many(len(report.outcomes), 'endpoint')}: {ends or 'none'}")
    for outcome in report.outcomes:
        if outcome.status not in ("ok", "empty", "cancelled"):
            say(f"  {outcome.source}/{outcome.endpoint}: {outcome.status}. {one_line(outcome.detail)}")
    for warning in report.warnings:
        say(f"warning: {warning}")


def one_line(text: str) -> str:
    """Text from outside on one line, without the control characters a terminal would obey."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
