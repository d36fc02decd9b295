"""Re-dating by words, content farms, clickbait, completeness, preference: rows named in words."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pipeline.scoring.bait import bait
from pipeline.scoring.farm import judge
from pipeline.scoring.phrases import holds
from pipeline.scoring.preference import overlap
from pipeline.scoring.told import told
from pipeline.text import normalise
from pipeline.types import DateClaim
from tests.scoring.made import SETTINGS, candidate, dated, days_ago, grouping, judged, run

STATED = datetime(2026, 11, 25, 12, tzinfo=UTC)  # a Wednesday


TOLD = [
    ("last month, the latest moment of it", "The company announced the model last month.", "2026-10-31"),
    ("weeks ago", "It was released three weeks ago.", "2026-11-04"),
    ("digits", "The law was signed 10 days ago", "2026-11-15"),
    ("last year", "The phone launched last year", "2025-12-31"),
    ("a day, and what was done after", "Acme launched the Falcon rocket on 3 May 2026 and recovered it.", "2026-05-03"),
    ("a year, the latest moment of it", "Acme unveiled its Falcon rocket in 2024 at a show in Paris.", "2024-12-31"),
    ("the time at first", "Two years ago, Acme launched the Falcon rocket.", "2024-11-25"),
    ("an object of its own", "Police arrested a man 6 months ago", "2026-05-29"),
    ("Chinese last month", "该公司上个月发布了新模型", "2026-10-31"),
    ("Chinese days ago", "新机10天前发布", "2026-11-15"),
    ("a Chinese day", "火箭于2025年3月1日发布", "2025-03-01"),
    ("a Chinese month", "于2025年3月发布", "2025-03-31"),
    ("a Chinese year", "2024年发布的新机", None),
    ("a Chinese time before a comma", "三周前，Acme发布Falcon火箭", "2026-11-04"),
    ("no verb of happening", "Prices are higher than last month", None),
    ("a side clause", "Acme, which announced layoffs last month, reports a profit", None),
    ("after something of last month", "Shares fall after Acme announced layoffs last month", None),
    ("nothing said", "Acme announces layoffs", None),
    ("a statistic for last month", "国家统计局公布上月CPI数据", None),
    ("a statistic of two clauses", "官方29日发布，上个月零售额增长3%", None),
    ("clauses parted by a space", "上个月零售额增长 官方发布", None),
    ("what was published, Chinese", "上月公布的数据显示，物价上涨", None),
    ("a statistic in English", "Acme reported last month's sales", None),
    ("told of a period", "Acme reported record sales last month", None),
    ("counted over a period", "Acme sold 3 million cars in 2024", None),
    ("lost long ago, discovered now", "Wreck of a ship lost 80 years ago discovered", None),
    ("discovered now, lost long ago", "Divers discovered the wreck of a ship lost 80 years ago", None),
    ("another verb owns the time", "Police arrested a man in a theft reported 6 months ago", None),
    ("another form owns the time", "Police arrested a man convicted two years ago", None),
    ("an accident of long ago", "The trial over the accident of two years ago opened in Houston", None),
    ("denied now", "Acme denies it sold Falcon two weeks ago", None),
    ("the news comes after it", "The series came out in 1998, but since 2004 Acme draws its maps", None),
    ("a plot of long ago", "Police arrested suspects over the attack on 3 May 2026", None),
    (
        "what is criticised was published then",
        "Lawmakers criticised a report published last month by the agency.",
        None,
    ),
    ("what came after it, Chinese", "董事长在去年完成收购后首次公开发声", None),
    ("since it, Chinese", "公司去年发布新机以来销量翻番", None),
    ("a day without a year, nearer to come", "Acme announced a summit on January 3", None),
]


@pytest.mark.parametrize(("name", "text", "day"), TOLD, ids=[row[0] for row in TOLD])
def test_what_a_sentence_tells(name: str, text: str, day: str | None) -> None:
    found = told(normalise(text), STATED)
    assert (found and f"{found[0]:%Y-%m-%d}") == day


def struck(**item) -> dict[str, str]:
    (judgement,) = [judged(candidate("a", **item))]
    return {penalty.name: penalty.evidence for penalty in run([judgement]).item(0).penalties}


REDATED = [
    ("the title says it", {"title": "Acme launched its phone last year"}, True),
    (
        "the first sentence says it",
        {"title": "The phone", "text": "Acme launched the phone two months ago. It sells."},
        True,
    ),
    ("a later sentence is background", {"title": "Acme wins", "text": "Acme won today. It launched last year."}, False),
    ("an anniversary", {"title": "Acme marks anniversary of the phone it launched last year"}, False),
    ("a Chinese anniversary", {"title": "纪念去年发布的手机一周年"}, False),
    ("fresh news beside it", {"title": "Acme today closed the plant it opened last year"}, False),
    (
        "the title tells of something else",
        {"title": "Acme recalls a phone", "text": "Acme launched it last year."},
        False,
    ),
    ("the lead tells when the title's was", {"title": "Acme launches it", "text": "Acme launched it last year."}, True),
    ("the title has no verb", {"title": "Falcon: a look", "text": "Acme unveiled Falcon in 2024."}, True),
    ("a lead about something else", {"title": "Falcon: a look", "text": "Acme won a race in 2024."}, False),
    ("a year since", {"title": "Acme marks one year since launch", "text": "Acme launched it one year ago."}, False),
    ("a year after", {"title": "A year after its launch", "text": "Acme launched it a year ago."}, False),
    ("marks ten years", {"title": "Acme marks ten years", "text": "Ten years ago Acme launched it."}, False),
    ("told further below", {"title": "Acme", "text": "Acme launched it a year ago. The birthday came."}, False),
]


@pytest.mark.parametrize(("name", "item", "expected"), REDATED, ids=[row[0] for row in REDATED])
def test_redating_by_words(name: str, item: dict[str, str], expected: bool) -> None:
    assert ("re_dated" in struck(**item)) == expected


LEDGER = [
    ("an address two weeks older", "url", 14, True),
    ("an address one day older", "url", 2, False),
    ("first seen a week before", "first seen", 8, True),
    ("another feed's date is no evidence", "feed", 14, False),
    ("an address of the same month", "month", 28, False),
    ("an address of an earlier month", "month", 40, True),
]


@pytest.mark.parametrize(("name", "kind", "age", "expected"), LEDGER, ids=[row[0] for row in LEDGER])
def test_redating_by_the_ledger(name: str, kind: str, age: float, expected: bool) -> None:
    claim = DateClaim(kind=kind, at=days_ago(age), reliability=0.5, raw="raw")
    if kind == "month":
        claim = replace(claim, kind="url", precision="month", at=claim.at.replace(day=1))
    assert ("re_dated" in struck(title="A", dates=dated(days_ago(1), claim))) == expected


SIGHTS = [
    ("the very text, and its copy", {"told_since": days_ago(9)}, [True, True, False]),
    ("a later report of a running event", {"known_since": days_ago(9)}, [False, False, False]),
    ("a text seen since it was out", {"told_since": days_ago(0.5)}, [False, False, False]),
]


@pytest.mark.parametrize(("name", "seen", "expected"), SIGHTS, ids=[row[0] for row in SIGHTS])
def test_a_text_that_an_earlier_run_saw_is_redated_a_new_report_is_not(name: str, seen, expected: list[bool]) -> None:
    groups = grouping(["a", "copy", "other"], [0, 0, 0], originals={1: 0}, adds_nothing=[1])
    events = (replace(groups.events[0], **seen),)
    report = run([judged(candidate(id, title="A")) for id in ("a", "copy", "other")], replace(groups, events=events))
    assert report.table.struck[:, 2].tolist() == expected


def test_both_dates_are_told_where_an_earlier_run_saw_the_text() -> None:
    groups = grouping(["a"])
    groups = replace(groups, events=(replace(groups.events[0], told_since=days_ago(9)),))
    (penalty,) = run([judged(candidate("a", title="A"))], groups).item(0).penalties
    assert penalty.evidence == "stated 2026-11-29, but an earlier run saw this text on 2026-11-21: dated 2026-11-21"


# --------------------------------------------------------------------------- content farm

STUFFED = "cheap phones here, cheap phones there, cheap phones now, cheap phones for you, cheap phones "
FARMS = [
    ("both signs", "Cheap phones", STUFFED + "buy now, limited time offer", True),
    ("stuffing alone", "Cheap phones", STUFFED, False),
    ("a newspaper's subscribe now", "Parliament votes", "Lawmakers passed the budget. Subscribe now for more.", False),
    ("Chinese", "特价手机 特价手机", "特价手机,特价手机,特价手机,限时优惠,点击阅读原文,立即购买特价手机", True),
    ("a Chinese call that is cut otherwise in its sentence", "红酒", "红酒," * 9 + "加盟热线服务", True),
    (
        "a title that lists keywords",
        "shoes | cheap shoes | best shoes | buy shoes",
        "Order now while supplies last.",
        True,
    ),
    (
        "a rule on a kind of loan",
        "Regulator warns on buy now, pay later",
        "The regulator said buy now, pay later firms must check what customers can afford. Buy now lenders have grown "
        "fast. The buy now rules begin in July, and lenders said the rules were fair.",
        False,
    ),
    (
        "a notice that names its subject, Chinese",
        "阅读原文",
        "国务院发布通知，部署就业工作。点击阅读原文查看全文。各地要落实稳就业政策，支持企业吸纳高校毕业生就业，加强就业服务，"
        "开展就业培训。",
        False,
    ),
    (
        "a technical text repeats its terms",
        "Kernel",
        "The kernel patch fixes a kernel bug in the kernel scheduler.",
        False,
    ),
]


@pytest.mark.parametrize(("name", "title", "text", "expected"), FARMS, ids=[row[0] for row in FARMS])
def test_content_farm(name: str, title: str, text: str, expected: bool) -> None:
    assert (judge(candidate(title=title, text=text)) is not None) == expected
    assert ("content_farm" in struck(title=title, text=text)) == expected


def test_a_farm_loses_nearly_half_of_its_points() -> None:
    item = run([judged(candidate("a", title="Cheap phones", text=STUFFED + "buy now"))]).item(0)
    assert item.penalties[0].factor == pytest.approx(0.55)
    assert "buy now" in item.penalties[0].evidence and "cheap" in item.penalties[0].evidence


# --------------------------------------------------------------------------- clickbait

BAIT = [
    ("17 Photos That Will Make You Cry", True),
    ("You Won't Believe What This Dog Did", True),
    ("Can You Guess Which Country This Is", True),
    ("Central bank raises rates by a quarter point", False),
    ("Storm leaves 300 dead in coastal towns", False),
    ("Company reports quarterly loss, cuts 500 jobs", False),
    ("震惊！你绝对想不到他竟然做了这件事？", True),
    ("国务院印发关于促进就业的通知", False),
]


@pytest.mark.parametrize(("title", "expected"), BAIT)
def test_the_headlines_own_signals(title: str, expected: bool) -> None:
    assert (bait(title, SETTINGS.scoring.clickbait).score >= 0.5) == expected


BODY = (
    "The council approved the new bridge over the river on Monday after a long debate about its cost and its design. "
)


def test_a_body_about_something_else_empties_completeness() -> None:
    pool = [
        judged(candidate("a", title="Singer secretly married a famous actor", text=BODY * 4)),
        judged(candidate("b", title="Council approved the new bridge", text=BODY * 4)),
    ]
    report = run(pool)
    assert report.table.struck[:, 3].tolist() == [True, False]
    assert report.table.values[0, 4] == 0 and report.table.values[1, 4] > 0
    assert report.table.factors[0, 3] == 1
    assert "agree by" in report.item(0).penalties[0].evidence


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Singer secretly married famous actor after wild Paris dinner party, mother told friendly gossip columnist Monday",
         False),
        ("You Won't Believe Which Famous Actor The Singer Secretly Married After Her Wild Paris Dinner Party Monday", True),
    ],
)  # fmt: skip
def test_a_headline_that_baits_is_asked_for_more(title: str, expected: bool) -> None:
    assert ("clickbait" in struck(title=title, text=BODY * 4)) == expected


def test_a_short_teaser_says_nothing_against_its_headline() -> None:
    assert "clickbait" not in struck(title="Singer secretly married a famous actor", text="Read on.")


# --------------------------------------------------------------------------- completeness and preference

COMPLETE = [
    ("when, who, what", "Reuters: Acme launched a phone on Monday", 3),
    ("Chinese", "华为公司今天发布新手机", 3),
    ("a topic only", "thoughts about cooking", 0),
    ("a date in figures", "2026-11-28", 1),
    ("who and what", "The minister resigned", 2),
]


@pytest.mark.parametrize(("name", "title", "elements"), COMPLETE, ids=[row[0] for row in COMPLETE])
def test_completeness(name: str, title: str, elements: int) -> None:
    assert run([judged(candidate("a", title=title))]).table.values[0, 4] == pytest.approx(elements / 3)


@pytest.mark.parametrize(
    ("interests", "text", "value"),
    [
        ((), "anything", 0),
        (("ai",), "AI rules", 1),
        (("ai",), "They said so in Dubai", 0),
        (("ai", "chips", "space", "law"), "AI chips", 2 / 3),
        (("芯片",), "新芯片发布", 1),
        (("晶片", "芯片"), "新芯片發布", 0.5),
    ],
)
def test_preference(interests: tuple[str, ...], text: str, value: float) -> None:
    assert overlap(interests, text) == pytest.approx(value)


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("ai", "dubai", False),
        ("ai", "the ai act", True),
        ("ai", "用ai写作", True),
        ("gpt-5", "gpt-50", False),
        ("gpt-5", "openai发布gpt-5模型", True),
        ("发布", "正式发布会", True),
    ],
)
def test_a_latin_word_never_matches_inside_another(phrase: str, text: str, expected: bool) -> None:
    assert holds(phrase, text) == expected
