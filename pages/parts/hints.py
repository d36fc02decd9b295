"""What the app says when something is empty, late or strange, in the analyst's language."""

from __future__ import annotations

from typing import Any

from pages.parts import funnel, session

SUGGESTIONS = {
    "en": ("AI agent frameworks released in the last 30 days", "data breach disclosed this week"),
    "zh": ("最近一个月发布的智能体框架", "本周大模型有哪些新进展"),
}

SAYS = {
    "ask": ("What happened lately?", "最近发生了什么？"),
    "placeholder": (
        "A question about recent events, in English or Chinese",
        "关于近期事件的问题，中文或英文均可",
    ),
    "nothing_asked": (
        "Write a question first, for example one of those below.",
        "请先输入问题，例如下方的示例。",
    ),
    "first": (
        "Ask about recent events. Lately gathers what public sources said inside a time window, judges it, groups it "
        "into events, and shows a story in time, with the reason for every number and everything thrown out.",
        "就近期事件提问。Lately 在时间窗口内收集公开来源的报道，判断、归并为事件，并按时间呈现；"
        "每个分数、每条取舍都有理由。",
    ),
    "demo": (
        "No key and no network needed: the demo plays invented news through the real pipeline.",
        "无需密钥或网络：演示用虚构新闻走完真实流程。",
    ),
    "nothing": (
        "Nothing is shown: no item passed every step. The funnel says which step took most.",
        "没有可显示的条目：没有一条通过全部步骤。下方漏斗显示在哪一步被筛掉最多。",
    ),
    "nothing_try": (
        "Try threshold 20, then come back step by step; or widen the window.",
        "可先把阈值降到 20，再逐步调回；或放宽时间窗口。",
    ),
    "no_source": (
        "No source answered, so this is not a quiet day: nothing was looked at.",
        "没有来源应答，因此这并非“没有新闻”：什么都没有查到。",
    ),
    "no_source_try": (
        "Check the network and the keys; the outcome of each source is listed below.",
        "请检查网络与密钥；各来源的结果见下方。",
    ),
    "all_low": (
        "All scores are low. Open “more” on a card: usually the relevance floor or the authority priors explain it.",
        "分数普遍偏低。展开任一卡片的“more”：通常是相关性下限或权威先验所致。",
    ),
    "api_errors": (
        "Some services refused. Check quota and key, or lower max_per_minute for them in sources.yaml.",
        "部分服务拒绝了请求。请检查配额与密钥，或在 sources.yaml 中调低 max_per_minute。",
    ),
    "merged": (
        "Most items merged into few. If that is too much, lower simhash_distance in pipeline.yaml.",
        "多数条目被合并。若合并过多，请在 pipeline.yaml 中调低 simhash_distance。",
    ),
    "one_site": (
        "One site dominates. See which other sources failed.",
        "单一站点占多数。请查看哪些来源失败了。",
    ),
    "old": (
        "Some answers came from the cache. “Fresh answers” asks again (cache_ttl_minutes sets how long they are kept).",
        "部分结果来自缓存。选择“Fresh answers”可重新获取（时长由 cache_ttl_minutes 设定）。",
    ),
    "evergreen": (
        "This does not ask about recent events, so no source was asked.",
        "该问题不涉及近期事件，因此没有查询任何来源。",
    ),
    "no_run": (
        "There is no run to draw yet. Ask something on the Query page, or open an earlier run in the sidebar.",
        "还没有可展示的检索。请在 Query 页面提问，或在侧栏打开此前的检索。",
    ),
    "filtered": (
        "No item passes these filters.",
        "没有条目符合这些筛选条件。",
    ),
    "missing": (
        "This run is not in the store: it may have been deleted, or the address was mistyped.",
        "存储中没有这次检索：可能已被删除，或地址有误。",
    ),
}


def say(key: str) -> str:
    """The sentence in the language chosen in the sidebar."""
    english, chinese = SAYS[key]
    return chinese if session.hint_language() == "zh" else english


def symptoms(view: Any) -> tuple[str, ...]:
    """The hints that fit a run, most telling first."""
    report = view.report
    shown = [view.total(row) for row in view.selected]
    statuses = {outcome.status for outcome in report.outcomes}
    domains = [report.table.domains[row] for row in view.selected]
    steps = funnel.summed(report.funnel)
    found = (
        ("api_errors", statuses & {"rate limited", "unauthorised"}),
        ("all_low", len(shown) >= 3 and max(shown) < 55),
        ("merged", steps["on_topic"] >= 10 and steps["unique"] < steps["on_topic"] * 0.4),
        ("one_site", len(domains) >= 4 and max(map(domains.count, domains)) > len(domains) / 2),
        ("old", any((outcome.cached_age_s or 0) > 1800 for outcome in report.outcomes)),
    )
    return tuple(say(key) for key, holds in found if holds)
