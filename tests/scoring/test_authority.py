"""Priors by precedence, the posterior, keys of platforms and posts."""

from collections.abc import Mapping
from datetime import datetime

import pytest

from pipeline.scoring.authority import Given, Prior, estimate, explain, key_of, posterior, prior, rebiased, source_key
from pipeline.scoring.beta import beta_cdf, beta_quantile
from pipeline.scoring.classes import class_of
from pipeline.settings import NamedSource, Profile
from tests.scoring.made import NOW, SETTINGS, candidate, judged, run

CLASSES = [
    ("whitehouse.gov", "official"),
    ("hmrc.gov.uk", "official"),
    ("city.osaka.lg.jp", "unlisted"),
    ("mofa.go.jp", "official"),
    ("gov.cn", "official"),
    ("army.mil", "official"),
    ("who.int", "organisation"),
    ("mit.edu", "education"),
    ("u-tokyo.ac.jp", "education"),
    ("tsinghua.edu.cn", "education"),
    ("freedom-truth.org", "org"),
    ("charity.org.uk", "org"),
    ("ann.substack.com", "blog"),
    ("ann.github.io", "blog"),
    ("reddit.com", "forum"),
    ("@someone", "social"),
    ("weibo.com", "social"),
    ("fresh-site.com", "unlisted"),
    ("gov.com", "unlisted"),
    ("edu.news", "unlisted"),
    ("", "unlisted"),
]


@pytest.mark.parametrize(("key", "class_"), CLASSES)
def test_class_from_the_name(key: str, class_: str) -> None:
    assert class_of(key) == class_


class Log:
    """Feedback and biases, as the store gives them."""

    def __init__(self, biases: Mapping[str, float] = {}, evidence: Mapping[str, tuple[float, float]] = {}) -> None:
        self._biases, self._evidence = biases, evidence

    def biases(self) -> Mapping[str, float]:
        return self._biases

    def evidence(self, as_of: datetime) -> Mapping[str, tuple[float, float]]:
        return self._evidence


def test_precedence_analyst_profile_sources_named_class() -> None:
    profiles = {"field": Profile(label="Field", authority_bias={"reuters.com": 0.5})}
    settings = SETTINGS.model_copy(update={"profiles": profiles})
    given = Given(class_="blog", bias=0.7)
    order = [
        prior("reuters.com", settings, biases={"reuters.com": 0.1}, profile="field", given=given),
        prior("reuters.com", settings, biases={}, profile="field", given=given),
        prior("reuters.com", settings, biases={}, given=given),
        prior("reuters.com", settings, biases={}, given=Given(class_="blog")),
        prior("fresh-site.com", settings, biases={}, given=Given(class_="blog")),
        prior("fresh-site.com", settings, biases={}),
    ]
    assert [round(one.mean, 2) for one in order] == [0.1, 0.5, 0.7, 0.92, 0.5, 0.3]
    assert [one.origin for one in order] == [
        "analyst's bias",
        "profile field",
        "sources.yaml",
        "named wire",
        "class blog",
        "class unlisted",
    ]


def test_org_alone_is_less_than_a_named_organisation() -> None:
    assert prior("anyone-at-all.org", SETTINGS, biases={}).mean == 0.6
    assert prior("imf.org", SETTINGS, biases={}).mean >= 0.8


def test_named_source_covers_hosts_below_it_and_not_lookalikes() -> None:
    assert prior("live.reuters.com", SETTINGS, biases={}).origin == "named wire"
    assert prior("notreuters.com", SETTINGS, biases={}).origin == "class unlisted"


def test_posterior_is_the_counted_mean() -> None:
    found = posterior("a", Prior(0.3, "class unlisted"), 20, successes=5, failures=1)
    assert found.mean == pytest.approx((0.3 * 20 + 5) / (20 + 6))
    assert found.low < found.mean < found.high
    assert beta_cdf(found.low, 11, 15) == pytest.approx(0.05, abs=1e-5)
    assert beta_cdf(found.high, 11, 15) == pytest.approx(0.95, abs=1e-5)


@pytest.mark.parametrize(
    ("share", "a", "b", "value"),
    [(0.5, 1, 1, 0.5), (0.05, 1, 1, 0.05), (0.95, 2, 1, 0.95**0.5), (0.25, 1, 3, 1 - 0.75 ** (1 / 3))],
)
def test_beta_quantiles_with_a_closed_form(share: float, a: float, b: float, value: float) -> None:
    assert beta_quantile(share, a, b) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("bias", [0.0, 0.00001, 0.99999, 1.0])
def test_a_bias_at_the_edge_has_no_spread(bias: float) -> None:
    found = posterior("a", Prior(bias, "analyst's bias"), 20, 0, 0)
    assert (found.low, found.mean, found.high) == (round(bias), bias, round(bias))


def test_feedback_and_bias_reach_the_score() -> None:
    pool = [judged(candidate("a", title="OpenAI model release", domain="news.fresh-site.com"))]
    log = Log({"fresh-site.com": 0.8}, {"fresh-site.com": (0.0, 20.0)})
    report = run(pool, authorities=log)
    assert report.table.values[0, 2] == pytest.approx((0.8 * 20) / 40)
    assert report.authorities["fresh-site.com"].prior_from == "analyst's bias"
    assert estimate("fresh-site.com", SETTINGS, authorities=log, as_of=NOW).mean == pytest.approx(0.4)


def test_a_new_bias_replaces_the_prior_and_keeps_the_evidence() -> None:
    before = posterior("a", Prior(0.3, "class unlisted"), 20, 4, 0)
    assert rebiased(before, 0.9).mean == pytest.approx((18 + 4) / 24)


