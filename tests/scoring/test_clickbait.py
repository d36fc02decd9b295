"""Title and body: who is struck depends on these two alone, not on what else is in the pool."""

import pytest

from tests.scoring.made import candidate, grouping, judged, run

FLOODED = "Rome floods: the Tiber rose again overnight and streets in the centre were closed to traffic"
RESCUED = (
    "Rescuers in Rome took forty people from their homes after the Tiber rose overnight. The mayor asked citizens to "
    "stay at home and closed schools in the centre until Friday."
)
OTHERS = [
    ("Rome floods damage the old bridge", "Engineers in Rome said on Monday that floods had damaged the old bridge."),
    ("Rome marathon winner praises fans", "The winner of the Rome marathon praised floods of fans along the route."),
]
POOLS = [
    ("alone", 1, 0, False),
    ("two", 2, 0, False),
    ("three", 3, 0, False),
    ("three beside others", 3, 2, False),
    ("twenty that differ a little", 20, 0, False),
    ("twenty that differ a little, beside others", 20, 2, False),
    ("hundreds of reprints", 400, 2, True),
]


@pytest.mark.parametrize(("reprints", "others", "copied"), [row[1:] for row in POOLS], ids=[row[0] for row in POOLS])
def test_a_headline_is_borne_out_by_its_body_whatever_is_beside_it(reprints: int, others: int, copied: bool) -> None:
    texts = [(FLOODED, RESCUED)] * reprints + OTHERS[:others]
    pool = [judged(candidate(str(n), title=title, text=text)) for n, (title, text) in enumerate(texts)]
    copies = dict.fromkeys(range(1, reprints), 0) if copied else {}
    groups = grouping([one.candidate.id for one in pool], originals=copies)
    assert not run(pool, groups).table.struck[:, 3].any()


ACROSS = [
    (
        "an English title over a Chinese body",
        "Rome floods close schools",
        "台伯河水位上涨，市长宣布学校停课到周五。" * 5,
        False,
    ),
    ("a Chinese title over an English body", "罗马洪水致学校停课", RESCUED, False),
    ("a title in both scripts", "罗马洪水 Rome floods", RESCUED, False),
    ("both in Chinese, of two things", "歌手秘密结婚", "台伯河水位上涨，市长宣布学校停课到周五。" * 5, True),
    ("a Latin name among Chinese words", "Acme 歌手秘密结婚", "台伯河水位上涨，市长宣布学校停课到周五。" * 5, True),
]


@pytest.mark.parametrize(("title", "text", "expected"), [row[1:] for row in ACROSS], ids=[row[0] for row in ACROSS])
def test_words_of_another_script_are_not_missed_in_a_body(title: str, text: str, expected: bool) -> None:
    assert bool(run([judged(candidate(title=title, text=text))]).table.struck[0, 3]) == expected
