"""Month names and zone names as they occur in feeds, pages and addresses of many languages.

Names are compared folded: lower case, accents off, dots off (see `fold`). The lists are written by us.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

ENGLISH_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
ENGLISH_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    # one row a month; full names and usual short forms, nominative and genitive where they differ
    "january jan janvier janv enero ene gennaio gen januar janner jan. januari janeiro januarie ianuarie leden ledna "
    "stycznia styczen sty januarja januara sijecnja siecznia ocak januar tammikuu tammikuuta januar janvaris sausio "
    "sausis jaanuar ianouariou ianouarios "
    "января январь янв січня січень януари јануар јануари јануара γεναρη ιανουαριου ιανουαριος ιαν يناير "
    "ژانویه hunvar հունվար հունվարի հնվ gener xaneiro januaro",
    "february feb fevrier fevr fev febrero febbraio februar feber februari fevereiro februarie unor unora lutego luty "
    "lut februarja februara veljace subat helmikuu helmikuuta februaris vasario vasaris veebruar február "
    "февраля февраль фев февр лютого лютий февруари фебруар фебруара φεβρουαριου φεβρουαριος φεβ فبراير شباط فوریه "
    "փետրվար փետրվարի փտվ febrer febreiro veljaca",
    "march mar mars marzo marz marzec marca mrz maart marco martie brezen brezna ozujka ozujak mart marts marcius "
    "maaliskuu maaliskuuta kovo kovas marts "
    "марта март мар березня березень марта μαρτιου μαρτιος μαρ مارس اذار مارچ մարտ մարտի մրտ marc maart marzal",
    "april apr avril avr abril abr aprile aprilie april duben dubna kwietnia kwiecien kwi travnja travanj nisan "
    "aprilis huhtikuu huhtikuuta balandzio balandis aprill "
    "апреля апрель апр квітня квітень април априла απριλιου απριλιος απρ ابريل نيسان آوریل ապրիլ ապրիլի ապր",
    "may mai mayo maggio mag mei maio mai maj kveten kvetna maja svibnja svibanj mayis majus toukokuu toukokuuta maijs "
    "geguzes geguze "
    "мая май травня травень мај маја μαιου μαιος μαι مايو ايار مه մայիս մայիսի մյս maig",
    "june jun juin junio giugno giu juni junho iunie cerven cervna czerwca czerwiec cze junija juna lipnja lipanj "
    "haziran junius kesakuu kesakuuta junijs birzelio birzelis juuni "
    "июня июнь июн червня червень юни јун јуна ιουνιου ιουνιος ιουν يونيو حزيران ژوئن հունիս հունիսի հնս juny xuno",
    "july jul juillet juil julio luglio lug juli julho iulie cervenec cervence lipca lipiec lip julija jula srpnja "
    "srpanj temmuz julius heinakuu heinakuuta julijs liepos liepa juuli "
    "июля июль июл липня липень юли јул јула ιουλιου ιουλιος ιουλ يوليو تموز ژوئیه հուլիս հուլիսի հլս juliol xullo",
    "august aug aout agosto ago augustus augusti agosto august srpen srpna sierpnia sierpien sie avgusta avgust "
    "kolovoza kolovoz agustos augusztus elokuu elokuuta augusts rugpjucio rugpjutis "
    "августа август авг серпня серпень август αυγουστου αυγουστος αυγ اغسطس آب اوت օգոստոս օգոստոսի օգս agost",
    "september sep sept septembre septiembre setiembre set settembre sett setembro septembrie zari wrzesnia wrzesien "
    "wrz septembra rujna rujan eylul szeptember syyskuu syyskuuta septembris rugsejo rugsejis "
    "сентября сентябрь сен сент вересня вересень септември септембар септембра σεπτεμβριου σεπτεμβριος σεπ "
    "سبتمبر ايلول سپتامبر սեպտեմբեր սեպտեմբերի սպտ setembre",
    "october oct octobre octubre oct ottobre ott oktober okt outubro out octombrie rijen rijna pazdziernika "
    "pazdziernik paz oktobra ekim lokakuu lokakuuta oktobris spalio spalis oktoober "
    "октября октябрь окт жовтня жовтень октомври октобар октобра οκτωβριου οκτωβριος οκτ اكتوبر اکتبر հոկտեմբեր "
    "հոկտեմբերի հկտ outubro",
    "november nov novembre noviembre novembro noiembrie listopad listopadu listopada novembra studenoga studeni kasim "
    "marraskuu marraskuuta novembris lapkricio lapkritis "
    "ноября ноябрь ноя нояб листопада листопад ноември новембар новембра νοεμβριου νοεμβριος νοε نوفمبر نوامبر "
    "նոյեմբեր նոյեմբերի նմբ",
    "december dec decembre diciembre dic dicembre dezember dez dezembro decembrie prosinec prosince grudnia grudzien "
    "gru decembra prosinca prosinac aralik joulukuu joulukuuta decembris gruodzio gruodis detsember des desember "
    "декабря декабрь дек грудня грудень декември децембар децембра δεκεμβριου δεκεμβριος δεκ ديسمبر دسامبر դեկտեմբեր "
    "դեկտեմբերի դկտ desembre",
)

ZONES = {
    # hours east of Greenwich; RFC 822 meanings first, then the one in widest use on news sites
    "z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 1, "bst": 1, "ist": 5.5, "cet": 1, "cest": 2, "mez": 1,
    "mesz": 2, "met": 1, "mest": 2, "eet": 2, "eest": 3, "msk": 3, "msd": 4, "trt": 3, "gst": 4, "irst": 3.5, "pkt": 5,
    "ict": 7, "wib": 7, "hkt": 8, "sgt": 8, "pht": 8, "myt": 8, "awst": 8, "jst": 9, "kst": 9, "acst": 9.5,
    "acdt": 10.5, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13, "nst": -3.5, "ndt": -2.5, "ast": -4, "adt": -3,
    "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    "akst": -9, "akdt": -8, "hst": -10, "brt": -3, "art": -3, "clt": -4, "cot": -5, "sast": 2, "cat": 2,
    "eat": 3, "wat": 1,
}  # fmt: skip
AMERICAN = {"et": "America/New_York", "ct": "America/Chicago", "mt": "America/Denver", "pt": "America/Los_Angeles"}
"""Names of a zone in summer and winter alike."""
COUNTS = {
    "a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0,
    "eight": 8.0, "nine": 9.0, "ten": 10.0, "several": 3.0, "半": 0.5, "两": 2.0, "兩": 2.0, "数": 3.0, "几": 3.0,
}  # fmt: skip
"""How many, in words; "several" is taken for few."""


@lru_cache(maxsize=4096)
def fold(word: str) -> str:
    """Lower case, accents and dots off: "Févr." and "fevr" are one name."""
    flat = unicodedata.normalize("NFKD", word.lower().replace("ł", "l").replace("ı", "i"))
    return "".join(char for char in flat if not unicodedata.combining(char)).replace(".", "").replace("'", "")


MONTHS = {fold(name): number for number, row in enumerate(_MONTHS, 1) for name in row.split()}
"""Folded month name -> 1..12."""

HAN_DIGITS = {char: value for value, char in enumerate("〇一二三四五六七八九")} | {"零": 0}


def han_number(text: str) -> int:
    """Chinese numerals below 100: 三 -> 3, 十二 -> 12, 二十一 -> 21."""
    tens, ten, ones = text.rpartition("十")
    head = HAN_DIGITS.get(tens[-1:], 1) * 10 if ten else 0
    return head + (HAN_DIGITS.get(ones[-1:], 0) if ones else 0)
