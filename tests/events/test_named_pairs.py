"""Pairs that other tools confuse: each row is two or more items and whether they are one event."""

from __future__ import annotations

from typing import Any

import pytest

from tests.events.helpers import embedded, grouped, item

RATES = (
    "The Federal Reserve raised its benchmark interest rate by a quarter of a percentage point on Wednesday, citing "
    "persistent inflation and a strong labour market, and signalled more to come."
)
SANCTIONS = (
    "Ministers of the European Union on Monday adopted a new package of sanctions against Russia, the bloc said in a "
    "statement after talks in Brussels that lasted into the evening."
)
HIRING = (
    "We are hiring. Join our team of friendly people and work remotely from anywhere in the world with great benefits, "
    "good pay and plenty of holidays."
)

APART = {
    "ordinals of a series": (
        "EU adopts 12th sanctions package on Russia",
        "EU adopts 13th sanctions package on Russia",
    ),
    "ordinals in words": ("EU adopts twelfth sanctions package", "EU adopts thirteenth sanctions package"),
    "Chinese ordinals, numeral and digits": ("欧盟通过第十二轮对俄制裁方案", "欧盟通过第13轮对俄制裁方案"),
    "raises and cuts": ("Bank of England raises interest rates", "Bank of England cuts interest rates"),
    "raises and cuts in Chinese": ("央行宣布上调利率25个基点", "央行宣布下调利率25个基点"),
    "confirms and denies": ("Airline confirms merger talks with rival", "Airline denies merger talks with rival"),
    "one maker, two happenings": ("Nvidia unveils new architecture", "Nvidia shares jump"),
    "one maker, two happenings at length": (
        "Nvidia unveils Blackwell architecture",
        "Nvidia shares jump to a record high",
    ),
    "two buyers": ("Boeing wins order from Delta for 100 jets", "Boeing wins order from United for 100 jets"),
    "two countries": ("Parliament of Germany approves the budget", "Parliament of France approves the budget"),
    "two magnitudes": ("Earthquake of magnitude 6.1 shakes Chile", "Earthquake of magnitude 6.4 shakes Chile"),
    "versions of a model": ("OpenAI releases GPT-4 to developers", "OpenAI releases GPT-5 to developers"),
    "one name in two scripts, two happenings": (
        "Liu Qiangdong opens first supermarket in Hungary",
        "刘强东向家乡老人发放年货",
    ),
    "one name in two scripts, two numbers": (
        "Shenzhou-21 crew arrives at space station",
        "神舟二十二号乘组进入空间站",
    ),
    "a name known in two scripts, two numbers": ("Airbus 350 orders grow", "空客320订单增长"),
    "a place known to be written otherwise": (
        "Bali to host climate summit in November",
        "巴黎将于11月举办气候峰会",
    ),
    "a read name, two ordinals": ("12th Yunlu fair opens in Hefei", "第13届云麓展会在合肥开幕"),
    "a read name, opposite ends": ("Zhuque rocket launch succeeds", "朱雀火箭发射失败"),
    "a common noun read like a name": ("Dating Show Host Arrested", "大厅主持人被捕"),
    "one name in two scripts, two versions": (
        "Lingxi 1.0 released for local servers",
        "灵犀 2.0 发布 支持本地服务器",
    ),
    "nothing in common": ("Storm hits the coast of Florida", "Parliament votes on the budget in Canberra"),
}

TOGETHER = {
    "traditional and simplified characters": ("台湾发生六级地震 多地震感明显", "臺灣發生六級地震 多地震感明顯"),
    "full width and half width": ("苹果发布ｉＰｈｏｎｅ １７", "苹果发布iPhone 17"),
    "English and Chinese": ("Apple unveils new iPhone 17 at California event", "苹果在加州发布iPhone 17新机"),
    "English and Chinese earthquake": (
        "Strong earthquake hits northern Japan, tsunami warning",
        "日本北部强烈地震 发布海啸警报",
    ),
    "English and Chinese, of a product in no table": (
        "Kunlun chip unit files for Hong Kong listing",
        "昆仑芯申请在港上市",
    ),
    "English and Chinese, of a firm in no table": (
        "Zhipu raises 3 billion yuan before listing",
        "智谱完成30亿元融资 筹备上市",
    ),
    "English and Chinese, a name with its number": (
        "Shenzhou-22 crew arrives at space station",
        "神舟二十二号乘组进入空间站",
    ),
    "English and Chinese, a place and other numbers": ("Taiwan 7.0 earthquake shakes Taipei", "台湾27日地震台北有感"),
    "English and Chinese, a name and an amount": (
        "Xiaomi 300 million euro plant opens in Spain",
        "小米3亿欧元西班牙工厂投产",
    ),
    "English and Chinese chip": ("Nvidia unveils new AI chip architecture", "英伟达发布新一代AI芯片架构"),
}


