"""Expectations that wait until they hold, and explain themselves if they do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, overload

from ._answer import Answer
from ._device import STANDARD_WAIT, AppName, Attribution, Device, Shelf, Text
from ._errors import Difference, StepFailed
from ._session import Devices
from ._step import keys

# pytest shows the line of the test, not those of this file.
__tracebackhide__ = True


@overload
def expect(subject: Answer) -> AnswerExpectations: ...
@overload
def expect(subject: Shelf) -> ShelfExpectations: ...
@overload
def expect(subject: Attribution) -> AttributionExpectations: ...
@overload
def expect(subject: Device) -> DeviceExpectations: ...
@overload
def expect(subject: Devices) -> DevicesExpectations: ...
def expect(subject: Any) -> Any:
    """Returns the expectations of an answer, a shelf, an attribution view, a device or all devices."""
    for kind, expectations in _EXPECTATIONS.items():
        if isinstance(subject, kind):
            return expectations(subject)
    raise TypeError(f"expect() needs an Answer, Shelf, Attribution, Device or Devices, not {subject!r}")


class AnswerExpectations:
    """Expectations of what a step returned."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def scene(self, scene: str, *, reason: str | None = None, created: bool | None = None) -> None:
        """Expects that this scene opened, for this reason, and whether it is a new one."""
        self._compare(locals())

    def app(self, app: object) -> None:
        """Expects that this app opened."""
        self._compare({"app": str(app), "destination": "app"})

    def website(self) -> None:
        """Expects that a URL opened in the browser."""
        self._compare({"destination": "website"})

    def deliveries(self, *calls: str) -> None:
        """Expects that the app receives the event by exactly these calls, in order; none if it is lost.

        A call is the method, as Apple spells it, and the argument with the event.
        """
        self._compare({"deliveries": list(calls)}, self._answer.callbacks)

    def findings(self, *codes: str) -> None:
        """Expects exactly these mistakes of the app that concern the event, in any order."""
        actual = self._answer.findings or []
        # As in the answer, so that the order makes no difference.
        expected = sorted(set(codes), key=lambda code: actual.index(code) if code in actual else len(actual))
        self._compare({"findings": expected}, self._answer.callbacks)

    def _compare(self, expected: Mapping[str, Any], explanation: str | None = None) -> None:
        differences: list[Difference] = []
        for field, value in keys(expected).items():
            actual = getattr(self._answer, field)
            if actual != value:
                differences.append((field, _text(value), _text(actual)))
        if not differences:
            return
        field, value, actual = differences[0]
        more = f", and {len(differences) - 1} more" if len(differences) > 1 else ""
        message = f"expected {field} {value}, got {actual}{more}".replace("\n", ", ")
        raise StepFailed(message, differences, explanation or self._answer.explanation)


