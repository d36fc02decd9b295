"""How many, in words that agree with the number."""

from __future__ import annotations


def many(count: int, one: str, more: str = "") -> str:
    """ "1 site", "3 sites"; `more` is the plural of a word that does not take an s."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"