@pytest.mark.parametrize("titles", APART.values(), ids=APART)
@pytest.mark.parametrize("with_vectors", [True, False], ids=["embedded", "words alone"])
def test_stays_apart(titles: tuple[str, ...], with_vectors: bool) -> None:
    items = [item(title) for title in titles]
    found = grouped(*items, vectors=embedded(*items) if with_vectors else None)
    assert len(found.events) == len(items)


@pytest.mark.parametrize("titles", TOGETHER.values(), ids=TOGETHER)
def test_comes_together(titles: tuple[str, ...]) -> None:
    items = [item(title) for title in titles]
    found = grouped(*items, vectors=embedded(*items))
    assert len(found.events) == 1
    assert found.events[0].why, "a merge says why"


def test_a_merge_says_how_a_name_is_read() -> None:
    items = [item("Kunlun chip unit files for Hong Kong listing"), item("昆仑芯申请在港上市")]
    assert "昆仑 is read Kunlun" in grouped(*items, vectors=embedded(*items)).events[0].why[0].reason


def test_series_stays_apart_under_one_lead_and_says_why() -> None:
    found = grouped(
        item("EU adopts 12th sanctions package on Russia", SANCTIONS),
        item("EU adopts 13th sanctions package on Russia", SANCTIONS),
    )
    assert len(found.events) == 2
    (veto, *_) = found.apart
    assert (veto.relation, veto.layer) == ("apart", "veto: ordinals")
    assert "12" in veto.reason
    assert "13" in veto.reason


def test_paraphrase_without_shared_words_is_one_item_when_the_lead_agrees() -> None:
    found = grouped(item("Powell turns hawkish", RATES), item("Borrowers face dearer loans", RATES))
    assert len(found.events) == 1
    assert found.original_of[0] == found.original_of[1]


def test_edited_reissue_is_one_item() -> None:
    edited = RATES.replace("signalled more to come", "hinted that more may follow")
    found = grouped(
        item("Fed lifts rates by a quarter point", RATES, hours=20),
        item("Fed lifts rates by quarter point", edited, hours=18),
    )
    assert list(found.original_of) == [0, 0]
    assert found.events[0].copies == ((found.events[0].members[1], found.events[0].members[0]),)


def test_nine_reprints_of_one_agency_text_are_one_voice() -> None:
    text = "LONDON (Reuters) - " + RATES
    items = [
        item(f"Fed raises rates again - Paper {n}", text, url=f"https://paper{n}.example/story", hours=30 - n)
        for n in range(9)
    ]
    found = grouped(*items)
    assert [len(event.members) for event in found.events] == [9]
    assert found.events[0].independent == 1
    assert found.events[0].owners[0][0] == "reuters"


def test_differing_figures_in_the_same_words_are_a_series() -> None:
    daily = (
        "Shares of the company closed {} percent higher on volume of {} million, the exchange said in its report of the "
        "day, while the index of smaller firms was little changed at {} points."
    )
    found = grouped(
        item("Shares close higher", daily.format("2.3", 41, 1875)),
        item("Shares close higher", daily.format("0.8", 37, 1902)),
    )
    assert len(set(found.original_of)) == 2


def test_forty_items_with_one_link_stay_forty() -> None:
    words = ["amber", "birch", "cedar", "delta", "ember", "frost", "grove", "haven", "inlet", "juniper"]
    items = [
        item(f"{words[n % 10].title()} {words[n // 10].title()} {n}", url="https://feed.example/", id=f"entry-{n}")
        for n in range(40)
    ]
    assert len(grouped(*items).events) == 40


def test_ids_that_differ_by_the_fragment_stay_apart() -> None:
    page = "https://log.example/changes"
    found = grouped(
        item("Search is faster now", "Index rebuilt.", url=f"{page}#search", id=f"{page}#search"),
        item("Dark theme arrives", "Colours follow the system.", url=f"{page}#theme", id=f"{page}#theme"),
    )
    assert len(found.events) == 2


def test_empty_leads_and_titles_never_match() -> None:
    found = grouped(item("Alpha wins the cup"), item("Beta loses a wheel"), item("", "", id="x"), item("", "", id="y"))
    assert len(found.events) == 4


