"""Independent voices: how many owners report an event, however many sites repeat it.

An item's voice is found in three steps: its site (registrable domain; on platform hosts the account that the
address names, else the feed's stated publisher, else the author), the ownership group of that site (config/owners.yaml), and the agency whose text it credits. A copy
speaks with the voice of its original, so that nine reprints of one text are one voice.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from pipeline.settings import Settings
from pipeline.text import HAN, host_of, registrable, tokens
from pipeline.types import Candidate

_WORD = re.compile(r"\w+")
CREDIT_CHARS = 120  # characters at a text's beginning and end in which an agency is credited
_CARRIERS = (
    "archive.is",
    "archive.ph",
    "archive.today",
    "archive.org",
    "webcache.googleusercontent.com",
    "ampproject.org",
)
_CARRIED = re.compile(
    r"https?://[^/]+/(?:newest/|web/\d+\w*/|\d+/|(?:amp|[civ])/(?:s/)?)?"
    r"(?P<url>https?:/{1,2}\S+|[\w.-]+\.[a-z]{2,}/\S*)"
)
_AMP_VIEWER = re.compile(r"https?://(?:www\.)?google\.[\w.]+/amp/")
_HOST = re.compile(r"//[^/?#]+")


class Owners:
    """The tables of config/owners.yaml and the owners of the configured feeds, ready for look-ups.

    items: the pool. The site that most of an owned feed's items lie on is that owner's, also where another source links
    to it: a link to an outlet's article is no second voice beside the outlet's feed.
    """

    def __init__(self, settings: Settings, items: Sequence[Candidate] = ()) -> None:
        table = settings.owners
        self._group = {site.lower(): group for group, sites in table.groups.items() for site in sites}
        self._platforms = frozenset(table.platforms)
        self._mirrors = table.mirrors
        self._account = table.account
        self._credits = {name: _credit_patterns(forms) for name, forms in table.wires.items()}
        self._feeds = {
            feed.name: feed.owner
            for feeds in (settings.sources.rss, settings.sources.search, settings.sources.custom)
            for feed in feeds
            if feed.owner
        }
        self._hints: dict[str, list[str]] = {}
        for name, forms in table.wires.items():
            for form in (form for form in forms if not form.startswith("The ")):  # its short form is listed too
                self._hints.setdefault(_WORD.findall(form.lower())[0], []).append(name)
        for feed, site in self._home_sites(items).items():
            self._group.setdefault(site, self._group.get(self._feeds[feed], self._feeds[feed]))
        self._chinese = [(form, name) for name, forms in table.wires.items() for form in forms if HAN.match(form)]

    def _home_sites(self, items: Sequence[Candidate]) -> dict[str, str]:
        """Owned feed -> the site most of its items lie on; feeds on platforms have none of their own."""
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for item in items:
            if item.endpoint in self._feeds and not {item.domain, registrable(item.domain)} & self._platforms:
                counts[item.endpoint][registrable(item.domain)] += 1
        return {feed: found.most_common(1)[0][0] for feed, found in counts.items()}

    def site(self, item: Candidate) -> str:
        """Registrable domain; on a platform the account ("substack.com/@name") or the stated publisher.

        Items of a platform whose account nobody tells are one voice: they may well be one account's.
        """
        url, host = item.url, item.domain
        if registrable(host) in _CARRIERS or _AMP_VIEWER.match(url):
            url = carried_url(url)
            host = host_of(url)
        domain = registrable(host)
        if home := self._mirrors.get(domain):
            url, host, domain = _HOST.sub(f"//{home}", url, count=1), home, home
        if not {host, domain} & self._platforms:
            return domain
        if account := self._account(url):
            return self._site_named(account) or f"{domain}/@{account}"
        if item.publisher and not item.publisher.startswith("r/"):  # a forum is many accounts
            return self._site_named(item.publisher) or item.publisher.lower()
        author = item.author.lower().lstrip("@/").removeprefix("u/")
        return f"{domain}/@{author}" if author else domain

    def _site_named(self, account: str) -> str:
        """The site that an account or a publisher is called by, as some are; "" for any other name."""
        site = registrable(host_of(account) or account.removeprefix("www."))
        return site if "." in account and " " not in account and site not in self._platforms else ""

    def owner(self, item: Candidate) -> str:
        """The ownership group of the item's site, else the site itself."""
        if named := self._feeds.get(item.endpoint):
            return self._group.get(named, named)
        site = self.site(item)
        return self._group.get(site) or self._group.get(item.domain) or self._group.get(item.publisher.lower()) or site

    def wire(self, item: Candidate) -> str:
        """The agency whose text this is: credited as author, in the dateline or in a line at the end; "" for none."""
        if (owner := self._group.get(self.site(item))) and owner in self._credits:
            return owner
        ends = f"{item.author}\n{item.text[:CREDIT_CHARS]}\n{item.text[-CREDIT_CHARS:]}"
        if ends.isascii() and self._hints.keys().isdisjoint(tokens(ends)):
            return ""
        hinted = {name for word in self._hints.keys() & set(_WORD.findall(ends.lower())) for name in self._hints[word]}
        if not ends.isascii():
            hinted |= {name for form, name in self._chinese if form in ends}
        return next((name for name in sorted(hinted) if self._credits[name].search(ends)), "")


