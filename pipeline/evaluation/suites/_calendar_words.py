"""Whether a phrase names more than the calendar: a holiday, a lunar date, a reign. Those are out of scope.

Closed lists of the calendar's own words: units, names, numbers and connectives. They are the suite's own and know
nothing of the parser, so that scope does not follow what the product can read. English words of one or two letters
are never a name here and need no listing.
"""

from __future__ import annotations

import re

_ENGLISH = frozenset(
    """
    day days week weeks weekend weekends workweek wks month months quarter quarters qtr qtrs half year years yrs
    fortnight fortnights decade decades century centuries sec min hour hours minute minutes second seconds spring summer
    autumn fall winter morning afternoon evening night nights date calendar business trading work working time times
    eom eoy bom boy ytd mtd qtd bce

    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed weds thu thur thurs fri sat sun
    mondays tuesdays wednesdays thursdays fridays saturdays sundays

    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand thousands
    first third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth
    seventeenth eighteenth nineteenth twentieth thirtieth
    noughties twenties thirties forties fifties sixties seventies eighties nineties

    about after ago all and any anytime around back before beginning between closest coming commencing couple current
    during each earlier early effective end ending ends entire few following for forward from full greater hence into
    just last late later less mid middle more nearest next not now off old only onward onwards our over own part past
    preceding present previous prior recent rest right same several show since some sometime start starting still than
    that the then these this those through throughout thru till today tomorrow tonight twice until upcoming upto whole
    will with within yesterday
    """.split()
)
_CHINESE = frozenset(
    "零〇○一二两兩三四五六七八九十百千几幾数半廿年月日号號周週星期礼禮拜天季度世纪紀代个個上下前后後这這本今去昨明次当當大"
    "近最过過去未来來的第初末底中旬首头頭以之内內里起至到从從自在于止截间間与與和或及现現在目每全期段时時候开開始多余餘左右前后"
    "尋听聽琴早晚夜晨凌间期往此再歷历夏冬秋春暑假天份工作交易日刚剛才即将將不超出共约約整满滿差早期晚期叶葉朝包括由再"
)
_HOLIDAY = re.compile(
    r"\b(?:black|good|great|holy|easter|clean|shrove|palm|white|trinity|cyber|ash|boss|new) ?"
    r"(?:friday|monday|tuesday|wednesday|thursday|saturday|sunday|mon|year)|\bmay day\b|\b4th of july$",
    re.IGNORECASE,
)
"""Holidays that are made of the calendar's own words."""
_LUNAR = re.compile(
    r"农历|農曆|阴历|陰曆|正月|腊月|闰|閏|初[一二三四五六七八九十]|廿|[节節]|元旦|[春清]明|夏至|冬至|芒种|除夕|重阳|端午|中秋|元宵"
)
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LONG_ENGLISH, _LONG_CHINESE = 7, 12  # words, characters; a longer phrase is a sentence, where any word may stand


def names_more(phrase: str, lang: str) -> bool:
    """The phrase holds a name beyond the calendar's words."""
    if _LUNAR.search(phrase):
        return True
    if han := _HAN.findall(phrase):
        return len(phrase) <= _LONG_CHINESE and not _CHINESE.issuperset(han)
    if lang == "zh":
        return False
    words = re.findall(r"[a-z]+", phrase.lower())
    unknown = any(word not in _ENGLISH and len(word) > 2 for word in words)
    return bool(_HOLIDAY.search(phrase)) or (len(words) <= _LONG_ENGLISH and unknown)
