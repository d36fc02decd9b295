"""Title and body: who is struck depends on these two alone, not on what else is in the pool."""

import pytest

from pipeline.embedding import open_embedder
from tests.scoring.made import SETTINGS, candidate, grouping, judged, run

FLOODED = "Rome floods: the Tiber rose again overnight and streets in the centre were closed to traffic"
RESCUED = (
    "Rescuers in Rome took forty people from their homes after the Tiber rose overnight. The mayor asked citizens to "
    "stay at home and closed schools in the centre until Friday."
)
OTHERS = [
    ("Rome floods damage the old bridge", "Engineers in Rome said on Monday that floods had damaged the old bridge."),
    ("Rome marathon winner praises fans", "The winner of the Rome marathon praised floods of fans along the route."),
]
POOLS = [
    ("alone", 1, 0, False),
    ("two", 2, 0, False),
    ("three", 3, 0, False),
    ("three beside others", 3, 2, False),
    ("twenty that differ a little", 20, 0, False),
    ("twenty that differ a little, beside others", 20, 2, False),
    ("hundreds of reprints", 400, 2, True),
]


@pytest.mark.parametrize(("reprints", "others", "copied"), [row[1:] for row in POOLS], ids=[row[0] for row in POOLS])
def test_a_headline_is_borne_out_by_its_body_whatever_is_beside_it(reprints: int, others: int, copied: bool) -> None:
    texts = [(FLOODED, RESCUED)] * reprints + OTHERS[:others]
    pool = [judged(candidate(str(n), title=title, text=text)) for n, (title, text) in enumerate(texts)]
    copies = dict.fromkeys(range(1, reprints), 0) if copied else {}
    groups = grouping([one.candidate.id for one in pool], originals=copies)
    assert not run(pool, groups).table.struck[:, 3].any()


ACROSS = [
    (
        "an English title over a Chinese body",
        "Rome floods close schools",
        "台伯河水位上涨，市长宣布学校停课到周五。" * 9,
        False,
    ),
    ("a Chinese title over an English body", "罗马洪水致学校停课", RESCUED, False),
    ("a title in both scripts", "罗马洪水 Rome floods", RESCUED, False),
    ("both in Chinese, of two things", "歌手秘密结婚", "台伯河水位上涨，市长宣布学校停课到周五。" * 9, True),
    ("a Latin name among Chinese words", "Acme 歌手秘密结婚", "台伯河水位上涨，市长宣布学校停课到周五。" * 9, True),
]


@pytest.mark.parametrize(("title", "text", "expected"), [row[1:] for row in ACROSS], ids=[row[0] for row in ACROSS])
def test_words_of_another_script_are_not_missed_in_a_body(title: str, text: str, expected: bool) -> None:
    assert bool(run([judged(candidate(title=title, text=text))]).table.struck[0, 3]) == expected


