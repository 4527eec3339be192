"""The devices of a test, and the agent that simulates them."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import uuid
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Union

from ._answer import Answer
from ._device import App, Device
from ._errors import ProcessFailed, StepFailed, StepRefused, WaypostWarning, printable, table
from ._gateway import Gateway
from ._process import Process
from ._program import find_program
from ._step import keys, seconds

# pytest shows the line of the test, not those of this file.
__tracebackhide__ = True

Json = dict[str, Any]

# The faults after which a request gets no response.
_SILENT_FAULTS = ("goAway", "hang", "reset")

# The path of a device file, or the content of one.
DeviceSource = Union[str, Path, Mapping[str, Any]]

# Devices, or devices by name.
DeviceSources = Union[Iterable[DeviceSource], Mapping[str, DeviceSource]]


class Devices(Mapping[str, Device]):
    """Devices by name, with a namespace and a clock of their own in the gateway.

    Leaving the ``with`` statement without an error checks everything that must ``never`` happen.

    :ivar events: the events of the devices, as mappings with ``device`` and ``event``.
    """

    _START_SECONDS = 60.0
    _MOST_ENTRIES = 20
    _MOST_CHARACTERS = 200

    def __init__(
        self,
        gateway: Gateway,
        sources: DeviceSources,
        *,
        folder: str | Path | None = None,
        working_folder: str | Path = ".",
        time_limit: float = 90,
        agent_command: Sequence[str] | None = None,
    ) -> None:
        """Starts an agent, and waits until its devices are connected.

        :param gateway: the gateway of the devices.
        :param sources: device files, or their content as mappings; or a mapping from names to these. A device has
            this name instead of the one in its file.
        :param folder: the folder for the agent's files. Default: a temporary one, which :meth:`close` removes.
        :param working_folder: the folder to which paths are relative, and in which :meth:`run` runs commands.
        :param time_limit: the seconds after which a step without an answer fails.
        :param agent_command: the command that runs ``waypost-agent``, if it is not installed here, such as
            ``["docker", "exec", "-i", "waypost", "waypost", "agent"]``. It gets the content of device files from here.
            Default: the words of the environment variable ``WAYPOST_AGENT_COMMAND``.
        :raises ProgramNotFound: if ``waypost-agent`` is not installed.
        :raises ProcessFailed: if a device file cannot be used.
        """
        self._resources = ExitStack()
        self._folder = Path(folder or self._resources.enter_context(TemporaryDirectory(prefix="waypost-agent-")))
        self._working_folder = Path(working_folder).resolve()
        self._time_limit = time_limit
        self._lock = threading.Lock()
        self._lines: queue.Queue[Json | None] = queue.Queue()
        self._number = 0
        self._history: list[str] = []
        self._gateway_log = gateway.process.log_length if gateway.process else 0
        self._device_files: set[str] = set()
        # The texts whose names of files the agent may request, each with the folder to which these are relative.
        self._sent_texts: list[tuple[str, str]] = []
        # The tokens of the devices by their names, and the names of all tokens that were seen.
        self._tokens: dict[str, str] = {}
        self._token_names: dict[str, str] = {}
        self.events: list[Json] = []
        self.gateway = gateway
        self._first_request = max((each["number"] for each in gateway._provider_requests("default")), default=0)
        self.namespace = f"test-{uuid.uuid4()}"
        command = agent_command or os.environ.get("WAYPOST_AGENT_COMMAND", "").split()
        self.process = Process(
            "waypost-agent",
            [
                *([*command, "--request-files"] if command else find_program("waypost-agent")),
                *("--stdio", "--namespace", self.namespace),
                *gateway.agent_options,
                *(argument for option in self._options(sources) for argument in ("--device", option)),
            ],
            self._folder / "agent.log",
            working_folder=self._working_folder,
            output=subprocess.PIPE,
            environment=gateway.environment,
        )
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self._devices = self._connected()
        except BaseException:
            self.close()
            raise

    def _options(self, sources: DeviceSources) -> Iterator[str]:
        """Returns the value of ``--device`` for each source."""
        if isinstance(sources, (str, Path)):
            sources = [sources]
        named = sources.items() if isinstance(sources, Mapping) else ((None, source) for source in sources)
        for number, (name, source) in enumerate(named):
            if isinstance(source, Mapping):
                file = self._folder.resolve() / f"device-{number}.json"
                description = {"name": name, **source} if name else dict(source)
                file.write_text(json.dumps(description, ensure_ascii=False), encoding="utf-8")
            else:
                file = self._working_folder / source
                if not file.exists():
                    raise FileNotFoundError(f"no device file {source} in {self._working_folder}")
            self._device_files.add(os.path.normpath(file))
            yield f"{name}={file}" if name else str(file)

    def _connected(self) -> dict[str, Device]:
        """Waits for the devices, and returns them in the order of their sources."""
        ready = self._next_line("its start", self._START_SECONDS)
        self.control: str = ready["ready"]["control"]
        for each in ready["devices"]:
            self._note_token(each["token"], each["name"])
        return {each["name"]: Device(self, each["name"]) for each in ready["devices"]}

    def _note_token(self, token: str, name: str) -> None:
        """Notes the token that a device has now."""
        self._token_names[token] = name
        self._tokens[name] = token

    def __getitem__(self, name: str) -> Device:
        if name in self._devices:
            return self._devices[name]
        raise KeyError(f"no device {name!r}; there are: {', '.join(self._devices)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._devices)

    def __len__(self) -> int:
        return len(self._devices)

    def __repr__(self) -> str:
        # A debugger may show an object whose start has failed.
        return f"Devices({', '.join(getattr(self, '_devices', []))})"

    # Steps

    def step(self, step: Mapping[str, Any]) -> Answer:
        """Performs any step of docs/scenarios.md, and returns its answer.

        :raises StepFailed: if it was not possible, or what it expects does not hold.
        :raises StepRefused: if the agent does not know the step, or one of its keys or values.
        :raises ProcessFailed: if the agent has ended, or gives no answer in time.
        """
        with self._lock:
            self._number += 1
            text = json.dumps(step, default=_name, ensure_ascii=False)
            expectation = step.get("expect")
            within = expectation.get("within", "") if isinstance(expectation, Mapping) else ""
            self._note(f"step {text}")
            self._sent_texts.append((str(self._working_folder), text))
            self.process.write(json.dumps({**step, "id": self._number}, default=_name, allow_nan=False))
            line = self._next_line(text, seconds(within))
            # An interrupted step leaves its answer behind.
            while line.get("id") != self._number:
                line = self._next_line(text, seconds(within))
        if line["outcome"] == "passed":
            answer = Answer.of(line)
            self._note(f"  {answer if answer != Answer() else 'passed'}")
            if "warning" in line:
                self._note(f"  warning: {line['warning']}")
                _warn(f"{line['warning']}\n{text}")
            return answer
        message = line["message"]
        self._note(f"  {line['outcome']}: {message}")
        if line["outcome"] == "refused":
            raise StepRefused(f"{message}\n\n{text}")
        differences = [(each["field"], each["expected"], each["actual"]) for each in line["differences"]]
        raise StepFailed(message, differences, line.get("explanation", ""))

    def batch(self, notifications: Iterable[Mapping[str, Any]]) -> Answer:
        """Sends notifications in one batch. The keys are ``to`` and the arguments of :meth:`Device.send`."""
        return self.step({"send": [keys(notification) for notification in notifications]})

    def advance(self, by: str) -> Answer:
        """Moves the clock of all devices and of their gateway, by a time such as 90s, 30m, 2h or 1d."""
        return self.step({"advance": by})

    def run(self, command: str, *, within: str | None = None) -> Answer:
        """Runs a shell command, such as a provider under test, in the folder of the test.

        Its environment has the URLs and tokens that docs/scenarios.md lists. `within` is by default 60s.
        """
        return self.step({"run": command, **({"expect": {"exit": 0, "within": within}} if within else {})})

    def call(self, at: str, path: str, *, method: str = "GET", body: Any = None) -> Any:
        """Calls the API of the agent of the device `at`, or of the gateway if `at` is ``gateway``."""
        return self.step({"call": keys(locals())}).answer

    def finish(self) -> None:
        """Checks everything that must ``never`` happen.

        :raises StepFailed: if something of it happened.
        """
        self.step({"finish": True})

    # The process

    def history(self) -> str:
        """Returns the last steps and events as text."""
        return "\n".join(self._history[-self._MOST_ENTRIES :])

    def _provider_requests(self) -> str:
        """Returns a table of the last requests to the provider API for these devices, or for unknown tokens."""
        names = self._token_names
        # The gateway lists requests here that it refused before it looked for the device. It does not know which test
        # used a token that no device has.
        refused = [
            each
            for each in self.gateway._provider_requests("default")
            if each["number"] > self._first_request
            and (each.get("token") in [None, *names] or each.get("reason") == "BadDeviceToken")
        ]
        own = self.gateway._provider_requests(self.namespace)
        requests = sorted(own + refused, key=lambda each: each["number"])[-self._MOST_ENTRIES :]
        if not requests:
            return ""
        states = self.gateway._states(self.namespace)
        rows = [self._row(each, names, states) for each in requests]
        return table([("Time", "Device", "Status", "Reason", "Message and findings"), *rows])

    def _row(self, request: Json, names: Mapping[str, str], states: Mapping[str, str]) -> tuple[str, ...]:
        seconds, milliseconds = divmod(request["at"], 1_000)
        time = datetime.fromtimestamp(seconds, timezone.utc).strftime("%H:%M:%S") + f".{milliseconds:03}"
        token = request.get("token", "")
        device = names.get(token) or token[:8] or "no token"
        fault = request.get("fault", "")
        if "status" not in request:
            message = f"no response, because of the fault {fault}" if fault in _SILENT_FAULTS else "no response yet"
        else:
            state = states.get(request.get("id", ""), "not in the delivery log")
            message = request.get("message") or f"accepted, now {state}"
        if fault in ("delay", "throttle"):
            message += f"; fault {fault}"
        findings = [f"{each.get('severity', 'warning')} {each['code']}: {each['message']}" for each in request.get("findings", [])]
        lines = [printable(line) for line in [message, *findings]]
        return time, device, str(request.get("status", "none")), printable(request.get("reason", "")), "\n".join(lines)

    def logs(self) -> dict[str, str]:
        """Returns the ends of the logs of both programs, as far as they are about these devices."""
        logs = {"waypost-agent": self.process.log_text()}
        if self.gateway.process:
            logs["waypost-gateway"] = self.gateway.process.log_text(self._gateway_log)
        return {program: text for program, text in logs.items() if text}

    def close(self) -> None:
        """Ends the agent, and deletes its namespace in a gateway that keeps running."""
        self.process.end()
        self.gateway.delete(self.namespace)
        self._resources.close()

    def __enter__(self) -> Devices:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        try:
            if kind is None:
                self.finish()
        finally:
            self.close()

    def _next_line(self, subject: str, waiting_time: float = 0) -> Json:
        """Waits for a line that is not an event."""
        limit = self._time_limit + waiting_time
        try:
            line = self._lines.get(timeout=limit)
        except queue.Empty:
            # Its answer would be mistaken for that of the next step.
            self.process.kill()
            raise self.process.failure(f"gave no answer within {limit:g} seconds to {subject}, and was ended") from None
        if line is None:
            raise self.process.failure()
        return line

    def _read(self) -> None:
        for text in self.process.lines():
            line: Json = json.loads(text)
            if "event" in line:
                self.events.append(line)
                self._note(f"event on {line['device']}: {json.dumps(line['event'], ensure_ascii=False)}")
            elif "file" in line:
                self._send_file(line["file"])
            else:
                self._lines.put(line)
        self._lines.put(None)

    def _send_file(self, name: str) -> None:
        """Sends the agent a file that it has requested."""
        try:
            self.process.write(json.dumps(self._content(name)))
        except ProcessFailed:
            pass  # The next line says that it has ended.

    def _content(self, name: str) -> dict[str, str]:
        """Returns the content of a device file, or of a file that a sent file or a step names."""
        file = os.path.normpath(self._working_folder / name)
        is_named = any(file in text or os.path.relpath(file, folder) in text for folder, text in self._sent_texts)
        if file not in self._device_files and not is_named:
            return {"file": name, "problem": "the test does not name it, so the agent does not get it"}
        if not os.path.isfile(file):
            return {"file": name, "problem": "there is no such file"}
        try:
            text = Path(file).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            return {"file": name, "problem": f"cannot be read: {error}"}
        self._sent_texts.append((os.path.dirname(file), text))
        return {"file": name, "text": text}

    def _note(self, text: str) -> None:
        text = text.replace("\n", " ")
        self._history.append(text if len(text) <= self._MOST_CHARACTERS else text[: self._MOST_CHARACTERS] + "…")


def _name(value: object) -> str:
    """Returns the name of an object in a step."""
    if isinstance(value, (App, Device, Path)):
        return str(value)
    raise TypeError(f"{value!r} cannot be part of a step")


def _warn(message: str) -> None:
    """Warns at the line of the test, which is the first one outside of this library."""
    folder = str(Path(__file__).parent)
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(folder):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, WaypostWarning, stacklevel=level)
