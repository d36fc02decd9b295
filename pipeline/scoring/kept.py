"""What re-scoring asks of a table at every move and no setting changes: worked out once, kept while the table lives."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from numpy.typing import NDArray

T = TypeVar("T")


class Kept(Generic[T]):
    """The last thing made from some arrays, and nothing of them: it goes when one of them does.

    One place is enough, a slider asks for the same table at every move; and what is lost can be made again.
    """

    def __init__(self) -> None:
        self._last: tuple[tuple[weakref.ref[Any], ...], T] | None = None

    def of(self, arrays: tuple[NDArray[Any], ...], make: Callable[[], T]) -> T:
        """What `make` returned for these very arrays; it must hold none of them."""
        last = self._last
        if last is not None and all(ref() is array for ref, array in zip(last[0], arrays, strict=True)):
            return last[1]
        made = make()
        self._last = tuple(weakref.ref(array, self._forget) for array in arrays), made
        return made

    def _forget(self, gone: weakref.ref[Any]) -> None:
        last = self._last
        if last is not None and any(ref is gone for ref in last[0]):
            self._last = None