def _credit_patterns(forms: Sequence[str]) -> re.Pattern[str]:
    """An agency's name as a credit: alone as the author, in brackets before a dash, after "by" or "source"."""
    names = "|".join(re.escape(form) for form in forms)
    return re.compile(
        rf"\A\s*(?:by\s+)?(?:{names})\b[^\n]{{0,30}}\n"  # the author line
        rf"|[(（]\s*(?:{names})\s*[)）]\s*[-–—]?"  # LONDON (Agency) -
        rf"|(?:\bby|\bsource:?|\bvia|©|来源[:：]?|稿源[:：]?|据)\s*(?:the\s+)?(?:{names})(?![\w])"
        rf"|(?:{names})(?=[\u4e00-\u9fff]{{0,6}}\d{{1,2}}月\d{{1,2}}日)"  # agency, place and day
        rf"|(?:^|\n)(?:{names})\s*[-–—:：]",
        re.IGNORECASE,
    )


@lru_cache(maxsize=4096)
def carried_url(url: str) -> str:
    """The address inside the address of an archive or of an AMP cache; that itself when there is none."""
    found = _CARRIED.match(url)
    inner = re.sub(r"^(?:https?:/+)?", "https://", found["url"]) if found else ""
    return inner if host_of(inner) else url


def voices(
    items: Sequence[Candidate], rows: Sequence[int], original_of: Mapping[int, int], owners: Owners
) -> tuple[dict[int, int], tuple[tuple[str, tuple[str, ...]], ...]]:
    """Of one event: row -> voice number, and the tree (voice, its member ids), earliest voice first.

    `rows` in time order; `original_of` row -> row of its copy group's original. A group of copies speaks for the
    agency that any of its members credits, else for the owner of its original.
    """
    if len(rows) == 1:  # a lone report is its site's, whatever it credits: there is nothing to count
        return {rows[0]: 0}, ((owners.owner(items[rows[0]]), (items[rows[0]].id,)),)
    groups: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        groups[original_of[row]].append(row)
    name_of = {original: _group_voice(items, original, copies, owners) for original, copies in groups.items()}
    numbers: dict[str, int] = {}
    members: dict[str, list[str]] = defaultdict(list)
    found = {}
    for row in rows:
        name = name_of[original_of[row]]
        found[row] = numbers.setdefault(name, len(numbers))
        members[name].append(items[row].id)
    return found, tuple((name, tuple(members[name])) for name in numbers)


def _group_voice(items: Sequence[Candidate], original: int, rows: Sequence[int], owners: Owners) -> str:
    return next((wire for row in rows if (wire := owners.wire(items[row]))), "") or owners.owner(items[original])
