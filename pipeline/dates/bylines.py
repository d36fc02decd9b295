"""The date that a reader of the page sees: in date-like elements, and in short lines near the headline.

A line counts by where it stands (after the headline, before the body ends), by what its element calls itself, and by
the words around it: "published", "发布时间" speak for it; "updated", "©", a comment or a related article against it.
The weights are our judgement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pipeline.dates.strings import parse_date
from pipeline.types import DateClaim

MAX_LINE = 160
"""Characters of a line that can be a byline; longer ones are prose."""
NEAR, JUST_BEFORE = 1_500, 150
"""Characters of visible text after, or before, the headline in which a byline usually stands."""
AT_HEADLINE = 100
"""Characters after the headline within which even a doubtful container most likely holds the article's own date."""
BESIDE, CLOSE = 60, 0.03
"""Two dates at most so many characters and so much score apart belong to one byline."""
BASE, BEST, WORST = 0.45, 0.74, 0.3
"""Score of a line that nothing speaks for or against; the most a byline can have; the least that is believed."""

_DATE_NAMES = re.compile(
    r"date|datum|time|publish|publi[ck]|posted|post-?meta|entry-?meta|byline|created|stamp|fecha|data\b|data-|zeit|"
    r"dateline|meta|info|jour|pub\b|pub-|tarih|дата|day|when|article-?head",
    re.IGNORECASE,
)
_AWAY_NAMES = re.compile(
    r"related|recommend|sidebar|widget|footer|copyright|popular|latest|most-?read|teaser|archive|"
    r"newsletter|carousel|breadcrumb|menu|navi|\bnav\b|ticker|promo|more-|also|read-?next|trending|event|calendar|"
    r"weather|author-?bio|advert|ad-?banner|cookie|facebook|twitter|share|signature",
    re.IGNORECASE,
)
_OTHER_VOICES = re.compile(r"comment|disqus|kommentar|repl(?:y|ies)|quote|tweet", re.IGNORECASE)
_AWAY_TAGS = frozenset(
    "footer aside nav script style noscript select button template form blockquote".split()  # noqa: SIM905
)
_FOR = re.compile(
    r"publish|posted|issued|created|released?\b|first aired|publi[ée]|publicad|pubblicat|veröffentlicht|erschienen|"
    r"erstellt|stand vom|geplaatst|gepubliceerd|publicerad|publisert|udgivet|julkaistu|opublikowan|dodano|zveřejněno|"
    r"publikováno|megjelent|objavljen|paskelbta|опубликован|размещен|опубліковано|δημοσι|نشر|تاريخ|تاریخ|发布|發布|"
    r"发表|發表|刊登|发稿|发文|發文|投稿|公開|掲載|配信|作成|등록|입력|게시|时间[:：]|日期[:：]|am\s+\d|vom\s+\d|on\s+\d|"
    r"date\s*[:：]",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"updat|modif|edited|aktualisier|geändert|mise? à jour|actualizad|aggiornat|atualizad|bijgewerkt|обновл|"
    r"更新|修改|修正|수정|最終|reviewed|last visit|joined|member since|registered|mitglied seit|due|deadline|expires?|"
    r"termin\b|veranstaltung|event date",
    re.IGNORECASE,
)
_COPYRIGHT = re.compile(r"©|\(c\)|copyright|all rights|版权|版權|著作权", re.IGNORECASE)
_MAYBE = re.compile(
    r"(?<!\d)(?:(?:19|20)\d{2}|\d{1,2}\s?[./\-]\s?\d{1,2}\s?[./\-]\s?\d{2})(?!\d)|['’]\d{2}\b|"
    r"[〇零一二]{2}[〇零一二三四五六七八九]{2}年"
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the page with a date in it."""

    text: str
    claim: DateClaim
    named: bool
    """An element around it calls itself date-like."""
    away: bool
    """It stands in a sidebar or a list of other articles."""
    after: int | None
    """Visible characters since the headline, negative before it; None on a page without one."""


def bylines(tree: Any, zone: str, day_first: bool | None) -> Iterator[DateClaim]:
    """The three most credible visible dates of a page (a parsed selectolax tree)."""
    scored = [(_score(line), line) for line in _lines(tree, zone, day_first)]
    ranked = sorted((pair for pair in scored if pair[0] >= WORST), key=lambda pair: -pair[0])
    if not ranked:
        return
    first = min((pair for pair in ranked if _beside(pair, ranked[0])), key=lambda pair: pair[1].claim.at)
    yield replace(first[1].claim, reliability=round(ranked[0][0], 3))
    for score, line in [pair for pair in ranked if pair is not first][:2]:
        yield replace(line.claim, reliability=round(score - 0.001, 3))


def _beside(pair: tuple[float, Line], best: tuple[float, Line]) -> bool:
    """Two dates of one byline: the earlier is the publication, the later a change."""
    if pair is best or pair[1].after is None or best[1].after is None:
        return pair is best
    return abs(pair[1].after - best[1].after) <= BESIDE and best[0] - pair[0] <= CLOSE


def _score(line: Line) -> float:
    score = BASE
    if line.after is not None and 0 <= line.after <= NEAR:
        score += 0.04 + 0.12 * (1 - line.after / NEAR)
    elif line.after is not None and -JUST_BEFORE <= line.after < 0:
        score += 0.06
    speaks_for = bool(_FOR.search(line.text))
    score += 0.08 if line.named else 0.0
    score += 0.08 if speaks_for else 0.0
    score -= 0.15 if not speaks_for and _AGAINST.search(line.text) else 0.0
    score -= (0.1 if line.after is not None and 0 <= line.after <= AT_HEADLINE else 0.25) if line.away else 0.0
    score += 0.05 if len(line.text) < 40 else 0.0
    score -= 0.1 if len(line.text) > 70 and not speaks_for else 0.0
    return min(BEST, score)


# --------------------------------------------------------------------------- the lines of a page


def _lines(tree: Any, zone: str, day_first: bool | None) -> Iterator[Line]:
    if (body := tree.body) is None:
        return
    headline = _headline(tree)
    seen, headline_at = 0, None
    for node in body.traverse(include_text=True):
        if node.mem_id == headline:
            headline_at = seen
        if node.tag != "-text" or not (text := " ".join((node.text_content or "").split())):
            continue
        if (found := _read(node, text, zone, day_first)) and not of_other_voice(node):
            line, claim = found
            named, away = surroundings(node)
            yield Line(line, claim, named, away, None if headline_at is None else seen - headline_at)
        seen += len(text)


def _headline(tree: Any) -> int | None:
    """The heading that the page's title repeats; else the longest first-level heading."""
    title = _flat(_title(tree))
    heads = [(node, _flat(node.text())) for node in tree.css("h1, h2, h3")]
    repeated = [pair for pair in heads if len(pair[1]) >= 8 and pair[1] in title]
    first_level = [pair for pair in heads if pair[0].tag == "h1"]
    best = max(repeated or first_level, key=lambda pair: len(pair[1]), default=None)
    return None if best is None else int(best[0].mem_id)


def _title(tree: Any) -> str:
    shared, own = tree.css_first('meta[property="og:title"]'), tree.css_first("title")
    stated = (shared.attributes.get("content") or "") if shared is not None else ""
    return f"{stated} {own.text() if own is not None else ''}"


def _flat(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())


def _read(node: Any, text: str, zone: str, day_first: bool | None) -> tuple[str, DateClaim] | None:
    """A text node's own date, or that of the small element that holds it (dates are often split over spans)."""
    if len(text) > MAX_LINE or not ("年" in text or any(char.isdigit() for char in text)):
        return None
    parent = node.parent
    for holder in (None, parent, parent.parent if parent is not None else None):
        line = text if holder is None else " ".join(holder.text(separator=" ").split())
        if len(line) > MAX_LINE or _COPYRIGHT.search(line):
            return None
        if _MAYBE.search(line) and (claim := parse_date(line, zone=zone, kind="text", day_first=day_first)):
            return None if claim.precision == "month" else (_with_label(parent, line), claim)
    return None


def _with_label(parent: Any, line: str) -> str:
    """The line with its label, which often is a sibling: <b>Published:</b> <span>3 March</span>."""
    if parent is None or parent.parent is None:
        return line
    around = " ".join(parent.parent.text(separator=" ").split())
    return around if len(around) <= MAX_LINE else line


def surroundings(node: Any) -> tuple[bool, bool]:
    """(an element around it calls itself date-like, it stands in a place for other things)."""
    named, away, depth = False, False, 0
    parent = node.parent
    while parent is not None and parent.tag not in ("body", "html", "-document"):
        attributes = parent.attributes
        name = f"{attributes.get('class') or ''} {attributes.get('id') or ''} {attributes.get('itemprop') or ''}"
        named = named or (depth < 3 and bool(_DATE_NAMES.search(name)))
        away = away or parent.tag in _AWAY_TAGS or (depth < 8 and bool(_AWAY_NAMES.search(name)))
        parent, depth = parent.parent, depth + 1
    return named, away


def of_other_voice(node: Any) -> bool:
    """Inside a comment, a quotation or an embedded post: its date is that of somebody else's words."""
    parent = node.parent
    while parent is not None and parent.tag not in ("body", "html", "-document"):
        attributes = parent.attributes
        name = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
        if parent.tag == "blockquote" or _OTHER_VOICES.search(name):
            return True
        parent = parent.parent
    return False
