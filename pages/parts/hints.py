"""What the app says when something is empty, late or strange, in the analyst's language."""

from __future__ import annotations

from typing import Any

from pages.parts import funnel, reader

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
        "Write a question first: about recent events, in English or Chinese.",
        "请先输入问题：关于近期事件，中文或英文均可。",
    ),
    "first": (
        "Ask about recent events. Lately gathers what public sources said inside a time window, judges it, groups it "
        "into events, and shows a story in time, with the reason for every number and everything thrown out.",
        "就近期事件提问。Lately 在时间窗口内收集公开来源的报道，判断、归并为事件，并按时间呈现；"
        "每个分数、每条取舍都有理由。",
    ),
    "demo": (
        "No key and no network needed: the demo puts invented news through the same steps as a real run.",
        "无需密钥或网络：演示让虚构新闻走完与真实检索相同的步骤。",
    ),
    "nothing": (
        "Nothing is shown: no item passed every step. The funnel on the Query page says which step took most.",
        "没有可显示的条目：没有一条通过全部步骤。Query 页面的漏斗显示哪一步筛掉最多。",
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
        "Check the network and the keys; the outcome of each source is in the folded line above.",
        "请检查网络与密钥；各来源的结果见上方折叠行。",
    ),
    "all_low": (
        "All scores are low. Open “More” on a card: usually a low relevance or a low authority of the source explains it.",
        "分数普遍偏低。展开任一卡片的“More”：通常是相关性低或来源权威度低所致。",
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
        "Some answers came from the cache. “Fresh answers”, under the sources of a question, asks again "
        "(cache_ttl_minutes sets how long they are kept).",
        "部分结果来自缓存。在问题的来源选项中勾选“Fresh answers”可重新获取（时长由 cache_ttl_minutes 设定）。",
    ),
    "evergreen": (
        "This does not ask about recent events, so no source was asked.",
        "该问题不涉及近期事件，因此没有查询任何来源。",
    ),
    "no_run": (
        "There is no run to show yet. Ask something on the Query page, or open an earlier run in the sidebar.",
        "还没有可展示的检索。请在 Query 页面提问，或在侧栏打开此前的检索。",
    ),
    "seen": (
        "Leaves out what an earlier run showed, and what lay beneath it, such as copies; it is counted as seen before. "
        "Demo, replayed and back-dated runs do not count.",
        "不再显示此前检索已展示过的条目及其下的转载与副本，并计入 seen before；演示、重放与回溯检索不计。",
    ),
    "unscored": (
        "Nothing of this run was scored: every item was stopped before. The funnel on the Query page says where.",
        "这次检索没有条目进入评分：全部在此前被筛掉。Query 页面的漏斗显示在哪一步。",
    ),
    "filtered": (
        "No item passes these filters.",
        "没有条目符合这些筛选条件。",
    ),
    "no_run_x": (
        "There is no run to judge yet. Ask something on the Query page, or judge a file of posts in the other tab.",
        "还没有可供评判的检索。请在 Query 页面提问，或在另一标签页评判一个帖子文件。",
    ),
    "x_evergreen": (
        "This does not ask about recent events, so X was not asked.",
        "该问题不涉及近期事件，因此没有查询 X。",
    ),
    "x_evergreen_try": (
        "Search recent events anyway from the Query page, or judge a file of posts in the other tab.",
        "可在 Query 页面强制检索近期事件，或在另一标签页评判一个帖子文件。",
    ),
    "x_not_asked": (
        "X was not asked: it is not among the sources of this run.",
        "没有查询 X：它不在本次检索的来源之中。",
    ),
    "x_not_asked_try": (
        "Choose a source set with x in it, then ask again; or judge a file of posts in the other tab.",
        "请选择包含 x 的来源集后重新检索；或在另一标签页评判一个帖子文件。",
    ),
    "x_not_configured": (
        "X was not asked: no key was set when this run was made. The other sources were.",
        "没有查询 X：检索时未设置密钥。其他来源照常查询。",
    ),
    "x_not_configured_try": (
        "Set X_BEARER_TOKEN (X's recent search) or XAI_API_KEY (xAI) in the environment or in .streamlit/secrets.toml, "
        "then ask again; or judge a file of posts in the other tab, which needs no key.",
        "请在环境变量或 .streamlit/secrets.toml 中设置 X_BEARER_TOKEN（X 近期搜索）或 XAI_API_KEY（xAI）后重新检索；"
        "也可在另一标签页评判帖子文件，无需密钥。",
    ),
    "x_failed": (
        "X brought no posts, and that does not mean that nobody wrote any.",
        "X 没有返回任何帖子，但这并不意味着没有人发帖。",
    ),
    "x_failed_try": (
        "Ask again later, or lower x.max_per_minute in pipeline.yaml if it says that there were too many requests.",
        "请稍后重试；若提示请求过多，可在 pipeline.yaml 中调低 x.max_per_minute。",
    ),
    "x_invented": (
        "What came back could not be true: not one post had an id, an account and a time that fit together.",
        "返回的内容不可能属实：没有一条帖子的编号、账号与时间相互吻合。",
    ),
    "x_invented_try": (
        "Nothing of it entered the run. The refused posts and the reason of each are listed below.",
        "这些内容均未进入结果。被拒绝的帖子及其理由列在下方。",
    ),
    "x_empty": (
        "X answered, and no post was found in the window.",
        "X 已应答，但时间窗口内没有找到帖子。",
    ),
    "x_empty_try": (
        "Use fewer words or a wider window on the Query page.",
        "可在 Query 页面减少词语或放宽时间窗口。",
    ),
    "x_rank": (
        "A new run of the same items: nobody is asked again. Later runs keep restored posts anyway.",
        "以相同条目生成新的检索，不再查询任何来源。之后的检索也会保留已恢复的帖子。",
    ),
    "x_file": (
        "Judge posts that you have: which are about the topic, whether the file is a flood, which accounts can be relied "
        "on. Nothing leaves this machine.",
        "评判您已有的帖子：哪些与主题相关、是否离题泛滥、哪些账号可靠。数据不会离开本机。",
    ),
    "x_file_try": (
        "CSV, JSON or JSONL with an id, an author, a text and a date, under any of the usual column names.",
        "CSV、JSON 或 JSONL，含编号、作者、正文与时间，常见列名均可。",
    ),
    "x_topic": (
        "Type the topic: what the posts should be about.",
        "请输入主题：这些帖子应当谈论什么。",
    ),
    "brief_empty": (
        "Nothing is adopted yet, so there is no brief.",
        "还没有采纳任何条目，因此没有简报。",
    ),
    "brief_empty_try": (
        "Adopt items on their cards in Query or Timeline, or begin with what the run holds for certain.",
        "可在 Query 或 Timeline 的卡片上采纳条目，也可以先采纳全部事实。",
    ),
    "brief_nothing": (
        "This run shows nothing that could be adopted.",
        "这次检索没有可采纳的条目。",
    ),
    "brief_nothing_try": (
        "Lower the threshold or widen the window on the Query page.",
        "请在 Query 页面降低阈值或放宽时间窗口。",
    ),
    "brief_clash": (
        "This text was changed elsewhere while you wrote. It says now:",
        "您编辑时，这段文字已在别处被修改，现为：",
    ),
    "no_source_found": (
        "No source fits. Type less, choose “All sources”, or add it to the table.",
        "没有符合的来源。请减少输入、选择“All sources”，或把它加入表格。",
    ),
    "no_own_source": (
        "None yet. What you save here is written to config/sources.yaml in your Lately folder.",
        "尚无。此处保存的来源会写入 Lately 目录下的 config/sources.yaml。",
    ),
    "selectors": (
        "CSS selectors. Item finds each piece of news on the page; the others look inside it. “a@href” reads an "
        "attribute, “.” the item itself.",
        "CSS 选择器：Item 定位页面上的每条新闻，其余在其内部查找。“a@href”读取属性，“.”指条目本身。",
    ),
    "diagnose": (
        "Asks every source once, past the cache, and says what came back and what to do. It goes on when you leave.",
        "绕过缓存向每个来源请求一次，说明结果与处理办法。离开页面后仍会继续。",
    ),
    "kinds": (
        "A kind is asked whole. To ask one feed alone, give a feed list (OPML) with only it under More.",
        "每一类来源会整体查询。若只查询某一个订阅源，请在 More 中提供只含该源的订阅列表（OPML）。",
    ),
    "depth": (
        "Quick: one search a source, none repeated, undated pages not looked up. Standard: ends when enough is found. "
        "Deep: waits for every source.",
        "快速：每个来源只查一次，不重试，也不核查无日期页面。标准：找到足够条目即停。深入：等待所有来源。",
    ),
    "threshold": (
        "Items with fewer points are not shown as cards; they are listed below the story.",
        "低于此分的条目不作为卡片显示，列在正文下方。",
    ),
    "feed_list": (
        "Asked instead of the configured feeds. As long as no kinds are chosen, nothing else is asked.",
        "代替已配置的订阅源。未选择来源类别时，只查询此列表。",
    ),
    "as_of": (
        "The run takes this for now: what was published later is left out, and nothing is learned from it.",
        "以此时刻为“现在”：之后发布的内容不计入，也不会从中学习。",
    ),
    "opml_here": (
        "This is a list of feeds (OPML), not a feed. Use it on Query: More, beside the question, asks all feeds of it.",
        "这是订阅列表（OPML），不是单个订阅源。请在 Query 页面问题旁的 More 中使用。",
    ),
    "no_feedback": (
        "Nothing was adopted, dismissed or restored yet.",
        "还没有采纳、排除或恢复过任何条目。",
    ),
    "no_feedback_try": (
        "Use the buttons below a card on the Query page. Each word moves the belief in its source and is listed here.",
        "请使用 Query 页面卡片下方的按钮。每个反馈都会影响对其来源的信任，并列在这里。",
    ),
    "missing": (
        "This run is not in the store: it may have been deleted, or the address was mistyped.",
        "存储中没有这次检索：可能已被删除，或地址有误。",
    ),
}


def say(key: str) -> str:
    """The sentence in the language chosen in the sidebar."""
    english, chinese = SAYS[key]
    return chinese if reader.hint_language() == "zh" else english


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
