"""Tests that the back end's notifications open the right scene."""

import os
import urllib.request

import pytest

from waypost_testing import Device, Devices, expect

BACKEND = os.environ.get("BACKEND_URL", "http://127.0.0.1:8080")


def call(method: str, path: str) -> None:
    with urllib.request.urlopen(urllib.request.Request(BACKEND + path, method=method)):
        pass


@pytest.fixture
def phone(device: Device) -> Device:
    """A phone whose app has registered its token with the back end."""
    call("PUT", f"/tokens/{device.token}")
    return device


def test_notification_opens_the_clown(phone: Device) -> None:
    call("POST", "/clowns/crusty/approaches")
    expect(phone.open("Crusty is near")).scene("crusty-detail", reason="prefers")


def test_backend_forgets_a_token_that_apns_does_not_know(phone: Device, devices: Devices) -> None:
    phone.fault("respond", reason="Unregistered", times=1)
    call("POST", "/clowns/crusty/approaches")
    call("POST", "/clowns/giggles/approaches")
    expect(devices).sender(stopped_after_410=True)
