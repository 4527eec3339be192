"""Runs the tests of one target with a mutant, or without one."""

import ctypes
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

# Tests of the sources, not of the programs: they would notice the switches themselves.
WITHOUT_CODE = {"ArchitectureTests", "ConformanceTests", "ClusterSimulationTests"}

# A test target without a mutant takes less than this, in seconds.
BASELINE_LIMIT = 3_600

# The memory of each process, in bytes: a mutant may allocate without end.
MEMORY_LIMIT = 8 << 30

SET_CHILD_SUBREAPER = 36


@dataclass
class Run:
    """How the tests of a target ended."""

    outcome: str  # passed, failed, crashed, timed out
    seconds: float
    failures: list = field(default_factory=list)  # the identifiers of tests that recorded an issue


def test_targets(manifest):
    """Returns the test targets of a manifest that run code of the product."""
    names = re.findall(r'\btests\(\s*"(\w+)"', manifest)
    return [name for name in names if name not in WITHOUT_CODE]


def failed_test(line):
    """Returns the identifier of the test that an event says has failed, or `None`; "" if no test is named."""
    if '"issueRecorded"' not in line:
        return None
    payload = json.loads(line)["payload"]
    if payload.get("kind") != "issueRecorded":
        return None
    issue = payload.get("issue", {})
    if issue.get("isKnown") or issue.get("severity") == "warning" or issue.get("isFailure") is False:
        return None
    return payload.get("testID", "")


def skip_pattern(test):
    """Returns the regular expression for a test, whose identifier ends with its place in a file."""
    name = test.rsplit("/", 1)[0] if re.search(r"\.swift:\d+:\d+$", test) else test
    return "^" + re.escape(name) + "(/|$)"


class Suites:
    """The built tests."""

    def __init__(self, tree):
        self.tree = tree
        self.active, self.reached = tree.folder / "active", tree.folder / "reached"
        self.events, self.log = tree.folder / "events.jsonl", tree.folder / "tests.log"
        # Programs that tests leave behind become children of this process, which ends them.
        ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def baseline(self, target):
        """Runs the tests of a target without a mutant; returns the run and the numbers of the switches it reached."""
        self.reached.write_text("")
        try:
            run = self.run(target, None, BASELINE_LIMIT, [], stops=False)
            numbers = sorted({int(line) for line in self.reached.read_text().split()})
        finally:
            self.reached.unlink()
        return run, numbers

    def run(self, target, number, limit, skipped, stops=True):
        """Runs the tests of a target, until the first failure if `stops`, and at most `limit` seconds."""
        self.events.write_text("")
        self.active.write_text("" if number is None else str(number))
        temporary = tempfile.mkdtemp(prefix="wm")
        os.chmod(temporary, 0o1777)
        environment = dict(os.environ, TMPDIR=temporary, SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="4")
        environment.pop("CI", None)
        environment.pop("WAYPOST_MUTANT", None)
        if number is not None:
            environment["WAYPOST_MUTANT"] = str(number)
        command = [self.tree.tests, "--testing-library", "swift-testing", "--filter", f"^{target}[.]"]
        for test in skipped:
            command += ["--skip", skip_pattern(test)]
        command += ["--event-stream-output-path", self.events]
        start = time.monotonic()
        with open(self.log, "wb") as log:
            process = subprocess.Popen(
                command, cwd=self.tree.path, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limit_memory,
            )
            try:
                outcome, failures = self.wait(process, start + limit, stops)
            finally:
                end(process)
                self.active.unlink()
                shutil.rmtree(temporary, ignore_errors=True)
        return Run(outcome, round(time.monotonic() - start, 1), failures)

    def wait(self, process, deadline, stops):
        failures = []
        with open(self.events, encoding="utf-8", errors="replace") as events:
            rest = ""
            while True:
                status = process.poll()
                *lines, rest = (rest + events.read()).split("\n")
                for test in map(failed_test, lines):
                    if test is not None and test not in failures:
                        failures.append(test)
                if failures and stops:
                    return "failed", failures
                if status is not None:
                    return ("passed" if status == 0 else "failed" if failures else "crashed"), failures
                if time.monotonic() > deadline:
                    return "timed out", failures
                time.sleep(0.1)


def limit_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_LIMIT, MEMORY_LIMIT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def descendants():
    """Returns the identifiers of the processes that this one started, and of those that these started."""
    parents = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                parents[int(name)] = int(file.read().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError):
            continue
    found, front = [], [os.getpid()]
    while front:
        front = [child for child, parent in parents.items() if parent in front]
        found += front
    return found


def end(process):
    """Ends the process of tests and all that it started."""
    for _ in range(50):
        processes = descendants()
        for identifier in processes:
            try:
                os.kill(identifier, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.poll()
        try:
            while os.waitpid(-1, os.WNOHANG)[0] != 0:
                pass
        except ChildProcessError:
            break
        time.sleep(0.1)
    process.poll()
