"""The programs: how they are found, how they end, and that tests do not disturb each other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from waypost_testing import Devices, Gateway, ProcessFailed, ProgramNotFound, StepFailed

IPAD = Path(__file__).parents[3] / "docs/examples/town/devices/ipad.yaml"
CLOWN_TOWN = "com.example.clowntown"
PHONE = {"name": "Phone", "apps": [{"bundleIdentifier": CLOWN_TOWN, "scenes": []}]}


ADVICE = (
    "install the package of Waypost or the wheel that contains its programs, or set WAYPOST_BIN to the folder of its "
    "programs"
)


def test_missing_program_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WAYPOST_BIN", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ProgramNotFound) as error:
        Gateway()
    assert str(error.value) == f"waypost-gateway is not in WAYPOST_BIN ({tmp_path}) or on the PATH; {ADVICE}"
    monkeypatch.delenv("WAYPOST_BIN")
    with pytest.raises(ProgramNotFound) as error:
        Gateway()
    assert str(error.value) == f"waypost-gateway is not on the PATH; {ADVICE}"


@pytest.mark.parametrize("is_set", [False, True])
def test_program_is_found_on_the_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, gateway: Gateway, is_set: bool
) -> None:
    folder = os.environ.get("WAYPOST_BIN")
    if folder is None:
        pytest.skip("the programs are on the PATH already")
    if is_set:
        monkeypatch.setenv("WAYPOST_BIN", str(tmp_path))
    else:
        monkeypatch.delenv("WAYPOST_BIN")
    monkeypatch.setenv("PATH", os.path.abspath(folder), prepend=os.pathsep)
    with Devices(gateway, [PHONE]) as devices:
        assert list(devices) == ["Phone"]


def test_program_that_does_not_start_shows_its_log(gateway: Gateway) -> None:
    with pytest.raises(ProcessFailed, match="^waypost-gateway ended with status 64. Its log:\n\n.*--nonsense"):
        Gateway(arguments=["--nonsense"])
    with pytest.raises(ProcessFailed, match="^waypost-agent ended with status 2. Its log:\n\n.*a device file needs 'apps'"):
        Devices(gateway, [{"name": "Phone"}])


def test_agent_that_ends_shows_its_status(gateway: Gateway) -> None:
    devices = Devices(gateway, [PHONE])
    os.kill(devices.process.identifier, signal.SIGKILL)
    for _ in range(2):
        with pytest.raises(ProcessFailed, match="^waypost-agent ended with status -9; its log is empty$"):
            devices["Phone"].notifications()
    devices.close()


def test_agent_that_hangs_is_ended(gateway: Gateway) -> None:
    devices = Devices(gateway, [PHONE], time_limit=0.5)
    os.kill(devices.process.identifier, signal.SIGSTOP)
    with pytest.raises(ProcessFailed, match="^waypost-agent gave no answer within 0.5 seconds to {.*}, and was ended"):
        devices["Phone"].open("Crusty is near")
    assert not devices.process.is_running
    devices.close()


def test_time_limit_does_not_end_an_expectation_that_waits(gateway: Gateway) -> None:
    with Devices(gateway, [PHONE], time_limit=1) as devices, pytest.raises(StepFailed, match="expected message Hello"):
        devices["Phone"].wait_for(message="Hello", within="1500ms")


@pytest.fixture
def interrupt_soon() -> Iterator[Callable[[], None]]:
    """Interrupts the test 0.2 seconds after a call, as Ctrl-C does."""

    def interrupt(number: int, frame: object) -> None:
        raise InterruptedError

    def start() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.2)

    before = signal.signal(signal.SIGALRM, interrupt)
    yield start
    signal.signal(signal.SIGALRM, before)


def test_interrupted_step_does_not_disturb_the_next_one(gateway: Gateway, interrupt_soon: Callable[[], None]) -> None:
    with Devices(gateway, [PHONE]) as devices:
        interrupt_soon()
        with pytest.raises(InterruptedError):
            devices["Phone"].wait_for(message="Hello", within="1s")
        assert devices.run("echo 1").output == "1\n"


def test_interrupted_step_does_not_delay_the_end(gateway: Gateway, interrupt_soon: Callable[[], None]) -> None:
    with pytest.raises(InterruptedError), Devices(gateway, [PHONE]) as devices:
        interrupt_soon()
        start = time.monotonic()
        devices["Phone"].wait_for(message="Hello", within="1m")
    assert time.monotonic() - start < 8


def test_devices_of_two_tests_are_separate(gateway: Gateway) -> None:
    with Devices(gateway, [PHONE]) as mine, Devices(gateway, [PHONE]) as theirs:
        mine["Phone"].send("Mine", topic=CLOWN_TOWN)
        theirs["Phone"].send("Theirs", topic=CLOWN_TOWN)
        assert [each["title"] for each in mine["Phone"].notifications()] == ["Mine"]
        assert [each["title"] for each in theirs["Phone"].notifications()] == ["Theirs"]
        before = [each.call("gateway", "/v1/clock")["now"] for each in (mine, theirs)]
        mine.advance("2h")
        after = [each.call("gateway", "/v1/clock")["now"] for each in (mine, theirs)]
        assert after == [before[0] + 7_200_000, before[1]]


def test_threads_share_devices(gateway: Gateway) -> None:
    with Devices(gateway, [PHONE]) as devices:
        phone = devices["Phone"]
        threads = [threading.Thread(target=phone.send, args=[f"{n}"], kwargs={"topic": CLOWN_TOWN}) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(each["title"] for each in phone.notifications()) == [f"{n}" for n in range(8)]


def test_leaving_the_statement_checks_what_must_never_happen(gateway: Gateway) -> None:
    arrived = "'X' arrived on Phone, 0s after the start"
    with pytest.raises(StepFailed, match=arrived), Devices(gateway, [PHONE]) as devices:
        devices["Phone"].never(notification="X")
        devices["Phone"].send("X", topic=CLOWN_TOWN)
    assert not devices.process.is_running


def test_nothing_is_left_after_a_test() -> None:
    with Gateway() as gateway, Devices(gateway, [IPAD]) as devices:
        devices["iPad"].app(CLOWN_TOWN).attach()
        folder = gateway.folder
        identifiers = descendants(os.getpid()) & programs_of(gateway, devices)
        assert len(identifiers) == 3
    assert not folder.exists()
    assert not any(map(is_running, identifiers))


PROGRAM = f"""
import sys, time
from waypost_testing import Devices, Gateway
gateway = Gateway()
devices = Devices(gateway, [{str(IPAD)!r}])
devices["iPad"].app("{CLOWN_TOWN}").attach()
print("ready", flush=True)
"""


@pytest.mark.parametrize(
    "last_line",
    [
        "time.sleep(60)",
        "devices['iPad'].wait_for(message='never arrives', within='20s')",
    ],
    ids=["between two steps", "during a step"],
)
def test_nothing_is_left_if_the_test_is_killed(tmp_path: Path, last_line: str) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    program = [sys.executable, "-c", PROGRAM + last_line]
    with subprocess.Popen(program, stdout=subprocess.PIPE, env=environment) as test:
        assert test.stdout and test.stdout.readline() == b"ready\n"
        time.sleep(0.2)
        identifiers = descendants(test.pid)
        # The programs are one file, which chooses by the name by which it is started.
        commands = [Path(f"/proc/{each}/cmdline").read_text(encoding="utf-8") for each in identifiers]
        names = sorted(Path(command.split("\0")[0]).name for command in commands)
        assert names == ["waypost", "waypost-agent", "waypost-gateway"]
        test.kill()
    end = time.monotonic() + 8
    while any(map(is_running, identifiers)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not [each for each in identifiers if is_running(each)]


def descendants(identifier: int) -> set[int]:
    """Returns the processes that a process started, and those that these started."""
    output = subprocess.run(["ps", "-o", "pid=", "--ppid", str(identifier)], check=False, stdout=subprocess.PIPE).stdout
    children = {int(line) for line in output.split()}
    return children.union(*(descendants(child) for child in children))


def programs_of(gateway: Gateway, devices: Devices) -> set[int]:
    assert gateway.process
    roots = {gateway.process.identifier, devices.process.identifier}
    return roots.union(*(descendants(root) for root in roots))


def is_running(identifier: int) -> bool:
    try:
        state = Path(f"/proc/{identifier}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
