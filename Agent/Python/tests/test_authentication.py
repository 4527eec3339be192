"""Providers that sign their requests with a key."""

from __future__ import annotations

import base64
import json
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from waypost_testing import Devices, Gateway, GatewayFailed, ProviderKey, expect

TOWN = Path(__file__).parents[3] / "docs/examples/town"
IPAD = TOWN / "devices/ipad.yaml"
CLOWN_TOWN = "com.example.clowntown"


@pytest.fixture(scope="module")
def gateway() -> Iterator[Gateway]:
    with Gateway(authentication="apns") as gateway:
        yield gateway


def base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def token(key: ProviderKey, issued_at: float | None = None) -> str:
    """Returns a provider token, which openssl signs."""
    head = base64url(json.dumps({"alg": "ES256", "kid": key.id}).encode())
    claims = base64url(json.dumps({"iss": key.team, "iat": int(issued_at or time.time())}).encode())
    signature = subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", str(key.file)],
        input=f"{head}.{claims}".encode(),
        capture_output=True,
        check=True,
    ).stdout
    return f"{head}.{claims}.{base64url(signature)}"


def send(gateway: Gateway, device: str, authorization: str | None) -> str:
    """Sends a notification as a back end does; returns the reason of a refusal, or an empty text."""
    headers = {"apns-topic": CLOWN_TOWN, "apns-push-type": "alert"}
    if authorization:
        headers["authorization"] = f"bearer {authorization}"
    request = urllib.request.Request(
        f"{gateway.provider_plaintext}/3/device/{device}", b'{"aps":{"alert":"Honk"}}', headers
    )
    try:
        with urllib.request.urlopen(request):
            return ""
    except urllib.error.HTTPError as error:
        return str(json.loads(error.read())["reason"])


def test_back_end_with_the_key_of_the_gateway_is_served(gateway: Gateway) -> None:
    with Devices(gateway, [IPAD]) as devices:
        device = devices["iPad"]
        assert gateway.key is gateway.key
        assert gateway.key.file.read_text().startswith("-----BEGIN PRIVATE KEY-----")
        assert send(gateway, device.token, None) == "MissingProviderToken"
        assert send(gateway, device.token, token(gateway.key, time.time() - 4_000)) == "ExpiredProviderToken"
        assert send(gateway, device.token, token(gateway.key)) == ""
        expect(device).notification("Honk")


def test_own_key_can_be_imported(gateway: Gateway, tmp_path: Path) -> None:
    file = tmp_path / "AuthKey_HONK123456.p8"
    command = ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    key = gateway.import_key(file, team="TEAM654321")
    assert key == ProviderKey(file.resolve(), "HONK123456", "TEAM654321")
    with Devices(gateway, [IPAD]) as devices:
        assert send(gateway, devices["iPad"].token, token(key)) == ""
    renamed = file.rename(tmp_path / "key.pem")
    with pytest.raises(ValueError, match="name the key with id=..."):
        gateway.import_key(renamed, team="TEAM654321")
    assert gateway.import_key(renamed, team="TEAM654321", id="HONK654321").id == "HONK654321"
    for name in ["nosuch.p8", "AuthKey_NOSUCH.p8"]:
        with pytest.raises(FileNotFoundError, match=f"{name}: there is no such file"):
            gateway.import_key(tmp_path / name, team="TEAM654321")
    with pytest.raises(FileNotFoundError, match="it is a folder"):
        gateway.import_key(tmp_path, team="TEAM654321", id="A")
    with pytest.raises(GatewayFailed, match="not a P-256 private key"):
        gateway.import_key(IPAD, team="TEAM654321", id="A")


def test_nothing_that_is_printed_has_a_secret(gateway: Gateway) -> None:
    secrets = [*gateway.environment.values(), gateway.key.file.read_text().splitlines()[1]]
    with Devices(gateway, [IPAD]) as devices:
        texts = [repr(each) for each in (gateway, gateway.key, devices, devices["iPad"])] + list(devices.logs().values())
    assert not [text for text in texts for secret in secrets if secret in text]
    assert repr(Gateway.__new__(Gateway)) == "Gateway(not started)"
    assert repr(Devices.__new__(Devices)) == "Devices()"


def test_setting_of_pytest_requires_tokens(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WAYPOST_GATEWAY", raising=False)
    pytester.makeini(f"[pytest]\nwaypost_devices = {IPAD}\nwaypost_authentication = token")
    pytester.makepyfile(
        f"""\
        import json, urllib.error, urllib.request

        def test_token(gateway, device):
            assert gateway.key.id in gateway.key.file.name
            url = f"{{gateway.provider_plaintext}}/3/device/{{device.token}}"
            request = urllib.request.Request(url, b"{{}}", {{"apns-topic": "{CLOWN_TOWN}"}})
            try:
                urllib.request.urlopen(request)
            except urllib.error.HTTPError as error:
                assert json.loads(error.read()) == {{"reason": "MissingProviderToken"}}
        """
    )
    assert "1 passed" in pytester.runpytest_subprocess().stdout.str()
    monkeypatch.setenv("WAYPOST_GATEWAY", "http://127.0.0.1:9")
    output = pytester.runpytest_subprocess().stdout.str()
    assert "waypost_authentication is for a gateway that the tests start; start the one at http://127.0.0.1:9" in output
