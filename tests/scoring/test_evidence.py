"""Every number can be computed again from what is shown beside it."""

from dataclasses import replace
from math import exp

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.scoring import rescore, restated, score_settings
from pipeline.types import DIMENSION_NAMES, Bucket, DateClaim, Part, Scored
from tests.scoring.made import SETTINGS, candidate, dated, days_ago, grouping, judged, plan, run

WORDS = st.lists(
    st.sampled_from(
        [
            "OpenAI",
            "model",
            "release",
            "today",
            "Apple",
            "chip",
            "buy",
            "now",
            "发布",
            "新",
            "模型",
            "公司",
            "今天",
            "announced",
            "last",
            "month",
            "Reuters",
            "3月5日",
            "limited",
            "time",
        ]
    ),
    min_size=1,
    max_size=60,
).map(" ".join)
ITEM = st.fixed_dictionaries(
    {
        "title": WORDS,
        "text": WORDS,
        "age": st.floats(0, 30),
        "domain": st.sampled_from(["reuters.com", "a.com", "b.org"]),
    }
)


def recomputed(part: Part) -> float:
    """A part's value by the formulas of the spec, from its own facts alone."""
    facts = dict(part.facts)
    number = {name: float(value) for name, value in part.facts if _is_number(value)}
    return _FORMULAS[part.name](facts, number)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _timeliness(facts, number):
    if facts["upstream"] == "yes":
        return 0.05
    age, days = number["age_days"], number["window_days"]
    if age > days + 1e-3:
        return 0.0
    if facts["decay"] == "linear":
        return max(0.0, 1 - age / days)
    if facts["decay"] == "exponential":
        return exp(-5.2598 * age / days)
    x = max(0.0, (age - days / 30) / (days - days / 30))
    return exp(-1.897 * x**1.80)


def _relevance(facts, number):
    logit = number["bias"]
    for name in ("lexical", "semantic", "missing", "asks", "second"):
        logit += number.get(name, 0.0) * number.get(f"x_{name}", 0.0)
    said = number["bm25_share"]
    if "pairs_share" in number:
        said = (said + number["pairs_share"]) / 2
    share = (1 - number["echo_strength"]) * said + number["echo_strength"] * number.get("echo", 0.0)
    assert number["x_lexical"] == pytest.approx(share, abs=1e-4)
    assert number["bm25_share"] == pytest.approx(min(1, number["bm25"] / max(number["bm25_best"], 1e-9)), abs=2e-3)
    return 1 / (1 + exp(-logit))


def _authority(facts, number):
    told = number["successes"] + number["failures"]
    return (number["prior_mean"] * number["strength"] + number["successes"]) / (number["strength"] + told)


def _completeness(facts, number):
    if facts.get("clickbait") == "yes":
        return 0.0
    return sum(facts[name] == "yes" for name in ("time", "actor", "happening")) / 3


def _preference(facts, number):
    return min(1.0, number["matched"] / min(3, number["interests"])) if number["interests"] else 0.0


_FORMULAS = {
    "timeliness": _timeliness,
    "relevance": _relevance,
    "authority": _authority,
    "corroboration": lambda facts, number: 1 - 2.0 ** -(max(number["independent"], 1) - 1),
    "completeness": _completeness,
    "preference": _preference,
}


def check(item: Scored) -> None:
    assert [part.name for part in item.parts] == list(DIMENSION_NAMES)
    for part in item.parts:
        assert part.value == pytest.approx(recomputed(part), abs=2e-3), part
    total = 100 * sum(part.weight * part.value for part in item.parts)
    for penalty in item.penalties:
        total *= penalty.factor
        assert penalty.evidence
    assert item.total == pytest.approx(total, abs=0.006)
    assert sum(part.weight for part in item.parts) == pytest.approx(1)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(ITEM, min_size=1, max_size=8), st.sampled_from(["half_life", "linear", "exponential"]), st.data())
