"""The class of a source nobody listed, from its name alone. Reserved suffixes only: a suffix anyone can buy
proves nothing.
"""

from __future__ import annotations

from functools import lru_cache

# Second-level labels under country codes that registries reserve ("gov.uk", "ac.jp", "edu.cn", "go.kr", "gouv.fr").
OFFICIAL = frozenset(
    ("gov", "mil", "gouv", "gob", "govt", "go", "gub", "gc", "admin", "gv", "government", "parliament", "nhs", "police")
)
EDUCATION = frozenset(("edu", "ac"))
COUNTRY_WIDE = frozenset(("gc.ca", "admin.ch", "europa.eu", "bund.de", "gov.cn", "nhs.uk", "canada.ca", "overheid.nl"))
BLOG_HOSTS = frozenset(
    (
        "blogspot.com", "wordpress.com", "substack.com", "medium.com", "github.io", "tumblr.com", "ghost.io",
        "hashnode.dev", "dev.to", "beehiiv.com", "typepad.com", "livejournal.com", "bearblog.dev", "hatenablog.com",
        "jianshu.com", "csdn.net", "cnblogs.com", "zhihu.com", "gitee.io", "netlify.app", "vercel.app", "pages.dev",
        "gitlab.io", "wixsite.com", "weebly.com", "qq.com",
    )
)  # fmt: skip
FORUMS = frozenset(
    (
        "reddit.com", "news.ycombinator.com", "ycombinator.com", "lobste.rs", "stackoverflow.com",
        "stackexchange.com", "v2ex.com", "tieba.baidu.com", "quora.com", "discord.com", "lemmy.world", "hupu.com",
    )
)  # fmt: skip
SOCIAL = frozenset(("x.com", "twitter.com", "bsky.app", "weibo.com", "facebook.com", "threads.net", "mastodon.social"))


@lru_cache(maxsize=65_536)
def class_of(key: str) -> str:
    """Class name of config/scoring.yaml for a domain or "@handle".

    >>> [class_of(k) for k in ("whitehouse.gov", "cam.ac.uk", "helpthem.org", "ann.substack.com", "@ann",
    "new-site.com")] ['official', 'education', 'org', 'blog', 'social', 'unlisted']
    """
    if key.startswith("@"):
        return "social"
    host = key.split("/")[0]
    labels = host.split(".")
    tails = {".".join(labels[start:]) for start in range(len(labels))}
    if tails & SOCIAL:
        return "social"
    if tails & BLOG_HOSTS:
        return "blog"
    if tails & FORUMS:
        return "forum"
    return _by_suffix(labels, tails)


def _by_suffix(labels: list[str], tails: set[str]) -> str:
    last = labels[-1]
    second = labels[-2] if len(labels) > 1 and len(last) == 2 else ""
    if last in ("gov", "mil", "int") or second in OFFICIAL or tails & COUNTRY_WIDE:
        return "organisation" if last == "int" else "official"
    if last == "edu" or second in EDUCATION:
        return "education"
    return "org" if last == "org" or second == "org" else "unlisted"
