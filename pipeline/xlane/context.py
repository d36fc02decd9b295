"""Context mode: read the corpus, not only the query.

Coverage keeps an athlete called Rome for the city and misses posts in the crowd's own words (#qldfloods). Here the
posts that are surely on topic tell what else the topic is called:

    base  = COVERAGE x coverage + MEANING x cos(post, query) + LINK_WORDS x coverage by the words of its links
    seeds = the tenth of the corpus (at least SEEDS) that is best by base and holds a word of the query
    score = BASE x base + ANY x [holds a word of the query] + CENTRE x cos(post, centre of the seeds)
            + TERMS x share of the seeds' own terms that the post holds          (two rounds, seeds chosen again)
    veto  : the topic word occurs only inside a longer capitalised name that no seed uses

Relevance feedback after Rocchio (1971) and Lavrenko & Croft (2001). No labels at run time; the constants were set on
x_topical_trec_microblog (2011, 2012), x_ontopic_crisislext6 and x_informative_crisislext26.
Coverage here also matches stems, parts of hash-tags and words of links. Without vectors a
word of the query decides (DECISION x [holds one]), and the veto and the seeds' terms correct it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.errors import ModelError
from pipeline.text import lexicon
from pipeline.xlane.coverage import match
from pipeline.xlane.judge import Floors, PostVerdict, unjudged
from pipeline.xlane.posts import Post, post
from pipeline.xlane.query import Term, terms
from pipeline.xlane.stems import Words, is_repost, stem, words_of
from pipeline.xlane.veto import names_in, neighbours, only_in_other_names

if TYPE_CHECKING:
    from pipeline.types import Embedder, Floats

COVERAGE, MEANING, LINK_WORDS = 0.7, 0.7, 0.35
BASE, ANY, CENTRE, TERMS = 0.2, 0.1, 2.0, 1.0
SEEDS, SEED_SHARE, MOST_SEEDS = 5, 0.1, 500
FEW_SEEDS, WORDLESS = 20, 0.4
"""Below so many seeds their centre is not sure enough to admit a post without any word of the query so easily."""
LINK, REPOST = 0.4, 0.3
"""What a link adds to a post's rank and a repost takes: a post worth reading, not one more on topic."""
RANK_IN_SEEDS = 0.25
"""Share of that in choosing seeds: posts with a link say best what the topic is about."""
DECISION = 0.62
STEEPNESS = 4.0
"""score = 1 / (1 + exp(-STEEPNESS x (sum - DECISION))): 0.5 where the sum is DECISION."""
VETO = 1.0
"""What a name that means something else takes from the sum; without vectors it decides."""
KEY_TERMS, KEY_SHARE, TOO_COMMON = 30, 0.08, 0.6
"""Terms of the seeds: at most this many, in this share of them at least, in this share of the corpus at most."""
FULL = 6
"""Key terms that make a post's share 1."""
TAG_PART = 5
"""Letters of a word that is looked for inside a hash-tag."""
_SMOOTH = 0.01


class _Post(NamedTuple):
    at: int
    words: Words
    matched: tuple[str, ...]
    missing: tuple[str, ...]
    coverage: float
    by_link: float


def vectors_for(
    items: Sequence[Any], query: str, embedder: Embedder | None, notes: list[str], *, posts: bool = True
) -> Floats | None:
    """[N + 1, d] vectors of the items and, last, the query; None (with a note) where no model can be used.

    Posts are written unlike the headlines that models are centred by: what all posts have in common is taken out too
    (`posts=False` for sources of headlines), so that unrelated texts lie near 0 whatever their kind.
    """
    if embedder is None or not items:
        return None
    from pipeline.text import language

    texts = [*(post(item).text for item in items), query]
    langs = [getattr(item, "lang", "") or language(text) for item, text in zip([*items, None], texts, strict=True)]
    try:
        vectors = embedder.encode(texts, langs)
        return _without_style(vectors, langs, embedder) if posts else vectors
    except ModelError as error:
        note = f"the embedding model could not be used ({error}); posts were judged by their words"
        if note not in notes:
            notes.append(note)
        return None


