"""Pages that came instead of data: said in one line, and bot walls named as such."""

from __future__ import annotations

from pipeline.text import plain

_BLOCK_WORDS = (
    "blocked", "captcha", "verify you are human", "are you a robot", "access denied", "attention required",
    "just a moment", "checking your browser", "enable javascript and cookies", "making sure you're not a bot",
    "unusual traffic", "too many requests", "anubis", "cf-challenge", "proof-of-work", "访问被拒绝",
    "安全验证", "请完成验证",
)  # fmt: skip


def describe(text: str) -> str:
    """The first words of an unusable answer, for its outcome."""
    words = plain(text[:4000])[:120]
    return f"'{words}'" if words else "an empty answer"


def page_instead(text: str) -> str:
    """One line about a page that came instead of data."""
    if is_block_page(text):
        return f"blocked: the site answered with a block or challenge page {describe(text)}"
    return f"a web page came instead of data: {describe(text)}"


def is_block_page(text: str) -> bool:
    """A short page whose words are those of bot walls; long articles that mention them are not."""
    low = text[:20_000].lower()
    return len(text) < 60_000 and any(word in low for word in _BLOCK_WORDS)