def test_values_and_totals_from_the_evidence(items, decay, data) -> None:
    pool = [judged(candidate(str(n), **item)) for n, item in enumerate(items)]
    n = len(pool)
    event = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    event = np.unique(event, return_inverse=True)[1]
    original = {row: int(np.flatnonzero(event == event[row])[0]) for row in data.draw(st.sets(st.integers(0, n - 1)))}
    groups = grouping([str(k) for k in range(n)], event, originals=original, adds_nothing=list(original))
    vectors = query = None
    if data.draw(st.booleans()):
        rng = np.random.default_rng(n)
        vectors = rng.normal(size=(n, 4)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        query = vectors[0]
    scores = replace(
        score_settings(SETTINGS, plan()), decay=decay, interests=data.draw(st.sampled_from([(), ("ai", "模型")]))
    )
    report = run(pool, groups, scores=scores, vectors=vectors, query_vector=query)
    for row in range(n):
        check(report.item(row))
    changed = replace(
        scores,
        decay="linear",
        weights=(0.4, 0.1, 0.3, 0.1, 0.1, 0.1),
        authority_biases={"a.com": 0.9},
        interests=data.draw(st.sampled_from([(), ("ai", "模型"), ("model", "price")])),
    )
    ranking = rescore(report, changed)
    for row in range(n):
        check(restated(report, ranking, row))


def test_chinese_relevance_from_the_evidence() -> None:
    pool = [
        judged(candidate(str(n), title=title)) for n, title in enumerate(["华为新手机发布", "天气预报", "Huawei phone"])
    ]
    report = run(pool, asked=plan("华为发布手机"))
    for row in range(3):
        check(report.item(row))
    assert "pairs_share" in dict(report.item(0).parts[1].facts)


def test_sentences_carry_the_figures() -> None:
    pool = [judged(candidate("a", title="OpenAI releases a model today", domain="reuters.com", age=15))]
    item = run(pool).item(0)
    assert item.reason == (f"{item.total:.2f} points: relevance 0.98, 15 days old, authority 0.92.")
    parts = {part.name: part.evidence for part in item.parts}
    assert "15.0 days old" in parts["timeliness"] and "0.60" in parts["timeliness"]
    assert "3 of 3 query words (openai, model, release)" in parts["relevance"]
    assert "named wire" in parts["authority"] and "90%" in parts["authority"]
    assert "1 independent" in parts["corroboration"]
    assert parts["preference"].startswith("off")


def test_a_redated_item_is_told_with_both_dates() -> None:
    url = DateClaim(kind="url", at=days_ago(20), reliability=0.8, raw="/2026/11/10/")
    item = run([judged(candidate("a", title="OpenAI model release", dates=dated(days_ago(1), url)))]).item(0)
    (penalty,) = item.penalties
    assert penalty.name == "re_dated" and penalty.factor == 1.0
    assert "stated 2026-11-29" in penalty.evidence and "2026-11-10" in penalty.evidence
    assert item.effective_at == days_ago(20) and item.published_at == days_ago(1)
    assert item.parts[0].value == pytest.approx(exp(-1.897 * (19 / 29) ** 1.8), abs=1e-3)


def test_redated_to_before_the_window_stays_with_timeliness_zero() -> None:
    url = DateClaim(kind="url", at=days_ago(300), reliability=0.8, raw="/2026/02/03/")
    item = run([judged(candidate("a", title="OpenAI model release", dates=dated(days_ago(1), url)))]).item(0)
    assert item.parts[0].value == 0 and item.bucket != Bucket.OUT_OF_WINDOW


def test_a_bare_reprint_names_its_original_and_keeps_less() -> None:
    text = "OpenAI released a model today, the company said. " * 3
    pool = [judged(candidate(name, title="OpenAI model release", text=text)) for name in "ab"]
    report = run(pool, grouping(["a", "b"], [0, 0], originals={1: 0}, adds_nothing=[1], voices=[0, 0]))
    original, reprint = report.item(0), report.item(1)
    assert reprint.penalties[0].name == "bare_reprint" and reprint.penalties[0].factor == pytest.approx(0.40)
    assert reprint.bucket == Bucket.COPY and "same text" in reprint.reason
    assert original.copies == ("b",)


def test_folded_reports_lie_beneath_the_best_of_the_event() -> None:
    pool = [judged(candidate(str(n), title="OpenAI model release", age=n + 1)) for n in range(3)]
    report = run(pool, grouping(["0", "1", "2"], [0, 0, 0]))
    assert report.item(0).folded == ("1", "2")
    assert report.item(1).folded == () and "same event" in report.item(1).reason


def test_what_is_over_the_limit_names_the_limit_and_the_way_to_raise_it() -> None:
    pool = [judged(candidate(str(n), title="OpenAI model release", age=n + 1)) for n in range(3)]
    item = run(pool, scores=replace(score_settings(SETTINGS, plan()), max_results=2)).item(2)
    assert item.bucket == Bucket.OVER_LIMIT
    assert "at most 2 events are shown" in item.reason and "max_results" in item.reason


def test_rows_that_were_never_examined_say_so_and_have_no_parts() -> None:
    pool = [judged(candidate("a", title="OpenAI model release")), judged(candidate("b", title="OpenAI"))]
    report = run(pool, rows=[0])
    item = report.item(1)
    assert item.bucket == Bucket.NOT_EXAMINED and "shortlist" in item.reason and item.parts == ()


def test_excerpts_end_at_a_sentence() -> None:
    text = "One sentence that is rather long and says what happened in the town today. " * 6
    assert run([judged(candidate("a", title="A", text=text))]).item(0).excerpt.endswith(".")


def test_a_text_beyond_the_best_that_counts_says_so() -> None:
    titles = ("OpenAI model release: the OpenAI model release", "OpenAI opens a shop", "A storm")
    report = run([judged(candidate(str(n), title=title)) for n, title in enumerate(titles)])
    beyond, within, _ = (dict(report.item(row).parts[1].facts) for row in range(3))
    assert float(beyond["bm25"]) > float(beyond["bm25_best"]) and float(beyond["bm25_share"]) == 1
    assert "counts as all of it" in report.item(0).parts[1].evidence
    assert float(within["bm25"]) < float(within["bm25_best"])
    assert "counts as all of it" not in report.item(1).parts[1].evidence
