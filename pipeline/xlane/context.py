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

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any, Literal

from pipeline.xlane.coverage import finds, folded_all
from pipeline.xlane.judge import Floors, PostVerdict, found_rule, unjudged
from pipeline.xlane.posts import Columns
from pipeline.xlane.query import Term, terms
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
MOST_SEEDS = 500
"""More tell nothing new and cost."""
ROUNDS = 2
"""The second chooses the seeds by what the first learned; a third changes hardly any verdict."""
_SMOOTH = 0.01


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
    import numpy as np

    wanted = terms(query, floors.acronyms)
    rows = [row for row, text in enumerate(posts.texts) if text and not text.isspace()]
    if not rows:
        return [unjudged(*one, floors.context) for one in zip(posts.ids, posts.handles, strict=True)]
    whole = len(rows) == len(posts.texts)
    corpus = _read(posts.texts if whole else [posts.texts[row] for row in rows], wanted, floors.tuning)
    near = None if vectors is None else (vectors[:-1] if whole else vectors[rows])
    sums = np.zeros(len(rows))
    reasons: dict[int, str] = {}
    if wanted:
        sums = _sums(corpus, near, None if vectors is None else vectors[-1], floors.tuning)
        reasons = _others(corpus, wanted)
        sums[list(reasons)] -= floors.tuning.veto if vectors is not None else floors.tuning.decision
    scores = 1 / (1 + np.exp(-STEEPNESS * (sums - floors.tuning.decision)))
    on_topic = (scores >= floors.context) & bool(wanted)
    columns = (scores.tolist(), (sums + corpus.worth).tolist(), _said(corpus.holds, on_topic, wanted))
    if whole:
        return _verdicts(posts.ids, posts.handles, *columns, reasons, floors.context)
    ids, handles = [posts.ids[row] for row in rows], [posts.handles[row] for row in rows]
    verdicts = [unjudged(*one, floors.context) for one in zip(posts.ids, posts.handles, strict=True)]
    for row, verdict in zip(rows, _verdicts(ids, handles, *columns, reasons, floors.context), strict=True):
        verdicts[row] = verdict
    return verdicts


_Said = tuple[Literal["on", "off"], tuple[str, ...], tuple[str, ...], str]
"""Verdict, words matched and missing, rule."""


def _said(holds: Flags, on_topic: Flags, wanted: tuple[Term, ...]) -> list[_Said]:
    """Of every post; those that hold the same words of the query on the same side share it."""
    import numpy as np

    width = len(wanted) + 1
    marks = np.vstack([on_topic, holds]).T.tobytes()
    keys = [marks[at : at + width] for at in range(0, len(marks), width)]
    labels = [term.label for term in wanted]
    said = {key: _in_words(labels, key) for key in set(keys)}
    return [said[key] for key in keys]


def _in_words(labels: Sequence[str], marks: bytes) -> _Said:
    on_topic, held = bool(marks[0]), marks[1:]
    matched = tuple(label for label, holds in zip(labels, held, strict=True) if holds)
    missing = tuple(label for label, holds in zip(labels, held, strict=True) if not holds)
    rule = found_rule(len(matched), len(labels))
    if on_topic and not matched:
        rule += ", but it says what the surely-on-topic posts say"
    elif not on_topic and matched:
        rule += ", but it has too little in common with the surely-on-topic posts"
    else:
        rule += ", read beside the rest of the corpus"
    return "on" if on_topic else "off", matched, missing, rule


def _verdicts(
    ids: list[str],
    handles: list[str],
    scores: list[float],
    ranks: list[float],
    said: list[_Said],
    reasons: dict[int, str],
    floor: float,
) -> list[PostVerdict]:
    sides, matched, missing, rules = zip(*said, strict=True)
    fields = zip(ids, handles, sides, scores, repeat(floor), matched, missing, rules, ranks)
    verdicts = list(map(partial(tuple.__new__, PostVerdict), fields))  # a third of the cost of calling it
    for row, reason in reasons.items():
        if not verdicts[row].on_topic:
            verdicts[row] = verdicts[row]._replace(rule=reason)
    return verdicts


# --------------------------------------------------------------------------- reading


