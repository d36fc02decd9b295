"""`parse`: the plan of a question, nothing fetched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pipeline.cli.common import AsJson, emit, examples, local, moment, now, say, settings, single

if TYPE_CHECKING:
    from pipeline.types import Plan

parse = single()


@parse.command(
    epilog=examples(
        'lately parse "Fed rate decision this week"', 'lately parse "上周 苹果 发布会" --as-of 2026-11-30T12:00Z --json'
    )
)
def parse_(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="The question, in English or Chinese.")],
    as_of: Annotated[str | None, typer.Option(help="Parse as if this were now.")] = None,
    tz: Annotated[str | None, typer.Option(help="The analyst's zone, such as Asia/Shanghai.")] = None,
    depth: Annotated[Literal["quick", "default", "deep"], typer.Option(help="How many searches.")] = "default",
    as_json: AsJson = False,
) -> None:
    """How a question is understood: window and why, route, subject, the queries that would be sent."""
    from pipeline import Question, parse_query
    from pipeline.briefing.json import plan_json

    at = moment(as_of, tz)
    question = Question(text=query, as_of=at, zone=tz, depth=depth)
    plan = parse_query(question, settings(), at or now())
    asks = plan.route != "evergreen"
    sent = _x_queries(plan)
    if as_json:
        emit({**plan_json(plan), "x_queries": sent})
        return
    if asks:
        say(f"window        {local(plan.window.since)} to {local(plan.window.until)}")
        say(f"              {plan.window.how}: {plan.window.evidence}")
    for line in _route(plan):
        say(line)
    say(f"language      {plan.language}")
    say(f"topic         {plan.raw_topic}")
    say(f"core subject  {plan.core_subject}")
    say(f"ranked by     {plan.ranking_query}")
    for subquery in plan.subqueries if asks else ():
        say(f"search        {subquery.search_query} ({subquery.label})")
    if not asks:
        say("search        none; `lately run --route recent` searches all the same")
    for line in sent if asks else ():
        say(f"on X          {line}")
    for warning in plan.warnings:
        say(f"warning       {warning}")


def _route(plan: Plan) -> Iterator[str]:
    """Route and why; where the time given or the analyst overrules the subject, as one statement."""
    overruled = plan.route == "recent" and plan.stability in ("slow", "never")
    if not overruled:
        yield f"route         {plan.route} (the subject changes: {plan.stability})"
        yield from (f"              {reason}" for reason in plan.reasons)
        return
    *deciding, about = plan.reasons
    yield "route         recent, whatever the subject"
    yield from (f"              {reason}" for reason in deciding)
    yield f"              Without that: {about[:1].lower()}{about[1:]}"


def _x_queries(plan: Plan) -> list[str]:
    """What X would be sent at the plan's depth: the topic's variants, then the lanes of named accounts."""
    from pipeline.xlane.compile import plan_topic, variants
    from pipeline.xlane.lanes import explicit_handles
    from pipeline.xlane.lanes import query as lane_query

    topic, depth = plan_topic(plan), plan.question.depth
    found = [variant.query for variant in variants(topic, plan.window, depth)]
    if depth != "quick":
        found += [lane_query(lane, topic, plan.window) for lane in explicit_handles(plan)]
    return found
