"""English time phrases: ranges and open ends built from single atoms, and the scan over a text."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from pipeline.planning import spans
from pipeline.planning.atoms_en import Atoms
from pipeline.planning.cursor import Atom, ImpossibleDate
from pipeline.planning.spans import Span
from pipeline.planning.tokens_en import THIS, tokenise
from pipeline.planning.window import Found, Impossible, Phrase, Reading

TO = frozenset({"to", "till", "until", "through", "thru", "-", "–", "—", "~", "～", "−"})


def read_english(text: str, reading: Reading) -> list[Found]:
    """All phrases of `text`, left to right, the longest at each place."""
    tokens = tokenise(text)
    reader = Ranges(tokens, reading)
    found: list[Found] = []
    at = 0
    while at < len(tokens):
        try:
            atom = reader.phrase(at)
        except ImpossibleDate as error:
            place = (tokens[at].start, tokens[min(error.end, len(tokens)) - 1].end)
            found.append(Impossible(text=text[slice(*place)], start=place[0], end=place[1]))
            at = max(error.end, at + 1)
            continue
        except (OverflowError, ValueError):
            atom = None
        if atom is None or atom.end <= at:
            at += 1
            continue
        start, end = tokens[at].start, tokens[atom.end - 1].end
        found.append(
            Phrase(span=atom.span, text=text[start:end], start=start, end=end, ambiguous=atom.ambiguous,
                   strength="weak" if atom.weak else "explicit")
        )  # fmt: skip
        at = atom.end
    return found


class Ranges(Atoms):
    """Two atoms with "to" between them, one with "since" before it."""

    def phrase(self, at: int) -> Atom | None:
        if self.word(at) in ("every", "each", "per"):
            return None
        if self.word(at - 1) in ("every", "each", "per") and not self.word(at).isdigit():
            return None
        best: Atom | None = None
        for read in (self.open_end, self.days_of_month, self.between, self.plain):
            atom = read(at)
            if atom is not None and (best is None or atom.end > best.end):
                best = atom
        return best

    def plain(self, at: int) -> Atom | None:
        at = self.skip(at, "on", "in", "during", "around", "throughout", "at") if self.word(at + 1) == "the" else at
        atom = self.atom(at)
        return self._or_later(atom) if atom else None

    # ------------------------------------------------------------------ open ends

    def open_end(self, at: int) -> Atom | None:
        """ "since Monday", "after 2024", "before May", "until Friday", "from March on"."""
        word = self.word(at)
        inner = at + 1
        if word in ("starting", "beginning", "effective"):
            inner = self.skip(inner, "on", "from", "in", "with")
            word = "since"
        elif word == "as" and self.words[at + 1 : at + 3] == ["of", "from"]:
            inner, word = at + 3, "since"
        elif word in ("later", "greater", "more") and self.word(inner) == "than":
            inner, word = inner + 1, "after"
        elif word in ("earlier", "less") and self.word(inner) == "than" or word == "prior" and self.word(inner) == "to":
            inner, word = inner + 1, "before"
        elif word == "up" and self.word(inner) == "to":
            inner, word = inner + 1, "until"
        elif word == "ever" and self.word(inner) == "since":
            inner, word = inner + 1, "since"
        if word not in ("since", "after", "before", "until", "till", "by", "from"):
            return None
        atom = self.atom(inner)
        if (
            atom is None
            or atom.span.start is None
            or atom.span.end is None
            or (atom.weak and atom.span.grain != "year")
        ):
            return None
        if word in ("by", "before", "after") and atom.weak:
            atom = replace(atom, weak=self.word(inner) == "the")
        return self._opened(word, atom)

    def _opened(self, word: str, atom: Atom) -> Atom | None:
        span = atom.span
        if word == "from":
            tail = self._tail(atom.end)
            return replace(atom, span=Span(start=span.start, end=None), end=tail) if tail > atom.end else None
        if word == "since":
            return replace(atom, span=Span(start=span.start, end=None), weak=False)
        if word == "after":
            begins = span.grain == "day" or self._edge_word(atom) in ("beginning", "start", "early")
            start = span.start if begins else span.end
            return replace(atom, span=Span(start=start, end=None), weak=False)
        if word == "by" and span.grain not in ("day", "month", "week", "span", "year"):
            return None
        late = self._edge_word(atom) in ("end", "late")
        end = span.start if word in ("before", "by") and not late else span.end
        return replace(atom, span=Span(start=None, end=end, last=span.start))

    def _edge_word(self, atom: Atom) -> str:
        """The "beginning" or "end" in the last words of an atom."""
        edges = ("beginning", "start", "early", "end", "late")
        return next((word for word in self.words[max(0, atom.end - 5) : atom.end] if word in edges), "")

    def _tail(self, at: int) -> int:
        """Past "onwards", "on", "forward"; unchanged where nothing of the kind follows."""
        if self.word(at) in ("onwards", "onward", "forward", "forwards"):
            return at + 1
        return at + 1 if self.word(at) == "on" and self.word(at + 1) in ("", ".", ",") else at

    def _or_later(self, atom: Atom) -> Atom:
        """ "2018 or later", "May onwards", "2016 and greater"."""
        tail = self._tail(atom.end)
        after = ("later", "greater", "after") if self.word(tail) == "or" else ("later", "greater")
        if tail == atom.end and self.word(tail) in ("or", "and") and self.word(tail + 1) in after:
            tail += 2
        if tail > atom.end and self.word(atom.end) != "on":
            return replace(atom, span=Span(start=atom.span.start, end=None), end=tail, weak=False)
        if self.word(atom.end) in ("or", "and") and self.word(atom.end + 1) in ("earlier", "before"):
            return replace(atom, span=Span(start=None, end=atom.span.end, last=atom.span.start), end=atom.end + 2)
        return atom

    # ------------------------------------------------------------------ two ends

    def days_of_month(self, at: int) -> Atom | None:
        """ "from 4 to 22 this month", "23rd to 26th Oct", "9 to 12 of June 2020", "Feb between 2-7 2018"."""
        start = self.skip(at, "from", "between")
        context = self.month(start)
        if context is not None and self.word(context[1]) == "between":
            return self._month_then_days(context[0], context[1] + 1)
        first = self.number(self.skip(start, "the"))
        if first is None or not 1 <= first.value <= 31 or first.digits > 2:
            return None
        middle = self._to(first.end, and_too=self.word(start - 1) == "between")
        if middle == first.end:
            return None
        self.joined = middle
        second = self.number(self.skip(middle, "the"))
        if second is None or not 1 <= second.value <= 31 or second.digits > 2:
            return self._day_then_date(first.value, middle)
        dated = self._day_first(middle) or self.day_of_month(middle)
        if dated is None and self.word(second.end) in THIS | {"next", "last"}:
            ref = self.reference(second.end)
            if ref and ref.span.grain == "month" and ref.span.start:
                base = ref.span.start
                dated = Atom(span=self.date(base.year, base.month, int(second.value), ref.end), end=ref.end)
        return self._same_month(int(first.value), dated) if dated else None

    def _day_then_date(self, first: float, middle: int) -> Atom | None:
        """ "from 02 to April 07"."""
        dated = self._month_first(middle)
        return self._same_month(int(first), dated) if dated and dated.day and first < dated.day else None

    def _same_month(self, first: int, dated: Atom) -> Atom:
        end = dated.span
        assert end.start is not None
        begin = self.date(end.start.year, end.start.month, first, dated.end)
        if not dated.year_given and begin.start and begin.start > end.start:
            return dated
        return replace(dated, span=spans.join(begin, end), day=0, month=0)

    def _month_then_days(self, month: int, at: int) -> Atom | None:
        first = self.number(at)
        if first is None or not 1 <= first.value <= 31:
            return None
        middle = self._to(first.end, and_too=True)
        second = self.number(middle)
        if middle == first.end or second is None or not 1 <= second.value <= 31:
            return None
        return self._same_month(int(first.value), self._with_year(month, int(second.value), second.end))

    def _to(self, at: int, *, and_too: bool) -> int:
        return at + 1 if self.word(at) in TO or (and_too and self.word(at) in ("and", "&")) else at

    def between(self, at: int) -> Atom | None:
        """Two atoms: "from Aug 1 to Aug 10", "between 2014 and 2018", "Friday to Monday", "November 19-20"."""
        led = self.word(at) in ("from", "between", "in")
        both = self.word(at) == "between"
        start = at + 1 if led else at
        start = self.skip(start, "from", "the")
        first = self.atom(start)
        if first is None or first.span.start is None or first.span.end is None:
            return None
        after = self.after_clock(first.end)
        middle = self._to(after, and_too=both)
        if middle == after:
            return self._for_duration(first) if led else None
        self.joined = middle
        if (short := self._bare_day(first, middle)) is not None:
            return short
        second = self.atom(self.skip(middle, "the")) or self.atom(middle)
        if second is None or second.span.start is None or second.span.end is None:
            return None
        years = first.span.grain == second.span.grain == "year"
        if self.word(middle - 1) in ("-", "until", "till") and not (led or years) and (first.weak or second.weak):
            return None
        first, second = self._agree(first, second)
        weak = first.weak and second.weak and not led
        return Atom(span=spans.join(first.span, second.span), end=second.end, weak=weak,
                    ambiguous=first.ambiguous or second.ambiguous)  # fmt: skip

    def after_clock(self, at: int) -> int:
        """Past a time of day between two days: "9am", "at 15:30", "afternoon". A window is made of days."""
        at = self.skip(at, "at", ",")
        if self.word(at) in ("morning", "afternoon", "evening", "night", "noon", "midnight"):
            return at + 1
        if self.word(at).isdigit() and self.word(at + 1) in ("am", "pm", ":"):
            at += 2 if self.word(at + 1) != ":" else 3
            return self.skip(at, "am", "pm")
        return at

    def _bare_day(self, first: Atom, middle: int) -> Atom | None:
        """The second end is a day number alone: "November 19-20", "April 27 to the third"."""
        if not first.day or not first.month or first.span.start is None:
            return None
        at = self.skip(middle, "the")
        number = self.number(at)
        if (
            number is None
            or not 1 <= number.value <= 31
            or number.digits > 2
            or self.month(self.skip(number.end, "of"))
        ):
            return None
        if self.word(number.end) in ("/", "-", ":"):
            return None
        year = self.year(self.skip(number.end, ","), short=False)
        begin = first.span
        if year and not first.year_given:
            begin = self.date(year[0], first.month, first.day, year[1])
        assert begin.start is not None
        month = begin.start if number.value >= first.day else spans.add_months(begin.start.replace(day=1), 1)
        after = year[1] if year and not first.year_given else number.end
        end = self.date(month.year, month.month, int(number.value), after)
        return replace(first, span=spans.join(begin, end), end=after, day=0)

    def _agree(self, first: Atom, second: Atom) -> tuple[Atom, Atom]:
        """A year or weekday given at one end decides the other."""
        a, b = first.span.start, second.span.start
        assert a is not None and b is not None
        if (
            first.month
            and not first.year_given
            and second.year_given
            and (second.month or second.span.grain == "month")
        ):
            year = b.year if (first.month, first.day) <= (b.month, b.day if second.day else 31) else b.year - 1
            return self._in_year(first, year), second
        if second.month and not second.year_given:
            year = a.year if (a.month, a.day if second.day else 0) <= (second.month, second.day) else a.year + 1
            if first.month or first.year_given:
                moved = self._in_year(second, year)
                return first, moved
        if first.weekday is not None and second.weekday is not None and b < a and second.span.end is not None:
            week = timedelta(days=7)
            return first, replace(second, span=replace(second.span, start=b + week, end=second.span.end + week))
        return first, second

    def _in_year(self, atom: Atom, year: int) -> Atom:
        if atom.day:
            return replace(atom, span=self.date(year, atom.month, atom.day, atom.end), year_given=True)
        if atom.span.grain == "month":
            return replace(atom, span=spans.month_span(year, atom.month), year_given=True)
        return atom

    def _for_duration(self, first: Atom) -> Atom | None:
        """ "from Dec 18 for 10 days"."""
        if self.word(first.end) != "for" or first.span.grain != "day" or first.span.start is None:
            return None
        counted = self.units(first.end + 1)
        if counted is None:
            return None
        value, unit = counted[0][0]
        end = spans.shift(first.span.start, value, unit)
        return replace(first, span=Span(start=first.span.start, end=end), end=counted[1], day=0, month=0)