KEYS = [
    ("a site's registrable domain", {"domain": "tech.bbc.co.uk"}, "bbc.co.uk"),
    ("a post's handle", {"domain": "x.com", "kind": "post", "author": "@NASA"}, "@nasa"),
    (
        "the publisher behind an aggregator",
        {"domain": "news.google.com", "publisher": "www.reuters.com"},
        "reuters.com",
    ),
    ("an account on a platform", {"domain": "mp.weixin.qq.com", "author": "某号"}, "qq.com/某号"),
    (
        "the account that an address names",
        {"domain": "foo.substack.com", "url": "https://foo.substack.com/p/1", "author": "A Reader"},
        "substack.com/foo",
    ),
    ("what links to a post", {"domain": "twitter.com", "url": "https://twitter.com/NASA/status/1"}, "@nasa"),
    ("no address at all", {"domain": "", "source": "file"}, "file"),
]


@pytest.mark.parametrize(("name", "more", "key"), KEYS, ids=[row[0] for row in KEYS])
def test_key(name: str, more: dict[str, str], key: str) -> None:
    owners = SETTINGS.owners.model_copy(
        update={"platforms": ("news.google.com", "mp.weixin.qq.com", "substack.com", "twitter.com")}
    )
    settings = SETTINGS.model_copy(update={"owners": owners})
    assert key_of(candidate(**more), settings) == key


NAMED = [
    ("a domain", "reuters.com", "reuters.com"),
    ("an address", "https://www.Reuters.com/markets", "reuters.com"),
    ("a host with www", "www.reuters.com", "reuters.com"),
    ("a host beneath its site", "news.bbc.co.uk", "bbc.co.uk"),
    ("a path behind a site", "reuters.com/markets", "reuters.com"),
    ("a blog's host", "foo.substack.com", "substack.com/foo"),
    ("an address of an account", "https://medium.com/@Joe/a-title", "medium.com/joe"),
    ("a key of a platform", "qq.com/某号", "qq.com/某号"),
    ("a key whose name has spaces", "qq.com/the daily", "qq.com/the daily"),
    ("a handle", "@NASA", "@nasa"),
    ("a handle in full width", "＠NASA", "@nasa"),
    ("the page of a handle", "https://x.com/NASA", "@nasa"),
    ("a post of a handle, under the platform's old name", "mobile.twitter.com/NASA/status/1", "@nasa"),
    ("the page of an account", "https://github.com/openai/", "github.com/openai"),
    ("a host with its port", "Reuters.com:443", "reuters.com"),
    ("an address without its scheme", "//www.reuters.com/markets", "reuters.com"),
    ("a domain in its own letters", "www.Bücher.de/neu", "xn--bcher-kva.de"),
    ("a source without address", "file", "file"),
    ("a publisher's name", "St. Louis Post", "st. louis post"),
]


@pytest.mark.parametrize(("name", "typed", "key"), NAMED, ids=[row[0] for row in NAMED])
def test_the_source_that_a_person_names(name: str, typed: str, key: str) -> None:
    assert source_key(typed, SETTINGS) == key


def test_a_source_may_have_a_mean_of_its_own_for_a_theme() -> None:
    named = {"site.example": NamedSource(mean=0.5, topics={"space": 0.9})}
    table = SETTINGS.authority.model_copy(update={"sources": named})
    settings = SETTINGS.model_copy(update={"authority": table})
    pool = [judged(candidate("a", title="A", theme="space")), judged(candidate("b", title="B", theme="sport"))]
    report = run(pool, settings=settings)
    assert report.table.values[:, 2].tolist() == pytest.approx([0.9, 0.5])
    assert report.table.authority_keys == ("site.example#space", "site.example")


def test_every_named_source_is_a_plain_host() -> None:
    for key, entry in SETTINGS.authority.sources.items():
        assert key == key.lower() and "/" not in key and not key.startswith("www."), key
        assert entry.class_ in SETTINGS.scoring.authority.classes, key


PLATFORMS = [
    ("the site itself", "qq.com", 0.60, "named source"),
    ("an account that anyone can open there", "qq.com/某号", 0.50, "class blog"),
    ("an outlet that a portal passes on", "msn.com/the daily", 0.60, "named source"),
]


@pytest.mark.parametrize(("key", "mean", "origin"), [row[1:] for row in PLATFORMS], ids=[row[0] for row in PLATFORMS])
def test_a_platform_does_not_vouch_for_its_accounts(key: str, mean: float, origin: str) -> None:
    assert prior(key, SETTINGS, biases={}) == (mean, origin)


COUNTS = [
    (0.3, 0.0, 0.0, "class blog) worth 20 observations; posterior 0.30"),
    (0.3, 1234.0, 0.1, "feedback 1,234 for it, 0.1 against; posterior 0.99, 90% between 0.98 and 0.99"),
    (0.5, 5e5, 5e5, "feedback 500,000 for it, 500,000 against; posterior 0.50, 90% between 0.50 and 0.50"),
    (1.0, 0.0, 0.0, "posterior 1.00, 90% between 1.00 and 1.00"),
    (0.0, 0.0, 1e6, "posterior 0.00, 90% between 0.00 and 0.00"),
]


@pytest.mark.parametrize(("mean", "successes", "failures", "says"), COUNTS)
def test_counts_are_told_as_people_write_them(mean: float, successes: float, failures: float, says: str) -> None:
    found = posterior("a.example", Prior(mean, "class blog"), 20, successes, failures)
    assert says in explain(found).sentence
    assert found.mean == pytest.approx((mean * 20 + successes) / (20 + successes + failures))
    assert 0 <= found.low <= found.mean <= found.high <= 1
