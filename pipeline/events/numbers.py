"""The numbers of a title in one form, whichever way they are written."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pipeline.text import HAN, lexicon

_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(
    r"(?P<nth>第)?(?P<value>\d+(?:[.,]\d+)*)(?:(?P<th>st|nd|rd|th)\b|\s?(?P<unit>%|percent(?:age points?)?\b|per cent\b"
    r"|basis points?\b|个基点|个百分点|thousand\b|million\b|billion\b|trillion\b|k\b|m\b|bn\b|tn\b|万亿|亿|万|千))?"
)
_PERCENT = {"%": 1, "percent": 1, "per cent": 1, "percentage point": 1, "percentage points": 1, "个百分点": 1,
            "basis point": 0.01, "basis points": 0.01, "个基点": 0.01}  # fmt: skip
_UNITS = {
    "thousand": 1e3, "k": 1e3, "千": 1e3, "万": 1e4, "million": 1e6, "m": 1e6, "亿": 1e8, "billion": 1e9, "bn": 1e9,
    "trillion": 1e12, "tn": 1e12, "万亿": 1e12,
}  # fmt: skip
_EDITION = re.compile(
    r"\b(?P<what>[A-Za-z]*[A-Z][A-Za-z]*)(?P<gap>[ -]?)(?P<number>\d{1,4}(?:\.\d+)*)"
    r"(?!\.?\d|,\d|\s?(?:%|percent|per cent|basis|bps|thousand|million|billion|trillion|bn|tn|[km]\b)|(?:st|nd|rd|th)\b)"
)
_NO_YEAR = r"(?!(?:19|20)\d\d\b)"
_BEHIND_LATIN = rf"[ -]?{_NO_YEAR}(\d{{1,4}}(?:\.\d+)*)(?![\d,%]|\s?(?:%|[mb]illion|trillion|[mbt]n\b|[km]\b))"
_BEHIND_CHINESE = rf"[ -]?{_NO_YEAR}(\d{{1,4}}(?:\.\d+)*)(?![\d,.%]|\s?[年月日时点分万亿千百个名人岁周天级届季架枚款家台辆种项次起位座条件轮倍成元美欧])"
_SCORE = re.compile(r"[-–:]\d")
_NUMERAL = "([一二两三四五六七八九十百]+)"
_CHINESE_ORDINAL = re.compile("第" + _NUMERAL)
_CHINESE_NUMBER = re.compile(
    f"(?<![第一二两三四五六七八九十百]){_NUMERAL}(?=号|届|轮|中全会|季|审|期)|遥{_NUMERAL}"
)  # of a series
_LETTERS = re.compile(r"\b[a-z]+\b")
_WHOLE = re.compile(r"(?<![\w-])[a-z]+(?![\w-])")  # "seven", but not that of "seven-year"


def numbers(plain: str) -> frozenset[str]:
    """Numbers of a normalised text in canonical form; ordinals are marked, so that "12th" is not "12 dead"."""
    found = set()
    spelled = _LETTERS.findall(plain)
    cardinals, ordinals = lexicon("en").get("numbers", {}), lexicon("en").get("ordinals", {})
    if not cardinals.keys().isdisjoint(spelled):
        plain = _WHOLE.sub(lambda match: str(cardinals.get(match[0], match[0])), plain)  # "five percent" -> "5 percent"
    for match in _NUMBER.finditer(plain) if _DIGIT.search(plain) else ():
        digits = match["value"].rstrip(".,")
        value = _value(digits)
        unit = match["unit"] or ""
        if match["nth"] or match["th"]:
            found.add(f"#{value:g}")
        elif unit in _PERCENT:
            found.add(f"{value * _PERCENT[unit]:g}%")
        else:
            found.add(f"{value * _UNITS.get(unit, 1):.10g}")
    if HAN.search(plain):
        found |= {f"#{chinese_number(match[1])}" for match in _CHINESE_ORDINAL.finditer(plain)}
        found |= {f"{chinese_number(match[1] or match[2])}" for match in _CHINESE_NUMBER.finditer(plain)}
    return frozenset(found.union([f"#{ordinals[word]}" for word in spelled if word in ordinals]))


def editions(title: str) -> Mapping[tuple[str, bool], frozenset[str]]:
    """(Word with a capital, whether its number is written apart) -> numbers: what comes out again and again.

    "Firefox 131", "iPhone 17", "Q3", "COP30", "CES 2026"; not amounts ("Ford 90,000"), shares or scores.
    """
    found: dict[tuple[str, bool], set[str]] = {}
    for match in _EDITION.finditer(title) if _DIGIT.search(title) else ():
        apart = match["gap"] == " "
        if not (apart and _SCORE.match(title, match.end())):
            found.setdefault((match["what"].lower(), apart), set()).add(match["number"])
    return {what: frozenset(numbers) for what, numbers in found.items()}


def behind(name: str, plain: str) -> frozenset[str]:
    """Numbers of a model or version that a normalised title writes right behind a name: "shenzhou-21", 神舟二十二号,
    "灵犀 2.0"; not years, dates and amounts, nor counts.
    """
    digits = _BEHIND_CHINESE if HAN.search(name) else _BEHIND_LATIN
    found = re.findall(rf"(?<![a-z]){re.escape(name)}(?:{digits}|{_NUMERAL}(?=号))", plain)
    return frozenset(number or str(chinese_number(numeral)) for number, numeral in found)


def _value(digits: str) -> float:
    """1,234.5 and 1.234.567 alike; a single comma before other than three digits is a decimal one."""
    parts = re.split(r"[.,]", digits)
    if len(parts) > 1 and all(len(part) == 3 for part in parts[1:]) and ("," in digits or len(parts) > 2):
        return float("".join(parts))
    if len(parts) == 1:
        return float(digits)
    return float("".join(parts[:-1]) + "." + parts[-1])


def chinese_number(text: str) -> int:
    """Value of a Chinese numeral below a thousand: 十二 -> 12, 二十 -> 20, 一百零三 -> 103."""
    digits: Mapping[str, int] = lexicon("zh")["numbers"]
    total, digit = 0, 0
    for char in text:
        if char in ("十", "百"):
            total += max(digit, 1) * (10 if char == "十" else 100)
            digit = 0
        else:
            digit = digits.get(char, 0)
    return total + digit