def _without_style(vectors: Floats, langs: Sequence[str], embedder: Embedder) -> Floats:
    import numpy as np

    style = np.stack([_style(embedder, "zh" if lang == "zh" else "en") for lang in langs])
    moved = vectors - style
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    empty = np.linalg.norm(vectors, axis=1, keepdims=True) == 0
    found: Floats = np.where(empty, 0.0, moved / np.maximum(lengths, 1e-9)).astype(np.float32)
    return found


def _style(embedder: Embedder, lang: str) -> Floats:
    """[d] mean vector of neutral posts of a language (config/lexicon, `neutral_posts`), kept for each model."""
    kept = _STYLES.get((embedder.name, lang))
    if kept is None:
        neutral = [str(text) for text in lexicon(lang).get("neutral_posts", ())]
        kept = _STYLES[embedder.name, lang] = embedder.encode(neutral, [lang] * len(neutral)).mean(axis=0)
    return kept


_STYLES: dict[tuple[str, str], Floats] = {}
"""A pure function of model and word list, so it may be kept; at most a few vectors."""


def judge_in_context(posts: Sequence[Post], query: str, *, vectors: Floats | None, floors: Floors) -> list[PostVerdict]:
    """Verdicts aligned with `posts`; a post without text is unjudged."""
    wanted = terms(query, floors.acronyms)
    stems = tuple(term_stems(term) for term in wanted)
    read = [_read(at, one, wanted, stems) for at, one in enumerate(posts) if one.text and not one.text.isspace()]
    verdicts = [unjudged(one, floors.context) for one in posts]
    if not read:
        return verdicts
    sums = _sums(read, posts, vectors) if wanted else [0.0] * len(read)
    topic = _topic_words(wanted)
    known = _known_names(read, posts, topic)
    for one, total in zip(read, sums, strict=True):
        it = posts[one.at]
        reason = _why_not(one, it, topic, known)
        if reason:
            total -= VETO if vectors is not None else DECISION
        score = 1 / (1 + math.exp(-STEEPNESS * (total - DECISION)))
        on_topic = bool(wanted) and score >= floors.context
        verdicts[one.at] = PostVerdict(
            it.id,
            it.handle,
            "on" if on_topic else "off",
            score,
            floors.context,
            one.matched,
            one.missing,
            reason if reason and not on_topic else _rule(one, len(wanted), on_topic),
            total + _worth(one, it),
        )
    return verdicts


# --------------------------------------------------------------------------- reading


def _read(at: int, one: Post, wanted: tuple[Term, ...], stems_of: tuple[frozenset[str], ...]) -> _Post:
    """A post's words and which of the query's tokens it holds, also as stem, in a hash-tag or in a link."""
    words = words_of(one.text)
    found = match(one.text, wanted)
    matched = list(found.matched)
    missing: list[str] = []
    by_link = 0
    for term, stems in zip(wanted, stems_of, strict=True):
        linked = not stems.isdisjoint(words.link_stems)
        by_link += linked
        if term.label in found.matched:
            continue
        near = linked or not stems.isdisjoint(words.stems) or _in_tags(stems, words.tags)
        (matched if near else missing).append(term.label)
    count = len(wanted) or 1
    return _Post(at, words, tuple(matched), tuple(missing), len(matched) / count, by_link / count)


def term_stems(term: Term) -> frozenset[str]:
    return frozenset(stem(word) for word in term.words) | frozenset(
        phrase.replace(" ", "") for phrase in term.phrases if len(phrase) > 5
    )


def _in_tags(stems: frozenset[str], tags: str) -> bool:
    return bool(tags) and any(len(word) >= TAG_PART and word in tags for word in stems)


def _rule(one: _Post, count: int, on_topic: bool) -> str:
    held = f"{len(one.matched)} of {count} query words found"
    if on_topic and not one.matched:
        return f"{held}, but it says what the surely-on-topic posts say"
    if not on_topic and one.matched:
        return f"{held}, but it has too little in common with the surely-on-topic posts"
    return f"{held}, read beside the rest of the corpus"


