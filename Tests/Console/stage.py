"""A gateway and an agent for the journeys, as child processes on free ports."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOWN = ROOT / "CLI/AdminCommands/ClownTown"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Stage:
    """A running gateway, with an agent if `agent` is true; the gateway can be killed and started again."""

    def __init__(self, *options, agent=True, token=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="waypost-console-"))
        self.options = list(options)
        self.port = free_port()
        self.token = token
        self.url = f"http://127.0.0.1:{self.port}"
        self.processes = []
        self.gateway = None
        self.start_gateway()
        if agent:
            self.start_agent()

    def environment(self):
        return dict(os.environ, WAYPOST_CONTROL_TOKEN="secret", **({"WAYPOST_ADMIN_TOKEN": self.token} if self.token else {}))

    def start(self, program, *options):
        ready = self.folder / f"{program}.json"
        ready.unlink(missing_ok=True)
        log = open(self.folder / f"{program}.log", "a", encoding="utf-8")
        process = subprocess.Popen(
            [program, *options, "--ready-file", ready, "--exit-on-eof"],
            stdin=subprocess.PIPE, stdout=log, stderr=log, env=self.environment(),
        )
        self.processes.append(process)
        for _ in range(600):
            if ready.exists() and ready.stat().st_size:
                return process, json.loads(ready.read_text())
            if process.poll() is not None:
                break
            time.sleep(0.05)
        raise SystemExit((self.folder / f"{program}.log").read_text())

    def start_gateway(self):
        options = ["--service", f"127.0.0.1:{self.port}", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0"]
        self.gateway, self.ready = self.start("waypost-gateway", *options, "--data", self.folder / "data", *self.options)

    def start_agent(self, *options):
        _, self.agent = self.start(
            "waypost-agent", *options, "--device", TOWN / "devices", "--gateway-ready-file", self.folder / "waypost-gateway.json"
        )

    def kill_gateway(self):
        self.gateway.send_signal(signal.SIGKILL)
        self.gateway.wait()

    def call(self, method, path, value=None, base=None, headers=None):
        data = None if value is None else (value if isinstance(value, bytes) else json.dumps(value).encode())
        request = urllib.request.Request((base or self.url) + path, data=data, method=method, headers=headers or {})
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def device(self, name="iPad"):
        """Returns the token of a device, and not one of its apps."""
        for entry in self.call("GET", "/v1/devices?limit=1000")["devices"]:
            if entry["device"]["name"] == name and "purpose" not in entry["device"]:
                return entry["device"]["token"]
        raise AssertionError(f"there is no device {name}")

    def install(self, app, device="iPad"):
        """Installs an app on a device, and waits until the gateway takes notifications for it."""
        self.call("POST", f"/v1/devices/{device}/apps", app, base=self.agent["control"])
        for _ in range(600):
            for entry in self.call("GET", "/v1/devices?limit=1000")["devices"]:
                if entry["device"]["name"] == device and app["bundleIdentifier"] in entry["device"]["topics"]:
                    return
            time.sleep(0.05)
        raise AssertionError(f"{device} is not registered for {app['bundleIdentifier']}")

    def send(self, *payloads, token=None, topic="com.example.clowntown", headers=None):
        """Sends payloads in one batch."""
        token = token or self.device()
        lines = [json.dumps({"token": token, "topic": topic, "payload": payload}) for payload in payloads]
        return self.call("POST", "/v1/batches?results=all", "\n".join(lines).encode(), headers=headers)

    def alert(self, title, **members):
        return self.send({"aps": {"alert": {"title": title, "body": "…"}, **members}})

    def close(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
