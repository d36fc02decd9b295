"""Which backend serves a run, and what is said when none can.

x_api    the official recent search (X_BEARER_TOKEN)
grok     xAI's API with its X search tool (XAI_API_KEY)
import   a file the analyst has
replay   x_api or grok over a recording: the network it is given plays instead of asking
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from pipeline.settings import Settings, XSettings
from pipeline.types import Clock, Endpoint, Fetcher, Outcome, Plan
from pipeline.xlane.backends.base import Backend, Found
from pipeline.xlane.backends.grok import Grok
from pipeline.xlane.backends.imported import ImportedPosts
from pipeline.xlane.backends.x_api import REACH, XApi

__all__ = ["Backend", "Found", "Grok", "ImportedPosts", "XApi", "choose", "configured", "not_configured"]

X_KEY = "X_BEARER_TOKEN"
GROK_KEY = "XAI_API_KEY"


def choose(
    plan: Plan,
    settings: Settings,
    net: Fetcher,
    environ: Mapping[str, str],
    *,
    clock: Clock | None = None,
    recorded: Sequence[Endpoint] | None = None,
) -> Backend | None:
    """The backend for this run, None when none is configured. A file comes first, then a recording, then the keys.

    `clock` is the real time, which the service's seven days count from where the question has an `as_of`; else they
    count from the run's own begin, so that a replay asks the same. `recorded`: whom the recorded run asked, where
    `net` plays one; a run without X has none in its replay either, whatever keys are set.
    """
    x = settings.pipeline.x
    if plan.question.x_import:
        return ImportedPosts(Path(plan.question.x_import).expanduser(), x.acronyms)
    if plan.question.demo:
        return replay(net, x, plan)
    if recorded is not None:
        asked = next((one for one in recorded if one.source == "x"), None)
        return replay(net, x, plan, asked) if asked else None
    now = clock() if clock is not None and plan.question.as_of else plan.now
    found = configured(x, environ)
    if found == "x_api":
        return XApi(net=net, endpoint=endpoint(x, "x_api"), key=environ[X_KEY].strip(), now=now)
    if found == "grok":
        key = environ[GROK_KEY].strip()
        return Grok(net=net, endpoint=endpoint(x, "grok"), key=key, model=x.grok_model, now=now)
    return None


def replay(net: Fetcher, x: XSettings, plan: Plan, asked: Endpoint | None = None) -> Backend:
    """The backend that was recorded over a playing network: no key. The demo holds X's own shape, for any window."""
    recorded = replace(asked or endpoint(x, "x_api"), needs_key="")
    if recorded.name == "grok":
        return Grok(net=net, endpoint=recorded, key="", model=x.grok_model, now=plan.now, name="replay")
    reach = REACH if asked else timedelta(days=36_500)
    return XApi(net=net, endpoint=recorded, key="", now=plan.now, name="replay", reach=reach)


def configured(x: XSettings, environ: Mapping[str, str]) -> str:
    """The backend whose key is set, as the settings prefer; "" when there is none."""
    keys = {"x_api": X_KEY, "grok": GROK_KEY}
    wanted = list(keys) if x.backend == "auto" else [x.backend]
    return next((name for name in wanted if environ.get(keys[name], "").strip()), "")


def endpoint(x: XSettings, name: str) -> Endpoint:
    """The endpoint that deadline, outcome and budget belong to."""
    return Endpoint(
        source="x",
        name=name,
        url=(x.grok_base_url if name == "grok" else x.base_url).rstrip("/"),
        timeout_s=x.timeout_s,
        priority=2,
        searches=True,
        needs_key={"x_api": X_KEY, "grok": GROK_KEY}.get(name, ""),
        max_per_minute=x.max_per_minute,
        max_per_day=x.max_per_day,
        class_="social",
        named=True,
    )


def not_configured(plan: Plan, x: XSettings) -> Outcome:
    """The outcome of a run without a key: it names the variable, and the run goes on."""
    wanted = {"x_api": X_KEY, "grok": GROK_KEY}.get(x.backend, f"{X_KEY} or {GROK_KEY}")
    return Outcome(
        source="x",
        endpoint=x.backend if x.backend != "auto" else "x_api",
        status="not configured",
        detail=f"set {wanted} (environment or Streamlit's secrets), or import a file of posts",
        requested="x" in (plan.question.sources or ()),
    )
