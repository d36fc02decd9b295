"""The same text again: syndication, reprint, cross-post, edited re-issue.

Fingerprints propose, what differs disposes. Two items are copies when their leads share `lead_jaccard` of their
shingles, or when their titles agree and no two leads speak against it. Kept apart: other figures in the same words
(a series), contrasting titles, and leads that are boilerplate.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.events import candidates as look
from pipeline.events.contrast import Contrast, changed_figures, contrast, retold
from pipeline.events.fingerprint import agreement, hamming, select
from pipeline.events.forest import Forest
from pipeline.events.pool import Pool
from pipeline.settings import Settings
from pipeline.types import Link

LEAD = "lead fingerprint"  # name of a layer
TITLE_WORDS = 3  # content words from which a title alone says what an item is
SAME_TITLE_LEAD = 0.15  # lead similarity that suffices under equal titles: one text, cut differently
NEW_WORDS = 0.25  # share of a copy's distinct words that may be new (a credit line, an edit) and still add nothing
BOILERPLATE_TITLES = 3  # unrelated titles over one lead: the lead belongs to the site, not to the items


@dataclass(frozen=True, slots=True)
class Match:
    """A pair of rows that one layer holds for copies."""

    a: int
    b: int
    layer: str
    distance: float

    def link(self, pool: Pool) -> Link:
        if self.layer == LEAD:
            how = f"{100 * (1 - self.distance):.0f}% of what their first paragraphs say is the same, word for word"
        else:
            how = f"the words of the titles differ in {self.distance:g} of 64 bits of their fingerprint"
        return Link(
            a=pool.items[self.a].id,
            b=pool.items[self.b].id,
            relation="copy",
            layer=self.layer,
            distance=self.distance,
            shared=pool.shared(self.a, self.b),
            reason=f"the same text again: {how}",
        )


@dataclass(frozen=True, slots=True)
class Shared:
    """A lead that stands over unrelated items."""

    lead: int
    """Which one, as a number."""
    title: frozenset[int]
    own: frozenset[int]
    """Words of the title without those that many titles over this lead share."""


@dataclass(frozen=True, slots=True)
class Copies:
    """Pairs of copies (a spanning choice, not all pairs), and the pairs that were kept apart with the reason."""

    matches: list[Match]
    apart: list[Link]
    boilerplate: Mapping[int, Shared]
    """Row -> the site's lead that it shares with unrelated items."""


def find(pool: Pool, settings: Settings) -> Copies:
    """Look the pool over for copies."""
    distance = settings.pipeline.simhash_distance
    prints = pool.prints
    titles, leads = look.by_title(prints, distance), look.by_lead(prints)
    a, b = look.unique(
        np.concatenate((titles[0], leads[0])).astype(np.int64),
        np.concatenate((titles[1], leads[1])).astype(np.int64),
        len(prints.title),
    )
    bits, common = hamming(prints.title[a], prints.title[b]), agreement(prints.lead, a, b)
    both = prints.has_lead[a] & prints.has_lead[b]
    enough = np.minimum(prints.title_words[a], prints.title_words[b]) >= TITLE_WORDS
    by_lead = both & (common >= settings.pipeline.events.lead_jaccard)
    by_title = (bits <= distance) & enough & (~both | (common >= SAME_TITLE_LEAD))
    chosen = np.flatnonzero(by_lead | by_title)
    matches = [
        Match(int(a[i]), int(b[i]), LEAD, round(1 - float(common[i]), 3))
        if by_lead[i]
        else Match(int(a[i]), int(b[i]), "title fingerprint", float(bits[i]))
        for i in chosen
    ]
    matches, boilerplate = _without_boilerplate(pool, matches)
    return Copies(*_without_contrasts(pool, matches), boilerplate)


def _without_contrasts(pool: Pool, matches: list[Match]) -> tuple[list[Match], list[Link]]:
    kept, apart = [], []
    for match in matches:
        veto = _veto(pool, match.a, match.b)
        if veto is None:
            kept.append(match)
        else:
            apart.append(apart_link(pool, match.a, match.b, veto, match.distance))
    return kept, apart


def _veto(pool: Pool, a: int, b: int) -> Contrast | None:
    changed = changed_figures(pool.figures(a), pool.figures(b))
    if changed or pool.same_title(a, b):
        return changed
    if pool.says_more(a, b) and bool(pool.facts(a).negations) == bool(pool.facts(b).negations):
        return None  # every other contrast needs words on both sides
    return contrast(pool.facts(a), pool.facts(b)) or retold(pool.facts(a), pool.facts(b))


