"""Identity on labelled data: reprint groups of a news index are one voice each."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline import events
from pipeline.text import language
from pipeline.types import Candidate, DateClaim, DateLedger, Window
from tests.events.helpers import settings

DATA = os.environ.get("LATELY_DATA", "")
pytestmark = [pytest.mark.data, pytest.mark.skipif(not DATA, reason="LATELY_DATA is unset")]


def test_every_reprint_group_is_one_voice() -> None:
    lines = (Path(DATA) / "api_payloads" / "gdelt_reprint_groups.jsonl").read_text("utf-8").splitlines()
    groups = [json.loads(line) for line in lines]
    items = [_item(group["title"], copy) for group in groups for copy in group["copies"]]
    now = max(at for item in items if (at := item.published_at))
    window = Window(since=now - timedelta(365), until=now, how="argument", evidence="", ends_now=True)
    found = events.group(items, window=window, settings=settings(), now=now)
    row = 0
    for group in groups:
        rows = range(row, row + len(group["copies"]))
        row += len(group["copies"])
        assert len({(int(found.event_of[r]), int(found.voice_of[r])) for r in rows}) == 1, group["title"]


def _item(title: str, copy: dict[str, str]) -> Candidate:
    at = datetime.strptime(copy["seendate"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    claim = DateClaim(kind="first seen", at=at, reliability=0.5, raw=copy["seendate"])
    return Candidate(
        id=copy["url"], source="gdelt", endpoint="gdelt", url=copy["url"], domain=copy["domain"], title=title, text="",
        lang=language(title), dates=DateLedger(claims=(claim,), chosen=0),
    )  # fmt: skip
