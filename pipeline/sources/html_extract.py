"""Public pages without a feed: CSS selectors for item, title, link, date and text.

A selector reads the text of the first match inside the item; `selector@attribute` reads an attribute, `@attribute` one
of the item itself, `.` the item's own text; `+tag selector` looks inside the following sibling of that tag (definition
lists). Pages are read as they were sent; with `render: true` in the configuration net sends them through a browser
first (endpoint.options["render"], the optional extra of that name). Robots rules and the polite interval are net's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from pipeline import dates
from pipeline.errors import FetchError
from pipeline.sources import common, decode
from pipeline.sources.blockpages import is_block_page, page_instead
from pipeline.text import host_of, plain
from pipeline.types import Candidate, DateClaim, Endpoint, Malformed, Parsed, Plan, Request, Response, Subquery

_FIELDS = ("title", "link", "date", "text")
_LITTLE_TEXT = 400
"""Characters of visible text below which a page with scripts is one that draws itself in the browser."""
_APP_ROOTS = "#root:empty, #app:empty, #__next:empty, #__nuxt:empty, app-root:empty, [ng-app], [data-reactroot]:empty"


class HtmlExtract:
    name = "custom"
    label = "Pages"
    kind: Literal["feed", "api", "page", "file"] = "page"
    searches = False
    noisy = False
    social = False
    needs_key = ""

    def endpoints(self, config: Any, plan: Plan) -> Sequence[Endpoint]:
        """One endpoint a page; `config` is a sequence of settings.CustomPage."""
        return tuple(_endpoint(self.name, page) for page in config)

    def requests(self, endpoint: Endpoint, subquery: Subquery, plan: Plan, limit: int) -> Sequence[Request]:
        accept = ("accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5")
        return (Request(url=endpoint.url, headers=(accept,)),)

    def parse(self, response: Response, endpoint: Endpoint, plan: Plan) -> Parsed:
        """Raises FetchError when no item matches: a changed page must not look like a quiet day."""
        from selectolax.lexbor import LexborHTMLParser

        text = decode.to_text(response.body, common.content_type(response))
        tree = LexborHTMLParser(text)
        selectors = endpoint.options["selectors"]
        items = _css(tree, selectors["item"])
        if not items:
            raise FetchError(_why_nothing(tree, text, endpoint), status="bad response")
        base = response.url or endpoint.url
        if (stated := tree.css_first("base[href]")) is not None:
            base = common.clean_url(stated.attributes.get("href") or "", base) or base
        read = [_item({name: _read(node, selectors[name]) for name in _FIELDS}, base, endpoint, plan) for node in items]
        return Parsed(
            candidates=common.distinct([item for item in read if isinstance(item, Candidate)]),
            malformed=tuple(item for item in read if isinstance(item, Malformed)),
        )


def _endpoint(source: str, page: Any) -> Endpoint:
    chosen = page.selectors
    options = {
        "selectors": {"item": chosen.item} | {name: getattr(chosen, name) for name in _FIELDS},
        "render": page.render,
        "interval_seconds": page.interval_seconds,
    }
    return replace(common.listed(source, page), options=options)


def _css(node: Any, selector: str) -> list[Any]:
    from selectolax.lexbor import SelectolaxError

    try:
        return list(node.css(selector))
    except (ValueError, SelectolaxError):
        raise FetchError(
            f"the selector {selector!r} can't be read; correct it in sources.yaml", status="error"
        ) from None


def _read(item: Any, selector: str) -> str:
    """What one selector finds in one item; "" when it finds nothing or is not set."""
    if not selector:
        return ""
    path, at, attribute = selector.rpartition("@") if "@" in selector.rpartition("]")[2] else (selector, "", "")
    node = _find(item, path.strip())
    if node is None:
        return ""
    return (node.attributes.get(attribute) or "") if at else " ".join(node.text().split())


def _find(item: Any, path: str) -> Any:
    if path.startswith("+"):
        tag, _, path = path[1:].strip().partition(" ")
        item = _following(item, tag)
    if item is None or path in ("", "."):
        return item
    inside = (node for node in _css(item, path) if node.mem_id != item.mem_id)  # an item may match its own selector
    return next(inside, None)


def _following(item: Any, tag: str) -> Any:
    node = item.next
    while node is not None and node.tag != tag:
        node = node.next
    return node


def _item(read: dict[str, str], base: str, endpoint: Endpoint, plan: Plan) -> Candidate | Malformed:
    url = common.clean_url(read["link"], base)
    text = common.text_of(read["text"])
    title = common.title_or_lead(plain(read["title"])[: common.TITLE_CHARS], text)
    ident = f"custom:{common.digest(endpoint.name, url, '' if url else title)}"
    if not title:
        return Malformed(id=ident, title="", url=url, reason="an item whose title selector finds nothing")
    return Candidate(
        id=ident,
        source=endpoint.source,
        endpoint=endpoint.name,
        url=url,
        domain=host_of(url),
        title=title,
        text=text,
        publisher=common.publisher_of(url, endpoint.name),
        lang=common.lang_of(f"{title} {text[:120]}", endpoint.language),
        dates=dates.choose((_stated(read["date"], endpoint, plan), dates.url_date(url))),
        theme=endpoint.theme,
    )


def _stated(raw: str, endpoint: Endpoint, plan: Plan) -> DateClaim | None:
    """The page's own words for the date; relative ones ("3小时前") are counted from the run's clock."""
    return dates.parse_date(raw, zone=endpoint.timezone, kind="time", reference=plan.now) if raw else None


def _why_nothing(tree: Any, text: str, endpoint: Endpoint) -> str:
    if is_block_page(text):
        return page_instead(text)
    if _draws_itself(tree) and not endpoint.options.get("render"):
        return "the page is drawn by scripts and holds no item as sent: needs render: true"
    return f"nothing matches the item selector {endpoint.options['selectors']['item']!r}: the page may have changed"


def _draws_itself(tree: Any) -> bool:
    if not tree.css("script"):
        return False
    for node in tree.css("script, style, noscript, template"):
        node.decompose()
    body = tree.body
    return len(" ".join(body.text().split()) if body else "") < _LITTLE_TEXT or bool(tree.css(_APP_ROOTS))
