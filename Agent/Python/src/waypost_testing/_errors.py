"""The errors of this library."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import zip_longest

# The categories of characters that control a terminal or end a line, and the overrides of the direction of text.
_CONTROLS = ("Cc", "Zl", "Zp")
_OVERRIDES = "\u202a\u202b\u202c\u202d\u202e"

# A field, its expected value and its actual value.
Difference = tuple[str, str, str]


class ProgramNotFound(FileNotFoundError):
    """A program of Waypost is not installed."""


class ProcessFailed(RuntimeError):
    """A gateway or an agent ended early, or gave no answer in time."""


class GatewayFailed(RuntimeError):
    """A running gateway cannot be reached, or refuses the calls."""


class GatewayUnreachable(GatewayFailed):
    """Nothing answers at the URL of a running gateway. It gives pytest the exit status 69."""


class WaypostWarning(UserWarning):
    """A step passed, but is probably not meant as it is written, or APNs would have done something else."""


class StepRefused(ValueError):
    """The agent does not know the step, or one of its keys or values."""


class StepFailed(AssertionError):
    """A step was not possible, or an expectation is not met.

    :ivar message: the problem in one sentence.
    :ivar differences: the fields whose actual values differ from the expected ones.
    :ivar explanation: the decision, on several lines, or an empty text.
    """

    def __init__(self, message: str, differences: Sequence[Difference] = (), explanation: str = "") -> None:
        rows = [("", "Expected", "Got"), ("", "────────", "───"), *differences]
        parts = [message, table(rows) if differences else "", explanation]
        super().__init__("\n\n".join(part for part in parts if part))
        self.message = message
        self.differences = list(differences)
        self.explanation = explanation


def printable(text: str) -> str:
    """Returns text from elsewhere without characters that could control a terminal or begin a line."""
    return "".join("\ufffd" if unicodedata.category(each) in _CONTROLS or each in _OVERRIDES else each for each in text)


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Returns rows as a table. A cell may have several lines."""
    lines = [line for cells in rows for line in zip_longest(*(cell.split("\n") for cell in cells), fillvalue="")]
    widths = [max(len(line[column]) for line in lines) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)
