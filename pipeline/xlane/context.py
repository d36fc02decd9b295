"""Context mode: read the corpus, not only the query.

Coverage keeps an athlete called Rome for the city and misses posts in the crowd's own words (#qldfloods). Here the
posts that are surely on topic tell what else the topic is called:

    base  = coverage x [share of query words found] + meaning x cos(post, query) + link_words x [share in its links]
    seeds = the tenth of the corpus (at least `seeds`) that is best by base and holds a word of the query
    sum   = base x [base] + any_word x [holds a word of the query] + centre x cos(post, centre of the seeds)
            + key_words x share of the seeds' own words that the post holds      (two rounds, seeds chosen again)
    veto  : the topic word occurs only inside a longer capitalised name that no sure post uses
    score = 1 / (1 + exp(-STEEPNESS x (sum - decision)))

Relevance feedback after Rocchio (1971) and Lavrenko & Croft (2001). No labels at run time; the weights are in
config/pipeline.yaml (`x.context`) with the folders they were set on. Query words are found as in coverage mode and
also as stems, as parts of hash-tags and in the words of links. Without vectors a word of the query decides, and the
veto and the seeds' own words correct it. Columns, not posts: N posts are arrays from the reading to the verdicts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal

from pipeline.xlane.coverage import finds
from pipeline.xlane.judge import Floors, PostVerdict, found_rule, made, split, unjudged
from pipeline.xlane.key_words import key_shares
from pipeline.xlane.posts import Columns
from pipeline.xlane.query import Term, folded_all, terms
from pipeline.xlane.read_names import as_read
from pipeline.xlane.reading import LINKED, Reading, read
from pipeline.xlane.stems import stem
from pipeline.xlane.vectors import vectors_for
from pipeline.xlane.veto import may_be_another, names_in, only_in_other_names

if TYPE_CHECKING:
    from pipeline.settings import XContext
    from pipeline.types import Flags, Floats

__all__ = ["judge_in_context", "vectors_for"]

STEEPNESS = 4.0
"""Only how far scores spread about the floor, not which side they are on."""
TAG_PART = 5
"""Letters of a word that is looked for inside a hash-tag: shorter ones are in too many (art in #startup)."""
_TAG = re.compile(r"#(\w+)")
MOST_SEEDS = 500
"""More tell nothing new and cost."""
ROUNDS = 2
"""The second chooses the seeds by what the first learned; a third changes hardly any verdict."""


@dataclass(frozen=True, slots=True)
class _Corpus:
    """N posts that have a text, read."""

    texts: list[str]
    """Folded, in their own case."""
    lowers: list[str]
    words: Reading
    holds: Flags
    """[terms, N]"""
    in_links: Flags
    """[terms, N]"""
    worth: Any
    """[N] what a link or being a repost adds to the rank."""


def judge_in_context(posts: Columns, query: str, *, vectors: Floats | None, floors: Floors) -> list[PostVerdict]:
    """Verdicts aligned with `posts`; a post without text is unjudged."""
    with_text = [bool(text) and not text.isspace() for text in posts.texts]
    wanted = as_read(terms(query, floors.acronyms), query, posts.texts)
    if all(with_text):
        return _judge(posts, wanted, vectors, floors) if with_text else []
    judged = Columns(*(list(compress(column, with_text)) for column in posts))
    near = None if vectors is None else vectors[[*with_text, True]]
    verdicts = iter(_judge(judged, wanted, near, floors) if judged.ids else ())
    return [
        next(verdicts) if has else unjudged(post_id, handle, floors.context)
        for post_id, handle, has in zip(posts.ids, posts.handles, with_text, strict=True)
    ]


def _judge(posts: Columns, wanted: tuple[Term, ...], vectors: Floats | None, floors: Floors) -> list[PostVerdict]:
    import numpy as np

    tuning = floors.tuning
    corpus = _read(posts.texts, wanted, tuning)
    sums = _sums(corpus, vectors, tuning) if wanted else np.zeros(len(posts.texts))
    reasons = _others(corpus, wanted) if wanted else {}
    sums[list(reasons)] -= tuning.veto if vectors is not None else tuning.decision
    ranks = (sums + corpus.worth).tolist()
    scores = 1 / (1 + np.exp(-STEEPNESS * (sums - tuning.decision)))
    on_topic = (scores >= floors.context) & bool(wanted)
    labels = [term.label for term in wanted]
    held = np.vstack([on_topic, corpus.holds]).T.copy().view(f"V{len(wanted) + 1}")[:, 0].tolist()  # a byte for each
    said = {one: _said(bool(one[0]), one[1:], labels) for one in set(held)}
    verdicts = [
        made((post_id, handle, side, score, floors.context, matched, missing, rule, rank))
        for post_id, handle, (side, matched, missing, rule), score, rank in zip(
            posts.ids, posts.handles, map(said.__getitem__, held), scores.tolist(), ranks, strict=True
        )
    ]
    for row, reason in reasons.items():
        if not on_topic[row]:
            verdicts[row] = verdicts[row]._replace(rule=reason)
    return verdicts


_Said = tuple[Literal["on", "off"], tuple[str, ...], tuple[str, ...], str]
"""Verdict, words matched and missing, rule: posts that hold the same words of the query on the same side share it."""


def _said(on_topic: bool, holds: bytes, labels: Sequence[str]) -> _Said:
    matched, missing = split(holds, labels)
    rule = found_rule(len(matched), len(labels))
    if on_topic and not matched:
        rule += ", but it says what the surely-on-topic posts say"
    elif not on_topic and matched:
        rule += ", but it has too little in common with the surely-on-topic posts"
    else:
        rule += ", read beside the rest of the corpus"
    return "on" if on_topic else "off", matched, missing, rule


# --------------------------------------------------------------------------- reading


def _read(texts: Sequence[str], wanted: tuple[Term, ...], tuning: XContext) -> _Corpus:
    """The posts' words, and which of the query's each holds: as in coverage, as a stem, in a hash-tag, in a link."""
    import numpy as np

    texts = folded_all(texts)
    lowers = [text.lower() for text in texts]
    words = read(lowers)
    stems = [term_stems(term) for term in wanted]
    names = dict.fromkeys([LINKED, *(mark + one for forms in stems for one in forms for mark in ("", LINKED))])
    held = dict(zip(names, words.matrix([words.number(name) for name in names]), strict=True))
    holds = np.zeros((len(wanted), len(texts)), bool)
    in_links = np.zeros((len(wanted), len(texts)), bool)
    for place, (term, forms) in enumerate(zip(wanted, stems, strict=True)):
        for one in forms:
            in_links[place] |= held[LINKED + one]
            holds[place] |= held[one] | held[LINKED + one]
        holds[place, _in_tags(forms, lowers)] = True
        finds(term, texts, lowers, holds[place])
    reposts = np.array([lower[:3] == "rt " or " rt @" in lower for lower in lowers])
    return _Corpus(texts, lowers, words, holds, in_links, tuning.link * held[LINKED] - tuning.repost * reposts)


def _in_tags(stems: Sequence[str], lowers: Sequence[str]) -> list[int]:
    """Rows whose hash-tags hold one of the stems."""
    parts = [one for one in stems if len(one) >= TAG_PART]
    return [
        row
        for part in parts
        for row, lower in enumerate(lowers)
        if part in lower and "#" in lower and any(part in tag for tag in _TAG.findall(lower))
    ]


def term_stems(term: Term) -> tuple[str, ...]:
    """The stems of a query word's forms; a name of several words also without its blanks, as in a hash-tag."""
    compact = [phrase.replace(" ", "") for phrase in term.phrases if len(phrase) > TAG_PART]
    return tuple(dict.fromkeys([*map(stem, term.words), *compact]))


# --------------------------------------------------------------------------- scoring


def _sums(corpus: _Corpus, vectors: Floats | None, tuning: XContext) -> Any:
    """[N] the evidence of every post. `vectors`: [N + 1, d], the query's last."""
    import numpy as np

    found = corpus.holds.sum(axis=0)
    size = len(corpus.holds)
    base = tuning.coverage * (found / size) + tuning.link_words * (corpus.in_links.sum(axis=0) / size)
    holds = found > 0
    if vectors is not None:
        base += tuning.meaning * _cosines(vectors[:-1], vectors[-1])
    holding = int(np.count_nonzero(holds))
    if not holding:
        return tuning.base * base
    plain = tuning.base * base + tuning.any_word * holds
    worth = tuning.seed_rank * corpus.worth
    wanted = min(max(tuning.seeds, round(len(base) * tuning.seed_share)), MOST_SEEDS, holding)
    weights = (1 / np.log2(np.arange(wanted) + 2)).astype(np.float32)
    weights /= weights.sum()
    if vectors is None:
        plain += tuning.decision * holds
    if wanted < tuning.few_seeds:
        plain -= tuning.wordless * ~holds
    sums = base
    for _ in range(ROUNDS):
        rank = np.where(holds, sums + worth, -np.inf)
        seeds = np.argsort(-rank, kind="stable")[:wanted]
        sums = plain + tuning.key_words * key_shares(corpus.words, seeds, weights, tuning)
        if vectors is not None:
            centre = np.einsum("i,ij->j", weights, vectors[seeds])
            sums += tuning.centre * _cosines(vectors[:-1], centre / max(sqrt(centre.dot(centre)), 1e-9))
    return sums


def _cosines(near: Floats, centre: Floats) -> Floats:
    """[N]; not by `@`, whose threads cost more than they bring at this size."""
    import numpy as np

    found: Floats = np.einsum("ij,j->i", near, centre)
    return found


# --------------------------------------------------------------------------- the veto


def _others(corpus: _Corpus, wanted: tuple[Term, ...]) -> dict[int, str]:
    """Row -> the veto's sentence, for posts that hold a part of the query only inside a longer, unknown name."""
    topic = frozenset(word for term in wanted for word in term.words)
    found = corpus.holds.sum(axis=0)
    parts = ((found > 0) & (found < len(wanted))).nonzero()[0].tolist()
    doubtful = [row for row in parts if may_be_another(corpus.texts[row], corpus.lowers[row], topic)]
    if not doubtful:
        return {}
    sure = (found == len(wanted)).nonzero()[0].tolist()
    known = names_in(corpus.texts[row] for row in sure)
    names = {row: only_in_other_names(corpus.texts[row], topic, known) for row in doubtful}
    return {
        row: f"the topic's word stands only in a longer name, beside {name!r}, unknown to surely-on-topic posts"
        for row, name in names.items()
        if name
    }