@pytest.mark.parametrize("with_vectors", [True, False], ids=["embedded", "words alone"])
def test_boilerplate_lead_merges_nothing(with_vectors: bool) -> None:
    items = [
        item(title, HIRING) for title in ("Engineer at Foo", "Designer at Bar", "Accountant at Baz", "Cook at Qux")
    ]
    vectors: Any = embedded(*items) if with_vectors else None
    assert len(grouped(*items, vectors=vectors).events) == 4


TEASER = (
    "Subscribe to the Daily Courier to read the full story and support independent journalism in your region today."
)
ON_ONE_SUBJECT = (
    "Norland halts chip exports after ministry review",
    "Minister resigns over leaked chip export licences",
    "Court blocks fine against chip exporter Talus",
    "Harbour strike delays chip exports by weeks",
    "Chip exports to Estmark reach a record",
    "Lawmakers question secret chip export waivers",
)


@pytest.mark.parametrize("with_vectors", [True, False], ids=["embedded", "words alone"])
def test_a_teaser_under_headlines_on_one_subject_makes_no_copies(with_vectors: bool) -> None:
    items = [item(title, TEASER) for title in ON_ONE_SUBJECT]
    vectors: Any = embedded(*items) if with_vectors else None
    found = grouped(*items, vectors=vectors)
    assert len(found.events) == len(ON_ONE_SUBJECT)


RETOLD = {
    "one warning, then its end": (
        ("Japan extends tsunami warning for Noto", "Japan's weather agency {} the tsunami warning for the Noto peninsula until Tuesday morning.", "extended"),
        ("Japan lifts tsunami warning for Noto", "Japan's weather agency {} the tsunami warning for the Noto peninsula on Tuesday morning.", "lifted"),
    ),
    "two firms in capitals": (
        ("Spotify To Cut Jobs In New Round", "{} said it would cut a tenth of its staff in a new round of layoffs, its chief told staff.", "Spotify"),
        ("Nokia To Cut Jobs In New Round", "{} said it would cut a tenth of its staff in a new round of layoffs, its chief told staff.", "Nokia"),
    ),
    "two steps of one prize": (
        ("Booker Prize shortlist announced", "The {} for the Booker Prize was announced in London on Monday evening by the judges.", "shortlist"),
        ("Booker Prize winner announced", "The {} of the Booker Prize was announced in London on Tuesday evening by the judges.", "winner"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("pair", RETOLD.values(), ids=RETOLD)
@pytest.mark.parametrize("with_vectors", [True, False], ids=["embedded", "words alone"])
def test_texts_that_differ_in_what_their_titles_differ_in_stay_apart(pair: Any, with_vectors: bool) -> None:
    items = [item(title, text.format(word)) for title, text, word in pair]
    found = grouped(*items, vectors=embedded(*items) if with_vectors else None)
    assert len(found.events) == 2
    assert found.original_of.tolist() == [0, 1]
    assert "veto: subject" in {link.layer for link in found.apart}


def test_other_words_for_one_deed_leave_a_copy_a_copy() -> None:
    found = grouped(
        item("Exxon buys Pioneer in $60 billion deal", "Exxon agreed to buy Pioneer in an all-stock deal, it said on Monday."),
        item("Pioneer bought by Exxon in $60 billion deal", "Pioneer agreed to be bought by Exxon in an all-stock deal, it said on Monday."),
    )  # fmt: skip
    assert len(found.events) == 1


STANDING = {
    "what is known": ("Here is what we know so far, and what is still unclear.", "What we know about the Jakarta plane crash", "What we know about the Berlin knife attack"),
    "as it happens": ("Follow our live coverage for the latest, as it happens.", "Live updates: Milton makes landfall in Florida", "Live updates: Japan votes in general election"),
    "every morning": ("Here is what you need to know to start your day.", "Morning briefing: budget vote looms", "Morning briefing: storm batters coast"),
    "in Chinese": ("点击查看最新消息，我们将持续为您更新。", "直播：飓风登陆佛州", "直播：日本众议院选举开票"),
}  # fmt: skip


@pytest.mark.parametrize(("lead", "a", "b"), STANDING.values(), ids=STANDING)
@pytest.mark.parametrize("with_vectors", [True, False], ids=["embedded", "words alone"])
def test_a_lead_that_names_nothing_makes_no_copies_of_two_titles(lead: str, a: str, b: str, with_vectors: bool) -> None:
    items = [item(a, lead), item(b, lead)]
    assert len(grouped(*items, vectors=embedded(*items) if with_vectors else None).events) == 2
