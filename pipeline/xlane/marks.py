"""Which words of a post, as they are written there, are the tokens of the query that the judge found."""

from __future__ import annotations

import re
from collections.abc import Collection

from pipeline.text import HAN, normalise
from pipeline.xlane.context import TAG_PART, term_stems
from pipeline.xlane.query import WORD, Term, folded, terms
from pipeline.xlane.read_names import as_read
from pipeline.xlane.stems import stem

_TAG = re.compile(r"#(\w+)")


def written(text: str, matched: Collection[str], query: str, acronyms: tuple[str, ...]) -> tuple[str, ...]:
    """The forms in `text` of the matched tokens of `query`: inflected, in the other script, or inside a hash-tag.

    >>> written("Rome's floods #romefloods", ["rome", "flood"], "Rome flood", ())
    ("Rome's", 'floods', 'romefloods')
    """
    wanted = [term for term in as_read(terms(query, acronyms), query, (text,)) if term.label in matched]
    stems = frozenset().union(*(term_stems(term) for term in wanted)) if wanted else frozenset()
    words = frozenset().union(*(term.words for term in wanted)) if wanted else frozenset()
    found = [word for word in WORD.findall(text) if _is(normalise(word), words, stems)]
    found += [tag for tag in _TAG.findall(text) if any(len(one) >= TAG_PART and one in tag.lower() for one in stems)]
    found += [form for term in wanted for form in _parts(text, term)]
    return tuple(dict.fromkeys(found))


def _is(word: str, words: Collection[str], stems: Collection[str]) -> bool:
    return word in words or (not HAN.search(word) and stem(word) in stems)


def _parts(text: str, term: Term) -> list[str]:
    """Acronyms, names of several words or with strokes, and Chinese forms; of traditional characters the text's own."""
    found = [form for form in term.capitals if form in text]
    patterns = [r"\W+".join(map(re.escape, phrase.split())) for phrase in term.phrases]
    patterns += [re.escape(word) for word in term.words if not word.isalnum()]
    for pattern in patterns:
        found += re.findall(rf"(?<![^\W_]){pattern}(?![^\W_])", text, re.IGNORECASE)
    plain = folded(text)
    if len(plain) == len(text):
        found += [text[at : at + len(form)] for form in term.han if (at := plain.find(form)) >= 0]
    return found
