"""Walking over the tokens of an English text: what the readers of its time phrases share."""

from __future__ import annotations

from pipeline.planning.cursor import Atom, Cursor, full_year
from pipeline.planning.tokens_en import MONTHS, UNITS, Number, Token, read_number
from pipeline.planning.window import Reading


class EnglishCursor(Cursor):
    """Helpers over one text's tokens. `atom` is given by the last of the readers built on this."""

    def __init__(self, tokens: list[Token], reading: Reading) -> None:
        super().__init__(reading)
        self.tokens = tokens
        self.words = [token.word for token in tokens]

    def atom(self, at: int, *, parts: bool = True) -> Atom | None:
        """The longest reading that begins here."""
        raise NotImplementedError

    def word(self, at: int) -> str:
        return self.words[at] if 0 <= at < len(self.words) else ""

    def skip(self, at: int, *words: str) -> int:
        return at + 1 if self.word(at) in words else at

    def number(self, at: int, *, articles: bool = False) -> Number | None:
        return read_number(self.tokens, self.words, at, articles=articles)

    def _capital(self, at: int) -> bool:
        return self.tokens[at].text[:1].isupper()

    def glued(self, at: int) -> bool:
        """No space between this token and the one before."""
        return 0 < at < len(self.tokens) and self.tokens[at].start == self.tokens[at - 1].end

    def unit(self, at: int) -> tuple[str, int] | None:
        word = self.word(at)
        if word in ("business", "working", "trading", "calendar") and self.word(at + 1) in UNITS:
            return UNITS[self.word(at + 1)], at + 2
        return (UNITS[word], at + 1) if word in UNITS else None

    def month(self, at: int) -> tuple[int, int] | None:
        """(month, next) of a month name, its full stop taken along."""
        word = self.word(at)
        if word not in MONTHS:
            return None
        after = at + 1
        if len(word) < 5 and self.word(after) == "." and self.glued(after):
            after += 1
        return MONTHS[word], after

    def year(self, at: int, *, short: bool = True) -> tuple[int, int] | None:
        """(year, next): four digits, words ("two thousand and five"), and where `short` two digits or '26."""
        at0 = at
        if self.word(at) == "year":
            at += 1
        if short and self.word(at) in ("'", "’") and self.word(at + 1).isdigit() and len(self.word(at + 1)) == 2:
            return full_year(int(self.word(at + 1)), self.now), at + 2
        number = self.number(at)
        if number is None or number.ordinal:
            return None
        value = int(number.value)
        if number.digits and self.word(number.end) in ("ad", "ce"):
            return value, number.end + 1
        if number.digits == 4 or (number.digits == 0 and 1000 <= value <= 2999):
            return (value, number.end) if 1000 <= value <= 2999 else None
        if number.digits == 2 and short and at == at0 and not self._continues_as_clock(number.end):
            return full_year(value, self.now), number.end
        return None

    def _continues_as_clock(self, at: int) -> bool:
        return self.word(at) in (":", "am", "pm", "a", "p", "%", "hours", "hrs", "days", "st", "nd", "rd", "th")