def one_text(pool: Pool, a: int, b: int, settings: Settings) -> bool:
    """Their leads are as alike as those of copies."""
    lead = pool.prints.lead
    alike = float((lead[a] == lead[b]).mean()) >= settings.pipeline.events.lead_jaccard
    return alike and bool(pool.prints.has_lead[[a, b]].all())


def apart_link(pool: Pool, a: int, b: int, veto: Contrast, distance: float) -> Link:
    """The record of a veto."""
    return Link(
        a=pool.items[a].id,
        b=pool.items[b].id,
        relation="apart",
        layer=f"veto: {veto.kind}",
        distance=distance,
        shared=pool.shared(a, b),
        reason=veto.reason,
    )


# --------------------------------------------------------------------------- boilerplate


def _without_boilerplate(pool: Pool, matches: list[Match]) -> tuple[list[Match], Mapping[int, Shared]]:
    """Drop lead matches under unrelated titles where the lead is the site's, not the item's.

    It is the site's when three or more unrelated titles stand over it and it mentions them no more than by chance;
    two are enough over a lead that names nothing and nobody ("Here is what we know so far"). A word that a third of
    these titles share is the subject they have in common and relates no two.
    """
    by_lead = [match for match in matches if match.layer == LEAD]
    groups = Forest(len(pool.items))
    for match in by_lead:
        groups.join(match.a, match.b)
    members: dict[int, set[int]] = defaultdict(set)
    for match in by_lead:
        members[groups.find(match.a)] |= {match.a, match.b}
    shared: dict[int, Shared] = {}
    for lead, rows in members.items():
        if len({pool.headings[row] for row in rows}) == 1:
            continue
        own = _own_words(pool, rows)
        unrelated = _unrelated(own)
        tells = unrelated < 2 or any(map(pool.tells, rows))
        titles = {row: pool.headings[row] for row in rows} if tells else own
        if unrelated >= (BOILERPLATE_TITLES if tells else 2) and not _supported(pool, titles):
            shared |= {row: Shared(lead, pool.headings[row], words) for row, words in own.items()}
    kept = [match for match in matches if match.layer != LEAD or not of_one_site(shared, match.a, match.b)]
    return kept, shared


def of_one_site(boilerplate: Mapping[int, Shared], a: int, b: int) -> bool:
    """Unrelated titles over a lead that is the site's: what they share says nothing about the items."""
    mine, theirs = boilerplate.get(a), boilerplate.get(b)
    if mine is None or theirs is None or mine.lead != theirs.lead:
        return False
    says_more = mine.title <= theirs.title or theirs.title <= mine.title
    return not says_more and not mine.own & theirs.own


def _own_words(pool: Pool, rows: set[int]) -> dict[int, frozenset[int]]:
    """Row -> its title's words without those that a third of the titles hold."""
    held = Counter(word for row in rows for word in pool.headings[row])
    subject = {word for word, count in held.items() if count >= 2 and 3 * count >= len(rows)}
    return {row: pool.headings[row] - subject for row in rows}


def _unrelated(titles: Mapping[int, frozenset[int]]) -> int:
    """How many titles share no word with one another, up to BOILERPLATE_TITLES."""
    apart: list[frozenset[int]] = []
    for row in sorted(titles):
        if titles[row] and not any(titles[row] & title for title in apart):
            apart.append(titles[row])
        if len(apart) >= BOILERPLATE_TITLES:
            break
    return len(apart)


def _supported(pool: Pool, titles: Mapping[int, frozenset[int]]) -> bool:
    """The text mentions words of the title, for half of the rows or more."""
    found = sum(bool(words & set(pool.corpus.texts[row].tolist())) for row, words in titles.items())
    return found * 2 >= len(titles)


def adds_nothing(pool: Pool, originals: NDArray[np.int32]) -> NDArray[np.bool_]:
    """[N] copies whose text holds no new word worth speaking of beside their original's."""
    found = np.zeros(len(originals), bool)
    texts = select(pool.corpus.texts, ~pool.corpus.stop[pool.corpus.texts.flat])
    copied: dict[int, Set[int]] = {}
    for row in np.flatnonzero(originals != np.arange(len(originals))).tolist():
        first = int(originals[row])
        if first not in copied:
            copied[first] = pool.headings[first].union(texts[first].tolist())
        mine = pool.headings[row].union(texts[row].tolist())
        found[row] = len(mine - copied[first]) <= NEW_WORDS * max(len(mine), 1)
    return found