def _worth(one: _Post, it: Post) -> float:
    return LINK * one.words.has_link - REPOST * is_repost(it.text)


# --------------------------------------------------------------------------- scoring


def _sums(read: Sequence[_Post], posts: Sequence[Post], vectors: Floats | None) -> list[float]:
    import numpy as np

    coverage = np.array([one.coverage for one in read])
    holds = coverage > 0
    base = COVERAGE * coverage + LINK_WORDS * np.array([one.by_link for one in read])
    worth = np.array([_worth(one, posts[one.at]) for one in read])
    near = None
    if vectors is not None:
        near = vectors[[one.at for one in read]]
        base = base + MEANING * (near @ vectors[-1])
    if not holds.any():
        return [float(value) for value in BASE * base]
    count = min(max(SEEDS, round(len(read) * SEED_SHARE)), MOST_SEEDS, int(holds.sum()))
    rank = base + worth * RANK_IN_SEEDS
    sums = base
    for _ in range(2):
        seeds = np.argsort(-np.where(holds, rank, -np.inf), kind="stable")[:count]
        weights = 1 / np.log2(np.arange(count) + 2)
        share = _key_shares(read, seeds.tolist(), (weights / weights.sum()).tolist())
        sums = BASE * base + ANY * holds + TERMS * share
        if near is not None:
            centre = weights @ near[seeds]
            sums = sums + CENTRE * (near @ (centre / max(float(np.linalg.norm(centre)), 1e-9)))
        else:
            sums = sums + DECISION * holds
        if count < FEW_SEEDS:
            sums = sums - WORDLESS * ~holds
        rank = sums + worth * RANK_IN_SEEDS
    return [float(value) for value in sums]


def _key_shares(read: Sequence[_Post], seeds: Sequence[int], weights: Sequence[float]) -> Any:
    """[N] share of the seeds' own terms that each post holds, each term by what it tells the seeds apart by."""
    import numpy as np

    in_seeds: dict[str, float] = {}
    for at, weight in zip(seeds, weights, strict=True):
        for word in read[at].words.stems:
            in_seeds[word] = in_seeds.get(word, 0.0) + weight
    often = {word for word, weight in in_seeds.items() if weight > KEY_SHARE}
    everywhere = Counter(word for one in read for word in one.words.stems & often)
    gain = {}
    for word in often:
        common = everywhere[word] / len(read)
        if common < TOO_COMMON:
            gain[word] = in_seeds[word] * math.log((in_seeds[word] + _SMOOTH) / (common + _SMOOTH))
    best = dict(sorted(gain.items(), key=lambda pair: (-pair[1], pair[0]))[:KEY_TERMS])
    full = sum(sorted(best.values())[-FULL:]) + 1e-9
    keys = best.keys()
    return np.array([min(1.0, sum(best[word] for word in one.words.stems & keys) / full) for one in read])


# --------------------------------------------------------------------------- the veto


def _known_names(read: Sequence[_Post], posts: Sequence[Post], topic: frozenset[str]) -> frozenset[str]:
    """Capitalised neighbours of the topic's words in posts that hold the whole query: the topic's own names."""
    if not any(one.matched and one.missing for one in read):
        return frozenset()
    sure = (posts[one.at].text for one in read if not one.missing)
    return frozenset().union(*(neighbours(text, topic)[0] | names_in(text) for text in sure))


def _topic_words(wanted: tuple[Term, ...]) -> frozenset[str]:
    return frozenset(word for term in wanted for word in term.words)


def _why_not(one: _Post, it: Post, topic: frozenset[str], known: frozenset[str]) -> str:
    """The veto's sentence; "" for a post that holds the whole query or uses the word freely."""
    if not one.matched or not one.missing:
        return ""
    other = only_in_other_names(it.text, topic, known)
    return (
        f"the topic's word stands only in a longer name, beside {other!r}, unknown to surely-on-topic posts"
        if other
        else ""
    )
