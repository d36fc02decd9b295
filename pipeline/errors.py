"""What can go wrong, as a tree.

    LatelyError                 anything we raise on purpose; str(error) is one line that says what to do
    ├── InputError              the analyst gave something that can't be used (exit code 2)
    │   ├── WindowError         impossible, reversed beyond repair, or wholly future time window
    │   └── ConfigError         a configuration file: names file, key and line
    ├── FetchError              one request failed; `status` is the outcome it leads to
    ├── StoreError              the database can't be read or written (disk full, locked, foreign schema)
    └── ModelError              an embedding, language or rerank model can't be used

An expected failure of a source is not an exception beyond `collect`: it becomes an `Outcome`.
"""

from __future__ import annotations

from typing import Literal

Status = Literal[
    "ok",
    "empty",
    "timeout",
    "rate limited",
    "unauthorised",
    "not configured",
    "bad response",
    "blocked by robots",
    "cancelled",
    "error",
]


class LatelyError(Exception):
    """Base of everything raised on purpose. The message is one line for a person."""


class InputError(LatelyError):
    """The analyst's input can't be used as it is."""


class WindowError(InputError):
    """The time window makes no sense."""


class ConfigError(InputError):
    """A configuration file is wrong; the message names file, key and line."""


class FetchError(LatelyError):
    """One request failed.

    `status` is the outcome of the endpoint, `retry_after` the seconds the server asked to wait, `code` the HTTP status
    of its answer; None when there was none.
    """

    def __init__(
        self, message: str, *, status: Status = "error", retry_after: float | None = None, code: int | None = None
    ) -> None:
        super().__init__(message)
        self.status: Status = status
        self.retry_after = retry_after
        self.code = code


class StoreError(LatelyError):
    """The database can't be read or written."""


class ModelError(LatelyError):
    """A model can't be loaded or answered nonsense."""
