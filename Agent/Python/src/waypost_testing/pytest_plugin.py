"""The pytest fixtures, and the reports of tests that fail."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager

import pytest

from ._answer import Explained
from ._device import App, Device
from ._errors import GatewayFailed, GatewayUnreachable, ProcessFailed, StepFailed
from ._gateway import Gateway
from ._session import Devices, DeviceSources

__tracebackhide__ = True

_DEVICES = pytest.StashKey[Devices]()
_IS_UNREACHABLE = pytest.StashKey[bool]()
_NAME = "waypost_devices"
_GATEWAY = "waypost_gateway"
_AUTHENTICATION = "waypost_authentication"
_AGENT = "waypost_agent_command"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(_NAME, "device files for tests, relative to this file", type="paths", default=[])
    parser.addini(_GATEWAY, "the URL of a running gateway, instead of starting one", default="")
    parser.addini(_AUTHENTICATION, "the authentication of the gateway: none, token or apns", default="")
    parser.addini(_AGENT, "the command that runs an agent, such as: docker exec -i waypost waypost agent", default="")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{_NAME}(*files, **named): the devices of a test, relative to its file")


@pytest.fixture(scope="session")
def gateway(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    """The gateway of all tests, or with pytest-xdist of one worker."""
    url = request.config.getini(_GATEWAY) or os.environ.get("WAYPOST_GATEWAY")
    authentication = request.config.getini(_AUTHENTICATION) or None
    if url and authentication:
        pytest.fail(
            f"{_AUTHENTICATION} is for a gateway that the tests start; start the one at {url} with "
            f"--authentication {authentication}, and remove the setting",
            pytrace=False,
        )
    folder = tmp_path_factory.mktemp("waypost-gateway")
    with _without_traceback(), _noting_unreachable_gateway(request.config):
        gateway = Gateway.connect(url, folder=folder) if url else Gateway(authentication=authentication, folder=folder)
    with gateway:
        yield gateway


@pytest.fixture
def waypost_devices(request: pytest.FixtureRequest) -> DeviceSources:
    """The devices of a test: those of its marker, or else of the configuration. Override it to compute them."""
    marker = request.node.get_closest_marker(_NAME)
    if marker is None:
        files: list[str] = request.config.getini(_NAME)
        return files
    if marker.args and marker.kwargs:
        pytest.fail(f"the marker {_NAME} has devices with and without names; name all or none of them", pytrace=False)
    sources: DeviceSources = marker.kwargs or marker.args
    return sources


@pytest.fixture
def devices(
    request: pytest.FixtureRequest,
    gateway: Gateway,
    waypost_devices: DeviceSources,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Devices]:
    """The devices of a test, by name."""
    if not waypost_devices:
        pytest.fail(
            f"a test with devices needs device files: set {_NAME} in the configuration of pytest, mark the test with "
            f'@pytest.mark.{_NAME}("ipad.yaml"), or override the fixture {_NAME}',
            pytrace=False,
        )
    folder = tmp_path_factory.mktemp("waypost-agent")
    command = request.config.getini(_AGENT).split() or None
    with _without_traceback():
        devices = Devices(
            gateway, waypost_devices, folder=folder, working_folder=request.path.parent, agent_command=command
        )
    request.node.stash[_DEVICES] = devices
    yield devices
    devices.close()


@pytest.fixture
def device(devices: Devices) -> Device:
    """The first device of the test."""
    return next(iter(devices.values()))


@pytest.fixture
def app(device: Device) -> App:
    """The only app of the first device with Shared with You, or else its first app."""
    apps: list[Mapping[str, object]] = device.call(f"/v1/devices/{device.name}")["apps"]
    adopters = [app for app in apps if app["sharedWithYou"]]
    if not apps:
        pytest.fail(f"the device {device} has no app", pytrace=False)
    chosen = adopters[0] if len(adopters) == 1 else apps[0]
    return device.app(str(chosen["bundleIdentifier"]))


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Checks at the end of a test what must never happen, so that the test itself fails."""
    result = yield
    devices = pyfuncitem.stash.get(_DEVICES, None)
    if devices:
        with _without_traceback():
            devices.finish()
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds the last steps and the logs to the report of a failed test."""
    report = yield
    devices = item.stash.get(_DEVICES, None)
    if devices and report.failed:
        history = devices.history()
        if history:
            report.sections.append(("Waypost: last steps and events", history))
        requests = devices._provider_requests()
        if requests:
            report.sections.append(("Waypost: requests to the provider API", requests))
        report.sections += [(f"Waypost: log of {program}", text) for program, text in devices.logs().items()]
    return report


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explains why a scene opened if an ``assert`` expects another one."""
    for side in (left, right):
        if isinstance(side, Explained) and side.explanation:
            return [f"{left!r} {op} {right!r}", "", *side.explanation.splitlines()]
    return None


@contextmanager
def _noting_unreachable_gateway(config: pytest.Config) -> Iterator[None]:
    """Gives the run the exit status of an unreachable gateway, as ``waypost`` has it, if there is no gateway."""
    try:
        yield
    except GatewayUnreachable:
        config.stash[_IS_UNREACHABLE] = True
        raise


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Ends the run with 69 if tests failed because the gateway cannot be reached; with pytest-xdist it stays 1."""
    if session.exitstatus == pytest.ExitCode.TESTS_FAILED and session.config.stash.get(_IS_UNREACHABLE, False):
        session.exitstatus = 69


@contextmanager
def _without_traceback() -> Iterator[None]:
    """Reports errors without the lines of this library, because no line of the test raised them."""
    try:
        yield
    except (OSError, GatewayFailed, ProcessFailed, StepFailed, ValueError) as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None
