"""The veto between two titles: what separates them, and what does not."""

from __future__ import annotations

import pytest

from pipeline.events.contrast import contrast
from pipeline.events.entities import Facts
from tests.events.helpers import grouped, item

OPPOSITE = {
    "will and will not": ("negation", "OpenAI says it will release GPT-6", "OpenAI says it will not release GPT-6"),
    "does and does not": ("negation", "Chancellor does rule out tax rises", "Chancellor does not rule out tax rises"),
    "has and has not been": ("negation", "Google has been hacked", "Google has not been hacked"),
    "supports and does not, in Chinese": ("negation", "法院支持原告", "法院不支持原告"),
    "for and against": ("direction", "Court rules for Google in ad case", "Court rules against Google in ad case"),
    "up and down": ("direction", "Dow closes up 300 points", "Dow closes down 300 points"),
    "yes and no": ("direction", "Iran says yes to nuclear talks", "Iran says no to nuclear talks"),
    "who sues whom": ("roles", "Google sues Epic", "Epic sues Google"),
    "who attacks whom": ("roles", "Russia attacks Ukraine", "Ukraine attacks Russia"),
    "who beats whom": ("roles", "Arsenal beat Chelsea 2-1", "Chelsea beat Arsenal 2-1"),
    "whose score is the higher": ("roles", "Arsenal 2-1 Chelsea in London", "Chelsea 2-1 Arsenal in London"),
    "whose tariffs, in Chinese": ("roles", "美国对中国加征关税", "中国对美国加征关税"),
    "a side of two words, in Chinese": ("roles", "小米汽车起诉自媒体", "自媒体起诉小米汽车"),
    "score and victory, in Chinese": ("roles", "湖人110比102战胜凯尔特人", "凯尔特人110比102战胜湖人"),
}

MOULDS = {
    "a craft's number in Chinese": ("numbers", "神舟二十号发射成功", "神舟二十一号发射成功"),
    "a probe's number in Chinese": ("numbers", "嫦娥六号着陆月球", "嫦娥七号着陆月球"),
    "a rocket's number in Chinese": ("numbers", "长征五号遥六火箭发射", "长征五号遥七火箭发射"),
    "an ordinal before a hyphen": (
        "ordinals",
        "Apple reports second-quarter results",
        "Apple reports third-quarter results",
    ),
    "an ordinal in two languages": ("ordinals", "EU adopts 12th sanctions package", "欧盟通过第十三轮对俄制裁方案"),
    "rates in two languages": ("direction", "Fed cuts interest rates", "美联储加息"),
    "rates of a bank in two languages": ("direction", "Bank of England raises interest rates", "英国央行下调利率"),
    "holds and cuts": ("direction", "Fed holds interest rates", "Fed cuts interest rates"),
    "upholds and overturns": ("direction", "Court upholds ban on TikTok", "Court overturns ban on TikTok"),
    "record high and low": ("direction", "Lira hits record high", "Lira hits record low"),
    "higher and lower": ("direction", "Dow closes higher", "Dow closes lower"),
    "resume and collapse": ("direction", "Peace talks resume in Cairo", "Peace talks collapse in Cairo"),
    "adds and loses": ("direction", "Netflix adds 5 million subscribers", "Netflix loses 5 million subscribers"),
    "rises and falls in Chinese": ("direction", "沪指涨1.2%", "沪指跌1.2%"),
    "begins and ends in Chinese": ("direction", "波音罢工开始", "波音罢工结束"),
    "succeeds and fails in Chinese": ("direction", "神舟二十号飞船发射成功", "神舟二十号飞船发射失败"),
    "two tickers": ("key entities", "NVDA up 3%", "AMD up 3%"),
    "two metals": ("key entities", "Gold hits record high", "Silver hits record high"),
    "two storms": ("key entities", "Typhoon Ragasa hits Taiwan", "Typhoon Halong hits Taiwan"),
    "two makers in Chinese": ("key entities", "茅台股价上涨5%", "五粮液股价上涨5%"),
    "tolls of two happenings": ("numbers", "Quake kills 12 in Peru", "Quake kills 128 in Peru"),
    "a denial and its denial": ("negation", "Minister denies secret talks", "Minister does not deny secret talks"),
    "a denial and its denial in Chinese": ("negation", "外交部否认秘密会谈", "外交部不否认秘密会谈"),
    "reports of two quarters in Chinese": ("numbers", "贵州茅台发布一季报", "贵州茅台发布三季报"),
    "two versions, told otherwise": (
        "numbers",
        "Firefox 131 released with tab previews",
        "Firefox 132 brings better sync",
    ),
    "two quarters, told otherwise": ("numbers", "Tesla Q2 deliveries beat estimates", "Tesla misses estimates in Q3"),
    "up and down, told otherwise": (
        "direction",
        "Oil prices rise on supply fears",
        "Oil prices fall on demand worries",
    ),
    "up and down, told otherwise in Chinese": ("direction", "油价上涨 供应担忧加剧", "油价下跌 需求前景黯淡"),
    "up and down in two languages": ("direction", "Hang Seng index rises 3%", "恒生指数下跌3%"),
    "two verdicts in two languages": ("direction", "Supreme Court upholds TikTok ban", "美最高法院推翻TikTok禁令"),
    "two winners": ("key entities", "Verstappen wins Miami Grand Prix", "Norris wins Miami Grand Prix"),
    "two firms, all in capitals": ("key entities", "Spotify To Cut 1,500 Jobs", "Nokia To Cut 1,500 Jobs"),
    "ages": ("numbers", "Painter dies at 84", "Painter dies at 91"),
}

