"""The results of steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any


class Explained(str):
    """A text with the decision behind it, which pytest shows if an ``assert`` compares it with another text."""

    explanation = ""


@dataclass(frozen=True, repr=False)
class Answer:
    """The result of a step. Without an expectation of it, a value is ``None``.

    :ivar scene: the scene that opened.
    :ivar reason: the reason why this scene opened: prefers, can, noneCan, noIdentifier or singleScene.
    :ivar created: whether the scene is a new one.
    :ivar app: the bundle identifier of the app that opened.
    :ivar destination: the destination of a URL: app or website.
    :ivar choices: the titles in the disambiguation menu that a tap opened.
    :ivar conversation: the title of the conversation that a tap opened.
    :ivar deliveries: the calls with which the app receives the event, if a scene opened or calls were asked for.
    :ivar findings: the codes of the app's mistakes that concern the event.
    :ivar exit: the exit status of a command.
    :ivar output: the text that a command printed.
    :ivar answer: the whole answer of the API.
    :ivar explanation: the decision, on several lines, or an empty text.
    :ivar callbacks: the calls of the app's methods, on several lines, or an empty text.
    """

    scene: str | None = None
    reason: str | None = None
    created: bool | None = None
    app: str | None = None
    destination: str | None = None
    choices: list[str] | None = None
    conversation: str | None = None
    exit: int | None = None
    output: str | None = None
    answer: Any = field(default=None, compare=False)
    explanation: str = ""
    deliveries: list[str] | None = None
    findings: list[str] | None = None
    callbacks: str = field(default="", compare=False)

    @classmethod
    def of(cls, line: Mapping[str, Any]) -> Answer:
        """Returns the answer in a line of the agent."""
        names = {each.name for each in fields(cls)}
        actual = {name: value for name, value in line["actual"].items() if name in names}
        explanation: str = line.get("explanation", "")
        for name in actual.keys() & {"scene", "reason", "app", "destination"}:
            actual[name] = Explained(actual[name])
            actual[name].explanation = explanation
        return cls(**actual, answer=line["answer"], explanation=explanation, callbacks=line.get("callbacks", ""))

    def __repr__(self) -> str:
        # pytest shows the first 240 characters, in one line.
        names = [each.name for each in fields(self) if each.name not in ("answer", "callbacks")]
        values = {name: getattr(self, name) for name in names}
        values["explanation"] = self.explanation.partition("\n")[0] or None
        return f"Answer({', '.join(f'{name}={value!r}' for name, value in values.items() if value is not None)})"