# Leads that tell their headline in other words, as most do: none of them may be struck.
HONEST = [
    (
        "This is the heaviest rain the city has ever recorded",
        "More than 412 millimetres fell on Zhengport in a single day, the weather bureau said, breaking a mark that had stood since 1951. Subway stations were closed and 12,000 people were taken to shelters as rivers rose.",
    ),
    (
        "Why you may soon pay more for chocolate",
        "Cocoa futures have tripled since January after disease and drought cut harvests in Ghana and Ivory Coast. Manufacturers including Bartel said shoppers should expect higher shelf prices before the holidays as contracts expire.",
    ),
    (
        "Never before has a spacecraft flown this close to the sun",
        "The Helion probe passed 5.9 million kilometres above the solar surface at 700,000 kilometres an hour, its operators said after receiving a beacon. Instruments will send their data home next month.",
    ),
    (
        "The secret deal that brought 40 hostages home",
        "Negotiators from Qatar and Norway met militants eleven times before the captives were freed on Sunday, according to two officials. In exchange nine prisoners were released and a ransom was refused, they said.",
    ),
    (
        "Your phone may be listening: watchdog fines app maker $60 million",
        "The privacy commissioner found that a game downloaded 20 million times recorded sound through microphones without consent and sold the data to advertisers. The developer, Plinkit, said it would appeal the penalty.",
    ),
    (
        "The one thing everyone gets wrong about the new tax",
        "Finance officials said the levy applies to profits of companies above 20 million, not to private incomes as posts on social media claimed. About 900 firms will pay it, according to the treasury's estimate.",
    ),
    (
        "Unbelievable comeback: 5-0 down, city win 6-5",
        "Harrow scored six goals in the last half hour to beat Milltown after trailing by five at the interval. Striker Dan Oke got four of them, the last in stoppage time before 31,000 spectators.",
    ),
    (
        "Read this before you fly: strike grounds 900 flights",
        "Pilots of three airlines walk out on Thursday for 24 hours, and airports in Lisbon and Porto have cancelled about nine hundred departures. Passengers can rebook free of charge, carriers said.",
    ),
    (
        "Mind-blowing price: painting bought for $4 sells for $191,000",
        "An illustration found in a thrift shop turned out to be by N. C. Wyeth and went under the hammer for 191,000 dollars. The woman who had bought it for a few dollars learned of its author online.",
    ),
    (
        "The most hated man in pharma goes to prison",
        "Martin Shkreli was sentenced to seven years for defrauding investors in two hedge funds. He became notorious for raising the price of a drug fiftyfold. The judge ordered him to forfeit 7.3 million.",
    ),
    (
        "震惊！一场暴雨让这座城市一天下了一年的雨",
        "气象部门通报，郑州站单日降雨量达到552.5毫米，接近常年全年降水总量。地铁停运，部分路段严重积水，应急部门已转移安置群众十余万人，抢险仍在进行。",
    ),
    (
        "注意！这些药品被紧急召回，你家里可能就有",
        "国家药监局通告，三家企业生产的十二批次感冒冲剂检出杂质超标，已要求停止销售并召回。消费者可凭包装向药店退货，目前未收到不良反应报告。",
    ),
    (
        "为什么你的快递变慢了？三家公司回应",
        "连日降雪造成高速公路封闭，中通、圆通、申通均表示华北部分网点积压，正在调派车辆。邮政管理部门称预计三天内恢复正常投递。",
    ),
    (
        "真相来了：超市鸡蛋里检出抗生素是怎么回事",
        "市场监管局公布调查结果，涉事批次鸡蛋来自一家养殖场，检测出恩诺沙星残留，原因是休药期不足。相关产品已下架，养殖场被立案处罚。",
    ),
    (
        "全网刷屏的“最美逆行者”找到了",
        "视频中冲入火场救出两名老人的外卖骑手名叫李刚，今年27岁，来自河南周口。街道办为他申报见义勇为，公司奖励三万元。",
    ),
    (
        "重磅！央行宣布降准0.5个百分点",
        "中国人民银行决定下调金融机构存款准备金率0.5个百分点，释放长期流动性约一万亿元。行长表示将继续实施稳健的货币政策，支持实体经济。",
    ),
    (
        "一夜暴富？男子中2.2亿后首次露面",
        "福利彩票中心确认，江西中奖者购买五万倍投注，获得奖金二点二亿元，依法缴税后已领取。他表示会捐出一部分用于家乡修路。",
    ),
    (
        "恐怖！鲨鱼闯入海滩，8岁男孩受伤",
        "澳大利亚昆士兰一处浅水区发生袭击事件，一名男童腿部被咬，直升机将其送医，情况稳定。当局关闭附近三个浴场并投放浮标。",
    ),
    (
        "快看你的手机！这个漏洞影响10亿台安卓设备",
        "安全研究人员披露芯片驱动中的缺陷，攻击者可借此获取权限。谷歌已推送十一月补丁，并称在少数定向攻击中发现利用迹象，建议尽快更新系统。",
    ),
    (
        "出大事了？官方回应某银行取款难",
        "河南银保监局表示，四家村镇银行线上交易被关闭，股东涉嫌非法吸收资金，公安已立案，将分批垫付储户本金。",
    ),
]


@pytest.mark.parametrize("model", [True, False], ids=["with a model", "by words alone"])
def test_sensational_headlines_of_honest_reports_are_not_struck(model: bool) -> None:
    pool = [judged(candidate(str(n), title=title, text=text)) for n, (title, text) in enumerate(HONEST)]
    report = run(pool, embedder=open_embedder(SETTINGS)[0] if model else None)
    assert [title for (title, _), struck in zip(HONEST, report.table.struck[:, 3], strict=True) if struck] == []


def test_bait_over_a_lead_about_something_else_is_struck_where_a_model_has_looked() -> None:
    title, pool = "You won't believe what this singer did to one man's garden", []
    for n, text in enumerate((RESCUED, HONEST[3][1], HONEST[4][1])):
        pool.append(judged(candidate(str(n), title=title, text=text)))
    assert run(pool, embedder=open_embedder(SETTINGS)[0]).table.struck[:, 3].any()
    assert not run(pool).table.struck[:, 3].any()
