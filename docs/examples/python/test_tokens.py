"""A back end that stores the push tokens of an app with Live Activities, and tests of its bookkeeping.

Install the package waypost-testing, and run: pytest docs/examples/python
"""

from __future__ import annotations

import json
import ssl
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from waypost_testing import App, Device, Devices, Gateway, expect

FOOTBALL = "com.example.football"
PHONE = {
    "name": "Phone",
    "apps": [
        {
            "bundleIdentifier": FOOTBALL,
            "supportsLiveActivities": True,
            "tokens": ["app", "pushToStart", "liveActivity"],
            "scenes": [],
        }
    ],
}
RICHMOND = str(uuid.uuid4())
WREXHAM = str(uuid.uuid4())

pytestmark = pytest.mark.waypost_devices(PHONE)


class Backend:
    """The tokens of one user, in a file that outlives the process.

    A match has the identifier of the notification that starts its Live Activity.
    """

    def __init__(self, file: Path, url: str, ca: str, now: Callable[[], int]) -> None:
        self._file, self._url, self._now = file, url, now
        self._tls = ssl.create_default_context(cafile=ca)
        self.tokens: dict[str, dict[str, Any]] = json.loads(file.read_text()) if file.exists() else {}

    def register(self, purpose: str, token: str) -> None:
        """Stores a token that the app reports, in place of an earlier one for the purpose."""
        self.tokens[purpose] = {"token": token, "reportedAt": self._now()}
        self._save()

    def notify(self, title: str) -> bool:
        return self._push("app", {"alert": {"title": title}}, FOOTBALL, "alert")

    def start(self, match: str) -> bool:
        content = {"attributes-type": "Match", "attributes": {"match": match}, "content-state": {"goals": 0}}
        alert = {"title": "The match begins", "body": "Follow it here."}
        return self._push_activity("pushToStart", {"event": "start", **content, "alert": alert}, {"apns-id": match})

    def update(self, match: str, goals: int) -> bool:
        return self._push_activity(match, {"event": "update", "content-state": {"goals": goals}})

    def end(self, match: str) -> bool:
        return self._push_activity(match, {"event": "end"})

    def _push_activity(self, purpose: str, aps: Mapping[str, Any], headers: Mapping[str, str] = {}) -> bool:
        timed = {"timestamp": self._now() // 1_000, **aps}
        return self._push(purpose, timed, f"{FOOTBALL}.push-type.liveactivity", "liveactivity", headers)

    def _push(
        self, purpose: str, aps: Mapping[str, Any], topic: str, push_type: str, headers: Mapping[str, str] = {}
    ) -> bool:
        """Sends a notification, and returns whether there was a token, and APNs accepted it."""
        row = self.tokens.get(purpose)
        if row is None:
            return False
        request = urllib.request.Request(
            f"{self._url}/3/device/{row['token']}",
            json.dumps({"aps": aps}).encode(),
            {"apns-topic": topic, "apns-push-type": push_type, "apns-priority": "10", **headers},
        )
        try:
            with urllib.request.urlopen(request, context=self._tls):
                return True
        except urllib.error.HTTPError as error:
            answer = json.load(error)
            # Any other refusal is a mistake of the back end: the token stays.
            if error.code != 410:
                raise RuntimeError(f"{error.code} {answer['reason']} for {purpose}") from error
            self.forget(purpose, row["token"], answer["timestamp"])
            return False

    def forget(self, purpose: str, token: str, ended_at: int) -> None:
        """Deletes a token that ended, unless the app has reported another one, or the same one later."""
        row = self.tokens.get(purpose)
        if row is not None and row["token"] == token and row["reportedAt"] <= ended_at:
            del self.tokens[purpose]
            self._save()

    def _save(self) -> None:
        self._file.write_text(json.dumps(self.tokens))


@pytest.fixture
def new_backend(tmp_path: Path, gateway: Gateway, devices: Devices) -> Callable[[], Backend]:
    """Starts the back end; the next one has the tokens of the one before."""

    def now() -> int:
        time: int = devices.call("gateway", "/v1/clock")["now"]
        return time

    return lambda: Backend(tmp_path / "tokens.json", str(gateway.provider), str(gateway.ca), now)


@pytest.fixture
def backend(new_backend: Callable[[], Backend], device: Device, app: App) -> Backend:
    """A back end to which the app has reported its tokens."""
    backend = new_backend()
    report_tokens(device, app, backend, activities=0)
    return backend


def report_tokens(phone: Device, app: App, backend: Backend, *, activities: int) -> None:
    """Reports the tokens as the app does when they change: the system has called it with each of them."""
    phone.wait_for(tokens=["app", "pushToStart", *["liveActivity"] * activities], app=app)
    for each in phone.call("tokens"):
        # A Live Activity of the app knows its match from its attributes.
        backend.register(each["purpose"].get("name") or each["purpose"]["kind"], each["token"])


def goals(phone: Device) -> dict[str, int]:
    """Returns the goals that the Live Activities show, when everything has arrived."""
    expect(phone).delivered_once()
    return {each["attributes"]["match"]: each["contentState"]["goals"] for each in phone.call("liveActivities")}


def test_second_activity_has_another_token(device: Device, app: App, backend: Backend) -> None:
    assert backend.start(RICHMOND)
    report_tokens(device, app, backend, activities=1)
    assert backend.start(WREXHAM)
    report_tokens(device, app, backend, activities=2)
    assert backend.update(RICHMOND, 1)
    assert backend.update(WREXHAM, 3)
    assert goals(device) == {RICHMOND: 1, WREXHAM: 3}


def test_tokens_survive_a_restart(
    device: Device, app: App, backend: Backend, new_backend: Callable[[], Backend]
) -> None:
    backend.start(RICHMOND)
    report_tokens(device, app, backend, activities=1)
    assert new_backend().update(RICHMOND, 1)
    assert goals(device) == {RICHMOND: 1}


def test_rotated_token_is_replaced(device: Device, app: App, backend: Backend) -> None:
    backend.start(RICHMOND)
    report_tokens(device, app, backend, activities=1)
    device.rotate_token(app, token=f"liveActivity/{RICHMOND}")
    assert not backend.update(RICHMOND, 1)
    assert RICHMOND not in backend.tokens
    report_tokens(device, app, backend, activities=1)
    assert backend.update(RICHMOND, 2)
    assert goals(device) == {RICHMOND: 2}


def test_late_answer_for_an_earlier_token_deletes_nothing(device: Device, app: App, backend: Backend) -> None:
    change = device.rotate_token(app, token="app").answer
    report_tokens(device, app, backend, activities=0)
    backend.forget("app", change["previous"], ended_at=2**53)
    assert backend.notify("Still there")
    device.wait_for(notification="Still there")


def test_end_of_an_activity_ends_its_token_only(device: Device, app: App, backend: Backend) -> None:
    for number, match in enumerate([RICHMOND, WREXHAM], 1):
        backend.start(match)
        report_tokens(device, app, backend, activities=number)
    assert backend.end(RICHMOND)
    device.wait_for(tokens=["app", "pushToStart", "liveActivity"], app=app)
    assert not backend.update(RICHMOND, 1)
    assert sorted(backend.tokens) == sorted(["app", "pushToStart", WREXHAM])
    assert backend.update(WREXHAM, 1)


def test_removed_app_is_forgotten_until_it_is_installed_again(
    device: Device, devices: Devices, app: App, backend: Backend
) -> None:
    device.uninstall(app, after="1h")
    assert backend.notify("Nobody reads this")  # APNs does not know yet.
    devices.advance("1h")
    assert not backend.notify("Nobody reads this, either")
    assert list(backend.tokens) == ["pushToStart"]
    device.reinstall(app)
    report_tokens(device, app, backend, activities=0)
    assert backend.notify("Welcome back")
    device.wait_for(notification="Welcome back")