class ShelfExpectations:
    """Expectations of an app's shelf."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def links(self, links: Sequence[str], *, within: str = STANDARD_WAIT) -> None:
        """Expects exactly these links, in order."""
        self._wait(list(links), within)

    def contains(self, *links: str, within: str = STANDARD_WAIT) -> None:
        """Expects these links, in this order, among others."""
        self._wait({"contains": links}, within)

    def lacks(self, *links: str, within: str = STANDARD_WAIT) -> None:
        """Expects that these links are absent now, or soon. To forbid them altogether, use :meth:`Device.never`."""
        self._wait({"lacks": links}, within)

    def is_empty(self, *, within: str = STANDARD_WAIT) -> None:
        """Expects no links."""
        self._wait([], within)

    def _wait(self, shelf: Any, within: str) -> None:
        self._shelf.app.device.wait_for(shelf=shelf, app=self._shelf.app, within=within)


class AttributionExpectations:
    """Expectations of the view that shows who shared a link."""

    def __init__(self, attribution: Attribution) -> None:
        self._attribution = attribution

    def text(self, text: Text, *, within: str = STANDARD_WAIT) -> None:
        """Expects this text, or a part of it: ``{"contains": "…"}``."""
        app = self._attribution.app
        app.device.wait_for(attribution=text, app=app, link=self._attribution.link, within=within)


class DeviceExpectations:
    """Expectations of a device."""

    def __init__(self, device: Device) -> None:
        self._device = device

    def notification(self, title: str, *, state: str | None = None, within: str = STANDARD_WAIT) -> None:
        """Expects a notification on the device; with `state`, one that this test sent, in this state."""
        self._device.wait_for(notification=title, state=state, within=within)

    def message(self, text: Text, *, within: str = STANDARD_WAIT) -> None:
        """Expects a message with this text, or a part of it: ``{"contains": "…"}``."""
        self._device.wait_for(message=text, within=within)

    def shown(self, place: str, *, within: str = STANDARD_WAIT) -> None:
        """Expects the place of the newest notification: ``immediate``, ``list``, ``summary``, ``pending``, ``nowhere``.

        It is the one that the last `send` of this test sent to the device. Without one, it is the one that the device
        received last, from your own provider. The same is true of the expectations below.
        """
        self._wait({"shown": place}, within)

    def sound(self, name: str, *, within: str = STANDARD_WAIT) -> None:
        """Expects the sound of the newest notification; ``none`` for none."""
        self._wait({"sound": name}, within)

    def thread(self, thread: str, *, within: str = STANDARD_WAIT) -> None:
        """Expects the ``thread-id`` of the newest notification; ``none`` for none."""
        self._wait({"thread": thread}, within)

    def badge(self, number: int, *, app: AppName | None = None, within: str = STANDARD_WAIT) -> None:
        """Expects the number on the icon of an app; 0 for none. Default: the app of the newest notification."""
        self._wait({"badge": number, **keys({"app": app})}, within)

    def reloads(
        self,
        *,
        widgets: int | None = None,
        controls: int | None = None,
        location: int | None = None,
        file_provider: int | None = None,
        complication: int | None = None,
        app: AppName | None = None,
        within: str = STANDARD_WAIT,
    ) -> None:
        """Expects how often the push receivers of an app were called. Default: the app of the newest notification."""
        numbers = {
            "widgets": widgets,
            "controls": controls,
            "location": location,
            "file_provider": file_provider,
            "complication": complication,
        }
        self._wait({"reloads": keys(numbers), **keys({"app": app})}, within)

    def _wait(self, expected: Mapping[str, Any], within: str) -> None:
        self._device.devices.step({"expect": {"device": self._device, "within": within, **expected}})

    def delivered_once(self) -> None:
        """Expects that everything that the gateway accepted for the device arrived once and in order."""
        self._device.devices.step({"expect": {"device": self._device, "delivered": "once"}})


class DevicesExpectations:
    """Expectations of all devices, and of the provider that sends to them."""

    def __init__(self, devices: Devices) -> None:
        self._devices = devices

    def delivered_once(self) -> None:
        """Expects that everything that the gateway accepted arrived once and in order."""
        self._devices.step({"expect": {"delivered": "once"}})

    def sender(
        self,
        *,
        connections: int | None = None,
        requests: int | None = None,
        provider_tokens: int | None = None,
        retried_after_429: bool | None = None,
        stopped_after_410: bool | None = None,
        answers: Mapping[int, int] | None = None,
    ) -> None:
        """Expects how the client of the provider API behaved since the last :meth:`Devices.run`."""
        self._devices.step({"expect": {"sender": keys(locals())}})


_EXPECTATIONS: Mapping[type, Any] = {
    Answer: AnswerExpectations,
    Shelf: ShelfExpectations,
    Attribution: AttributionExpectations,
    Device: DeviceExpectations,
    Devices: DevicesExpectations,
}


def _text(value: Any) -> str:
    """Returns a value as the agent writes it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "\n".join(str(each) for each in value) or "none"
    return str(value)