THE_SAME = {
    "a toll that grows": ("Quake kills 12 in Peru", "Quake kills 15 in Peru"),
    "basis points": ("Fed raises rates by 25 basis points", "Fed raises rates by 0.25 percentage points"),
    "per cent in words": ("Tax rises by 5 per cent", "Tax rises by five percent"),
    "a craft's number in digits": ("神舟二十一号发射成功", "神舟21号发射成功"),
    "two Chinese forms of a name": ("川普访问北京", "特朗普访问北京"),
    "a Latin name within Chinese": ("OpenAI releases GPT-6", "OpenAI发布GPT-6"),
    "a meeting, by whom it is named first": ("Trump meets Putin in Alaska", "Putin meets Trump in Alaska"),
    "both sides of an exchange": ("Russia and Ukraine swap prisoners", "Ukraine and Russia swap prisoners"),
    "a list in another order": ("Apple, Google and Meta fined by EU", "Meta, Google and Apple fined by EU"),
    "a draw": ("Arsenal 1-1 Chelsea in London", "Chelsea 1-1 Arsenal in London"),
    "a passive": ("Google sues Epic over store", "Epic sued by Google over store"),
    "clauses in another order": ("Rates rise as inflation falls", "Inflation falls as rates rise"),
    "the place first": ("Quake in Peru kills 12", "12 killed as quake hits Peru"),
    "only more words": ("Dow closes up 300 points", "Dow closes up 300 points in late trading"),
    "two ways to say no": ("Court rejects Apple appeal in tax case", "Apple loses appeal in tax case"),
    "what a failure comes to": ("Senate fails to pass border bill", "Senate blocks border bill"),
    "the future denies nothing": ("特斯拉公布未来三年计划", "特斯拉公布三年计划"),
    "what goes on denies nothing": ("降雨不断 长沙启动应急响应", "降雨 长沙启动应急响应"),
    "a version in short": ("Qwen 3 arrives with open weights", "Alibaba unveils Qwen 3.0 models"),
    "a toll that grows at the beginning": ("12 dead in Lagos market fire", "15 dead in Lagos market fire"),
    "two words for a disaster": ("Quake shakes coast of Peru", "Earthquake shakes coast of Peru"),
    "an article": ("Court rules for Google in ad case", "Court rules for Google in the ad case"),
}


@pytest.mark.parametrize(("kind", "a", "b"), OPPOSITE.values(), ids=OPPOSITE)
def test_opposite_statements_in_the_same_words_are_neither_copies_nor_one_event(kind: str, a: str, b: str) -> None:
    found = grouped(item(a), item(b))
    assert found.original_of.tolist() == [0, 1]
    assert len(found.events) == 2
    assert {link.layer for link in found.apart} == {f"veto: {kind}"}


@pytest.mark.parametrize(("kind", "a", "b"), (OPPOSITE | MOULDS).values(), ids=OPPOSITE | MOULDS)
def test_a_contrast_is_the_same_from_both_sides(kind: str, a: str, b: str) -> None:
    found = [contrast(Facts(x, ""), Facts(y, "")) for x, y in ((a, b), (b, a))]
    assert [one and one.kind for one in found] == [kind, kind]


@pytest.mark.parametrize(("a", "b"), THE_SAME.values(), ids=THE_SAME)
def test_the_same_told_otherwise_is_no_contrast(a: str, b: str) -> None:
    assert contrast(Facts(a, ""), Facts(b, "")) is None


SAID = {
    "names as they stand": (
        "Boeing wins order from Delta for 100 jets",
        "Boeing wins order from United for 100 jets",
        "Delta against United",
    ),
    "names in Chinese": ("法国议会批准预算", "德国议会批准预算", "法国议会 against 德国议会"),
    "words with their endings": (
        "Dow strengthens after report",
        "Dow weakens after report",
        "strengthens against weakens",
    ),
    "deeds": ("Nvidia unveils architecture", "Nvidia shares jump", "one tells of unveils, the other of jump, shares"),
    "what moves": (
        "Oil prices rise on supply fears",
        "Oil prices fall on demand worries",
        "prices up in one, down in the other",
    ),
}


@pytest.mark.parametrize(("a", "b", "reason"), SAID.values(), ids=SAID)
def test_a_reason_quotes_the_titles(a: str, b: str, reason: str) -> None:
    found = contrast(Facts(a, ""), Facts(b, ""))
    assert found
    assert found.reason.endswith(reason)
