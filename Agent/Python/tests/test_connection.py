"""Running gateways, and agents that run elsewhere."""

from __future__ import annotations

import json
import ssl
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from waypost_testing import (
    Devices,
    Gateway,
    GatewayFailed,
    GatewayUnreachable,
    ProcessFailed,
    WaypostWarning,
    expect,
)
from waypost_testing._program import find_program

TOWN = Path(__file__).parents[3] / "docs/examples/town"
IPAD = TOWN / "devices/ipad.yaml"
CLOWN_TOWN = "com.example.clowntown"
CRUSTY = "https://clowntown.example/clowns/crusty"
LASSO = "https://tv.example/shows/lasso"


@pytest.fixture(scope="module")
def running() -> Iterator[Gateway]:
    with Gateway() as gateway:
        yield gateway


@pytest.fixture
def connected(running: Gateway) -> Iterator[Gateway]:
    with Gateway.connect(running.service + "/") as gateway:
        yield gateway


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the agent run by a command that stands for 'docker exec -i waypost waypost agent'."""
    monkeypatch.setenv("WAYPOST_AGENT_COMMAND", f"env -C / {' '.join(find_program('waypost'))} agent")


def get(gateway: Gateway, path: str) -> bytes:
    with urllib.request.urlopen(gateway.service + path) as answer:
        content: bytes = answer.read()
        return content


def namespaces(gateway: Gateway) -> bytes:
    return get(gateway, "/v1/namespaces")


def keys(gateway: Gateway) -> bytes:
    return get(gateway, "/v1/keys")


def test_connected_gateway_has_the_urls_of_the_running_one(running: Gateway, connected: Gateway) -> None:
    assert connected.service == running.service
    assert connected.provider.rpartition(":")[2] == running.provider.rpartition(":")[2]
    assert connected.provider_plaintext == running.provider_plaintext
    context = ssl.create_default_context(cafile=connected.ca)
    assert context.get_ca_certs() == ssl.create_default_context(cafile=running.ca).get_ca_certs()


def test_made_key_goes_with_the_connection(running: Gateway) -> None:
    with Gateway.connect(running.service) as gateway:
        key_id = gateway.key.id
        assert key_id.encode() in keys(running)
    assert key_id.encode() not in keys(running)


def test_test_has_a_namespace_and_a_clock_of_its_own_which_goes_with_it(connected: Gateway) -> None:
    with Devices(connected, [IPAD]) as devices, Devices(connected, [IPAD]) as others:
        devices["iPad"].send("Crusty is near", topic=CLOWN_TOWN, target_content_id=CRUSTY, over="provider")
        expect(devices["iPad"].open("Crusty is near")).scene("crusty-detail", reason="prefers")
        devices.advance("2h")
        now = devices.call("gateway", "/v1/clock")["now"]
        assert now - others.call("gateway", "/v1/clock")["now"] > 3_600_000
        assert others["iPad"].notifications() == []
        names = [devices.namespace, others.namespace]
        assert all(name.encode() in namespaces(connected) for name in names)
    assert not any(name.encode() in namespaces(connected) for name in names)


def test_command_knows_the_urls_and_the_certificate(connected: Gateway) -> None:
    with Devices(connected, [IPAD]) as devices:
        answer = devices.run(
            """curl --silent --fail --cacert "$WAYPOST_CA" --header 'apns-topic: com.example.clowntown' \\
              --data '{"aps": {"alert": {"title": "Crusty is near"}}}' \\
              "$(echo "$WAYPOST_PROVIDER" | sed s/127.0.0.1/localhost/)/3/device/$WAYPOST_TOKEN" """
        )
        assert answer.exit == 0
        expect(devices["iPad"]).notification("Crusty is near")


@pytest.mark.usefixtures("elsewhere")
def test_agent_elsewhere_gets_the_content_of_device_files_and_of_those_that_they_name(
    connected: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(TOWN)
    with Devices(connected, {"Mine": "devices/ipad.yaml", "Yours": IPAD}) as devices:
        assert list(devices) == ["Mine", "Yours"]
        # The association file, and an app file, come from here too.
        expect(devices["Mine"].open(url=LASSO)).app("com.example.tv")
        devices["Mine"].app("apps/ipad/clowntown.yaml").attach()


@pytest.mark.usefixtures("elsewhere")
def test_agent_elsewhere_names_problems_by_the_paths_of_the_test(connected: Gateway, tmp_path: Path) -> None:
    file = tmp_path / "phone.yaml"
    file.write_text("name: Phone\nap: []\n")
    with pytest.raises(ProcessFailed, match=f"{file}:2:1: unknown key 'ap'"):
        Devices(connected, [file])


@pytest.mark.usefixtures("elsewhere")
def test_agent_elsewhere_gets_no_file_that_the_test_does_not_name(connected: Gateway, tmp_path: Path) -> None:
    (tmp_path / "tv.json").write_text('{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.tv"]}]}}')
    (tmp_path / "other").mkdir()
    (tmp_path / "other/tv.json").write_text("{}")
    (tmp_path / "secret.json").write_text("{}")
    phone = {"name": "Phone", "apps": [], "associatedDomainsDevelopment": {"tv.example": "tv.json"}}
    file = tmp_path / "phone.json"
    file.write_text(json.dumps(phone))
    with Devices(connected, [file]) as devices:
        assert "text" in devices._content(str(tmp_path / "tv.json"))
        for path in (tmp_path / "secret.json", tmp_path / "other/tv.json", "/proc/self/environ", tmp_path):
            assert "text" not in devices._content(str(path))


def test_server_that_is_no_gateway_is_named(connected: Gateway) -> None:
    with pytest.raises(GatewayFailed, match="answered 404 to /health"):
        Gateway.connect(connected.service + "/v1")


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("http://127.0.0.1:9", GatewayUnreachable),
        ("nonsense", GatewayFailed),
        ("http://localhost:abc", GatewayFailed),
    ],
)
def test_gateway_that_cannot_be_reached_is_named(url: str, error: type[GatewayFailed]) -> None:
    with pytest.raises(GatewayFailed, match=f"^the gateway {url} cannot be reached: ") as raised:
        Gateway.connect(url, time_limit=0)
    assert raised.type is error


def test_pytest_ends_with_69_if_the_gateway_cannot_be_reached(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(gateway): pass\ndef test_other(): pass")
    pytester.makeini("[pytest]\nwaypost_gateway = http://127.0.0.1:9")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-p", "no:xdist")
    result.assert_outcomes(passed=1, errors=1)
    assert result.ret == 69


def test_fault_with_a_reason_that_apns_does_not_have_is_a_warning(connected: Gateway) -> None:
    with Devices(connected, [IPAD]) as devices, pytest.warns(WaypostWarning, match="did you mean") as warned:
        next(iter(devices.values())).fault("respond", reason="TooManyRequest")
    assert warned[0].filename == __file__


def test_setting_of_pytest_names_the_gateway(
    running: Gateway, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WAYPOST_GATEWAY", raising=False)
    pytester.makeini(f"[pytest]\nwaypost_gateway = {running.service}\nwaypost_devices = {IPAD}\n")
    pytester.makepyfile(
        f"""
        def test_gateway(gateway, device):
            assert gateway.process is None
            assert gateway.service == "{running.service}"
        """
    )
    pytester.runpytest_subprocess("-p", "no:xdist").assert_outcomes(passed=1)
