"""Sources: one file each. To add one: its file, its line here, a recorded payload under tests/data/sources.

Sources are pure: `requests` says what to ask, `parse` reads one answer; collect does the asking.
A source's configuration section is settings.sources.<name>.
"""

from pipeline.sources.bluesky import Bluesky
from pipeline.sources.file import File
from pipeline.sources.gdelt import Gdelt
from pipeline.sources.guardian import Guardian
from pipeline.sources.hackernews import HackerNews
from pipeline.sources.html_extract import HtmlExtract
from pipeline.sources.newsapi import NewsApi
from pipeline.sources.rss import Rss
from pipeline.sources.search_feeds import SearchFeeds
from pipeline.types import Source

SOURCES: tuple[Source, ...] = (
    Rss(),
    SearchFeeds(),
    HackerNews(),
    Gdelt(),
    NewsApi(),
    Guardian(),
    Bluesky(),
    HtmlExtract(),
    File(),
)