def _read(texts: Sequence[str], wanted: tuple[Term, ...], tuning: XContext) -> _Corpus:
    """The posts' words, and which of the query's each holds: as in coverage, as a stem, in a hash-tag, in a link."""
    import numpy as np

    texts = folded_all(texts)
    lowers = [text.lower() for text in texts]
    words = read(lowers)
    holds = np.zeros((len(wanted), len(texts)), bool)
    in_links = np.zeros((len(wanted), len(texts)), bool)
    for place, term in enumerate(wanted):
        stems = term_stems(term)
        in_links[place] = words.holds([LINKED + one for one in stems])
        parts = [one for one in stems if len(one) >= TAG_PART]
        in_tags = [tag for tag in words.tags if any(part in tag for part in parts)]
        holds[place] = in_links[place] | words.holds([*stems, *in_tags])
        finds(term, texts, lowers, holds[place])
    reposts = [lower[:3] == "rt " or " rt @" in lower for lower in lowers]
    worth = tuning.link * words.holds([LINKED]) - tuning.repost * np.array(reposts)
    return _Corpus(list(texts), lowers, words, holds, in_links, worth)


def term_stems(term: Term) -> tuple[str, ...]:
    """The stems of a query word's forms; a name of several words also without its blanks, as in a hash-tag."""
    compact = [phrase.replace(" ", "") for phrase in term.phrases if len(phrase) > TAG_PART]
    return tuple(dict.fromkeys([*map(stem, term.words), *compact]))


# --------------------------------------------------------------------------- scoring


def _sums(corpus: _Corpus, near: Floats | None, query: Floats | None, tuning: XContext) -> Any:
    """[N] the evidence of every post."""
    import numpy as np

    count = len(corpus.texts)
    holds = corpus.holds.any(axis=0)
    base = tuning.coverage * corpus.holds.mean(axis=0) + tuning.link_words * corpus.in_links.mean(axis=0)
    if near is not None and query is not None:
        base = base + tuning.meaning * _cosines(near, query)
    holding = int(np.count_nonzero(holds))
    if not holding:
        return tuning.base * base
    plain = tuning.base * base + tuning.any_word * holds
    worth = corpus.worth * tuning.seed_rank
    wanted = min(max(tuning.seeds, round(count * tuning.seed_share)), MOST_SEEDS, holding)
    weights = 1 / np.log2(np.arange(wanted) + 2)
    weights = (weights / weights.sum()).astype(np.float32)
    if near is None:
        plain = plain + tuning.decision * holds
    if wanted < tuning.few_seeds:
        plain = plain - tuning.wordless * ~holds
    sums = base
    for _ in range(ROUNDS):
        rank = np.where(holds, sums + worth, -np.inf)
        seeds = np.argsort(-rank, kind="stable")[:wanted]
        sums = plain + tuning.key_words * _key_shares(corpus.words, seeds, weights, tuning)
        if near is not None:
            centre = np.einsum("i,ij->j", weights, near[seeds])
            sums += tuning.centre * _cosines(near, centre / max(float(np.linalg.norm(centre)), 1e-9))
    return sums


def _cosines(near: Floats, centre: Floats) -> Floats:
    """[N]; not by `@`, whose threads cost more than they bring at this size."""
    import numpy as np

    found: Floats = np.einsum("ij,j->i", near, centre)
    return found


def _key_shares(words: Reading, seeds: Any, weights: Floats, tuning: XContext) -> Any:
    """[N] share of the seeds' own words that each post holds, each word by what it tells the seeds apart by."""
    import numpy as np

    often, in_seeds = _often(words, seeds, weights, tuning.key_share)
    held = words.matrix(often)
    common = held.sum(axis=1, dtype=np.int32) / words.count
    gain = in_seeds * np.log((in_seeds + _SMOOTH) / (common + _SMOOTH))
    rare = np.flatnonzero(common < tuning.too_common)
    best = rare[np.argsort(-gain[rare], kind="stable")[: tuning.key_terms]]
    gain = gain[best].astype(np.float32)
    full = float(np.sort(gain)[-tuning.full_terms :].sum()) + 1e-9
    return np.minimum(1.0, np.einsum("k,kn->n", gain, held[best].astype(np.float32)) / full)


def _often(words: Reading, seeds: Any, weights: Floats, share: float) -> tuple[Any, Any]:
    """Numbers of the words that more than `share` of the seeds use, and by how much of them (by weight)."""
    import numpy as np

    size = words.size
    place = np.full(words.count, -1, np.int32)
    place[seeds] = np.arange(len(seeds), dtype=np.int32)
    theirs = np.flatnonzero((place >= 0)[words.rows])
    pairs = np.sort(place[words.rows[theirs]] * np.int64(size) + words.stems[theirs])
    once = np.concatenate([pairs[:1], pairs[1:][pairs[1:] != pairs[:-1]]])  # np.unique, without its fixed cost
    in_seeds = np.bincount(once % size, weights[once // size], size)
    often = np.flatnonzero(in_seeds > share)
    often = often[often % 2 == 0]  # stems have even numbers
    return often, in_seeds[often]


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
