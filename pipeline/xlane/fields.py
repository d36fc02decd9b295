"""What the columns of a file of posts are called: each tool has its own names, in its own spelling.

Names are compared without case, blanks and strokes, and without what only says that they are a post's: `fullText`,
"Tweet Text" and `full_text` are one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

_COLUMNS: Mapping[str, str] = {
    "id": "id idstr 编号 mid",
    "author": "author handle authorhandle userhandle username screenname author.username user.screenname user.username"
    " userscreenname authorusername fromuser user account from 作者 用户 用户名 博主 昵称 用户昵称 发布者",
    "text": "text fulltext content rawcontent tweet body post message 正文 内容 文本 全文",
    "date": "createdat date time timestamp datetime postedat publishedat postedms 时间 发布时间 日期 发布日期",
    "url": "url link permalink permanenturl 链接",
    "lang": "lang language",
    "likes": "likes likecount favoritecount favouritecount favourites publicmetrics.likecount 点赞数",
    "reposts": "reposts retweets retweetcount repostcount publicmetrics.retweetcount 转发数",
    "replies": "replies replycount publicmetrics.replycount 评论数",
}
"""Our name -> theirs, the most telling first."""
_JOINED = re.compile(r"[\s_-]+")
_OF_A_POST = re.compile(r"(?:tweet|post|status|twitter|微博|推文|帖子)(?=.)")


@cache
def _fields() -> Mapping[str, str]:
    return {column: field for field, columns in _COLUMNS.items() for column in columns.split()}


def field(column: Any) -> str:
    """Our name of a file's column; "" for one that is not used."""
    return _fields().get(_known(column), "")


def fields(row: Mapping[Any, Any]) -> dict[str, str]:
    """Our field name -> its value, by the first known column that holds something."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        inner = {f"{_known(key)}.{_known(name)}": item for name, item in value.items()} if _nested(value) else {}
        for name, item in (inner or {_known(key): value}).items():
            if item is not None and not isinstance(item, (list, bool, Mapping)) and str(item).strip():
                flat.setdefault(name, item)
    found: dict[str, str] = {}
    for name, columns in _COLUMNS.items():
        value = next((flat[column] for column in columns.split() if column in flat), None)
        if value is not None:
            found[name] = str(value).strip()
    return found


def is_post(record: Any) -> bool:
    """A record that holds a text of its own."""
    return _nested(record) and any(field(key) == "text" and isinstance(value, str) for key, value in record.items())


def _nested(value: Any) -> bool:
    return isinstance(value, Mapping)


def _known(column: Any) -> str:
    name = _JOINED.sub("", str(column)).lower()
    return name if name in _fields() else _OF_A_POST.sub("", name, count=1) if _OF_A_POST.match(name) else name
