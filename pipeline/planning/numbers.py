"""Numbers as people write them: digits, English words, Chinese numerals."""

from __future__ import annotations

from collections.abc import Sequence

_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
""".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth
""".split()
ONES = {word: value for value, word in enumerate(_ONES)}
TENS = {word: 20 + 10 * place for place, word in enumerate(_TENS)}
ORDINALS = {word: value for value, word in enumerate(_ORDINALS, 1)} | {
    word[:-1] + "ieth": value for word, value in TENS.items()
}
SCALES = {"hundred": 100, "thousand": 1000}


def english_number(words: Sequence[str], at: int) -> tuple[int, bool, int] | None:
    """(value, ordinal, next place) of the number words from `at`; hyphens may stand between them.

    "twenty one", "two thousand and eighteen", "nineteen eighty six" (a year), "twenty-seventh".
    """
    total = current = 0
    place, taken, end = at, False, at
    previous = ""
    while place < len(words):
        word = words[place]
        if word in ONES or word in TENS:
            value = ONES.get(word, TENS.get(word, 0))
            if previous == "ones" or (previous == "tens" and (value >= 10 or value == 0)):
                if total == 0 and 16 <= current <= 20 and value >= 10:
                    current = current * 100 + value  # "nineteen eighty", "twenty twenty"
                else:
                    break
            else:
                current += value
            previous = "tens" if word in TENS else "ones"
        elif word in ORDINALS:
            value = ORDINALS[word]
            if previous == "ones" or (previous == "tens" and value >= 10):
                break
            return total + current + value, True, place + 1
        elif word in SCALES and taken and previous:
            scale = SCALES[word]
            if scale == 100:
                current *= 100
            else:
                total += current * 1000
                current = 0
            previous = "scale"
        elif word in ("and", "-") and taken and place + 1 < len(words):
            follows = words[place + 1]
            joins = previous == "scale" if word == "and" else previous == "tens"
            if not joins or follows not in (ONES.keys() | TENS.keys() | ORDINALS.keys()):
                break
            place += 1
            continue
        else:
            break
        place += 1
        taken, end = True, place
    return (total + current, False, end) if taken else None


_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {
    "〇": 0, "○": 0, "两": 2, "廿": 20, "卅": 30, "幺": 1,
}  # fmt: skip
HAN_NUMERAL = "零〇○一二两三四五六七八九十百千廿卅"


def chinese_number(raw: str) -> int | None:
    """Value of "12", "十二", "二〇二六", "廿三", "一百零五"; None when it is no number."""
    raw = raw.strip()
    if raw.isdigit():
        return int(raw)
    if not raw or any(char not in HAN_NUMERAL for char in raw):
        return None
    if not any(char in "十百千廿卅" for char in raw):
        return int("".join(str(_HAN_DIGITS[char]) for char in raw))
    total = current = 0
    for char in raw:
        if char in ("十", "百", "千"):
            total += (current or 1) * {"十": 10, "百": 100, "千": 1000}[char]
            current = 0
        elif char in ("廿", "卅"):
            total += _HAN_DIGITS[char]
        else:
            current = _HAN_DIGITS[char]
    return total + current
