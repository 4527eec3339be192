"""The errors of this library."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

# A field, its expected value and its actual value.
Difference = tuple[str, str, str]


class ProgramNotFound(FileNotFoundError):
    """A program of Waypost is not installed."""


class ProcessFailed(RuntimeError):
    """A gateway or an agent ended early, or gave no answer in time."""


class GatewayFailed(RuntimeError):
    """A running gateway cannot be reached, or refuses the calls."""


class StepRefused(ValueError):
    """The agent does not know the step, or one of its keys or values."""


class StepFailed(AssertionError):
    """A step was not possible, or an expectation is not met.

    :ivar message: the problem in one sentence.
    :ivar differences: the fields whose actual values differ from the expected ones.
    :ivar explanation: the decision, on several lines, or an empty text.
    """

    def __init__(self, message: str, differences: Sequence[Difference] = (), explanation: str = "") -> None:
        parts = [message, _table(differences) if differences else "", explanation]
        super().__init__("\n\n".join(part for part in parts if part))
        self.message = message
        self.differences = list(differences)
        self.explanation = explanation


def _table(differences: Sequence[Difference]) -> str:
    """Returns the differences as a table. A value may have several lines."""
    rows = [("", "Expected", "Got"), ("", "────────", "───")]
    for cells in differences:
        lines = zip_longest(*(cell.split("\n") for cell in cells), fillvalue="")
        rows += [(field, expected, actual) for field, expected, actual in lines]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
