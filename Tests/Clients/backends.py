#!/usr/bin/env python3
"""Sends with APNs clients and back ends of other projects, unmodified: `Tests/Clients/backends.py [FOLDER]`.

FOLDER contains the built programs. The folder `backends` has a program for each client, and `expected.toml` with the
results that each program prints in each scenario. The status is 0 if all results are the expected ones.

Some clients can be redirected only by the hosts file and port 443. So everything runs in a network of its own, with a
hosts file of its own; no client can reach Apple. Debian needs iproute2, php-cli, php-curl, python3-venv and util-linux.

Clients that neither Debian nor PyPI has run only if WAYPOST_CLIENT_SOURCES names a folder with them (docs/clients.md).
SENDS is the number of notifications of the load; with ONLY=NAME, other clients do not run.
"""

import dataclasses
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.request

SENDS = int(os.environ.get("SENDS", "1000"))
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAMS = HERE / "backends"
SOURCES = pathlib.Path(os.environ.get("WAYPOST_CLIENT_SOURCES") or "/nonexistent").absolute()
HOSTS = "127.0.0.1 localhost\n127.0.0.77 api.push.apple.com api.sandbox.push.apple.com\n"
TEAM = "TEAM123456"
TOPIC = "com.example.clowntown"

# The variable that tells this program that it runs in its own network.
OWN_NETWORK = "WAYPOST_OWN_NETWORK"

# The seconds that a program may take: far more than it needs, because machines can be slow and busy.
TIME_LIMIT = 300


@dataclasses.dataclass(frozen=True)
class Client:
    """A client, and the command that sends with it."""

    name: str
    command: list
    source: str | None = None
    """The file in WAYPOST_CLIENT_SOURCES that the program needs, as a pattern."""
    uses_proxy: bool = False
    """By default the client uses the hosts file or its own options."""
    uses_certificate: bool = False
    load: int = SENDS
    """The number of notifications in the scenario `load`."""
    has_time_limit: bool = False
    """The client gives up after a second, which a busy machine can exceed. Then the scenario is repeated."""


def python_client(name, program, environment="clients-backends", **more):
    return Client(name, [ROOT / ".build" / environment / "bin/python", PROGRAMS / program], **more)


# Clients that open a connection for each notification, or limit the time of all together, send fewer of them.
CLIENTS = [
    python_client("django-push-notifications", "django_push_notifications.py", load=20, has_time_limit=True),
    python_client("apns2-up", "apns2_up.py"),
    python_client("pyapns-client", "pyapns.py", uses_proxy=True, load=SENDS // 10),
    python_client("aapns", "aapns_client.py", "clients-aapns", uses_certificate=True, load=SENDS // 2),
    python_client("gobiko-apns", "gobiko_apns.py", "clients-pyapns2", load=SENDS // 10),
    Client("PHP's curl", ["php", PROGRAMS / "php_curl.php"], uses_proxy=True),
    Client("sygnal", [SOURCES / "python/bin/python", PROGRAMS / "sygnal.py"], "python/bin/sygnal", uses_proxy=True),
    Client("pushok", ["php", PROGRAMS / "pushok.php"], "vendor/edamov/pushok"),
    Client("node-apn", ["node", PROGRAMS / "node_apn.mjs"], "node_modules/@parse/node-apn"),
    # Otherwise Netty warns that this network has no hardware address.
    Client("pushy", ["java", "-cp", f"{SOURCES}/java/*", "-Dio.netty.machineId=02:00:00:00:00:01",
                     PROGRAMS / "Pushy.java"], "java/pushy*.jar"),
    Client("apnotic", ["ruby", PROGRAMS / "apnotic.rb"], "gems/gems/apnotic-*"),
    # Its HTTP/2 library loses an answer now and then that arrives at once, so a small load must do.
    Client("rpush", ["ruby", PROGRAMS / "rpush.rb"], "gems/gems/rpush-*", load=20),
]

# The Python environments of the clients, whose requirements exclude each other, and their requirements.
ENVIRONMENTS = {
    "clients-backends": "requirements-backends.txt",
    "clients-aapns": "requirements-aapns.txt",
    "clients-pyapns2": "requirements-pyapns2.txt",
}


@dataclasses.dataclass(frozen=True)
class Scenario:
    """What a client meets: a fault for its device; how many notifications it sends, and how often it is started."""

    fault: dict | None = None
    count: int = 1
    runs: int = 1
    token: str | None = None


def respond(reason, **more):
    return {"kind": "respond", "reason": reason, "times": 1, **more}


# The second notification after an error shows whether the client recovers.
SCENARIOS = {
    "success": Scenario(),
    "bad-device-token": Scenario(token="00ff"),
    "unregistered": Scenario(respond("Unregistered", timestamp=1_700_000_000_000)),
    "expired-provider-token": Scenario(respond("ExpiredProviderToken"), count=2),
    "too-many-requests": Scenario(respond("TooManyRequests"), count=2),
    "service-unavailable": Scenario(respond("ServiceUnavailable"), count=2),
    "go-away": Scenario({"kind": "goAway", "times": 1}, count=2),
    "load": Scenario(),
    # The second process makes a provider token less than twenty minutes after the first.
    "restart": Scenario(runs=2),
    "strict": Scenario(),
}

# The options of each gateway, and its scenarios.
GATEWAYS = {
    "apns": (["--authentication", "apns"], [name for name in SCENARIOS if name != "strict"]),
    "token": (["--authentication", "token"], ["success"]),
    "none": (["--authentication", "none"], ["success"]),
    "strict": (["--authentication", "apns", "--strict"], ["strict"]),
}


def run(command):
    """Returns what a command prints."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"{command}: exited with {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


class Gateway:
    """A running gateway."""

    def __init__(self, folder, programs, options):
        folder.mkdir()
        self.folder = folder
        self.log = folder / "log"
        self.waypost = programs / "waypost"
        self.ready_file = folder / "ready.json"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [programs / "waypost-gateway", "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0",
                 "--provider", "127.0.0.1:0", "--provider", "127.0.0.77:443", "--provider-plaintext", "127.0.0.1:0",
                 "--proxy", "127.0.0.1:0", "--data", folder / "data", "--ready-file", self.ready_file, *options],
                stdout=subprocess.PIPE, stderr=log)
        # The gateway prints its first line when every listener accepts connections.
        if not self.process.stdout.readline():
            sys.exit(self.log.read_text())
        ready = json.loads(self.ready_file.read_text())
        self.service = ready["service"]
        self.port = ready["provider"].rsplit(":", 1)[1]
        self.admin_token = (folder / "data/admin-token").read_text().strip()
        self.variables = self.client_variables()

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def client_variables(self):
        """Returns the environment of a client that trusts the gateway and uses its proxy."""
        script = run([self.waypost, "ca", "env", "--ready-file", self.ready_file])
        lines = run(["bash", "-euc", f"{script}\nenv --null"]).split("\0")
        return dict(line.split("=", 1) for line in lines if line)

    def request(self, method, path, body=None):
        """Returns the JSON of an answer of the service listener."""
        request = urllib.request.Request(self.service + path, method=method)
        request.add_header("Authorization", f"Bearer {self.admin_token}")
        request.data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(request, timeout=TIME_LIMIT) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    def make_key(self, key):
        """Returns the file of a new key."""
        file = self.folder / f"{key}.p8"
        run([self.waypost, "keys", "create", "--team", TEAM, "--id", key, "--out", file, "--ready-file",
             self.ready_file])
        return file

    def make_certificate(self):
        """Returns the file of a new certificate and its key."""
        file = self.folder / "provider.pem"
        run([self.waypost, "ca", "client", "--topic", TOPIC, "--folder", self.folder / "data/ca", "--out", file])
        return file

    def report(self):
        """Returns the answers that the gateway has sent since the last reset, as a line."""
        report = self.request("GET", "/v1/sender")
        answers = [f"{times} × {status}" for status, times in sorted(report["answers"].items())]
        unanswered = report["requests"] - sum(report["answers"].values())
        return "gateway: " + ", ".join(answers + [f"{unanswered} × no answer"] * (unanswered > 0))


class Sender:
    """A client, with its device and credentials at a gateway."""

    def __init__(self, client, gateway):
        self.client = client
        self.gateway = gateway
        self.key = f"BACKEND{CLIENTS.index(client):03}"
        self.credentials = gateway.make_certificate() if client.uses_certificate else gateway.make_key(self.key)
        self.token = gateway.request("POST", "/v1/devices", {"name": client.name, "topics": [TOPIC]})["token"]
        self.variables = gateway.variables | {"WAYPOST_CLIENT_SOURCES": str(SOURCES), "GEM_PATH": f"{SOURCES}/gems:"}
        # Java prints this variable, and the program in Java does not need it.
        unused = ["JAVA_TOOL_OPTIONS"] + ["https_proxy", "HTTPS_PROXY"] * (not client.uses_proxy)
        for name in unused:
            self.variables.pop(name, None)

    def run_program(self, token, count):
        """Returns the lines that the client's program prints."""
        arguments = [token, self.credentials, self.key, TEAM, self.gateway.port, str(count)]
        process = subprocess.Popen([*self.client.command, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, errors="replace", cwd=self.gateway.folder,
                                   env=self.variables, start_new_session=True)
        try:
            return process.communicate(timeout=TIME_LIMIT)[0].splitlines()
        except subprocess.TimeoutExpired:
            # The program may have started others.
            os.killpg(process.pid, signal.SIGKILL)
            return [*process.communicate()[0].splitlines(), f"The program did not end within {TIME_LIMIT} seconds."]

    def play(self, name):
        """Returns the lines that the client prints in a scenario."""
        scenario = SCENARIOS[name]
        self.gateway.request("DELETE", "/v1/faults")
        self.gateway.request("DELETE", "/v1/sender")
        if scenario.fault:
            self.gateway.request("POST", "/v1/faults", {"token": self.token, **scenario.fault})
        count = self.client.load if name == "load" else scenario.count
        return [line for _ in range(scenario.runs) for line in self.run_program(scenario.token or self.token, count)]

    def difference(self, name, lines):
        """Returns a text about the results of a scenario if they are not the expected lines."""
        refused = self.client.load // 5
        counts = {"refused": refused, "accepted": self.client.load - refused}
        *expected, expected_report = [line.format(**counts) for line in lines]
        answers = self.play(name)
        for _ in range(4):
            if self.client.has_time_limit and any("TimeoutError" in line for line in answers):
                answers = self.play(name)
        report = self.wait_for_report(expected_report)
        if (answers, report) == (expected, expected_report):
            return None
        return "\n    ".join([f"{self.client.name}, {name}: expected", *expected, expected_report,
                              "but got", *answers[:20], report])

    def wait_for_report(self, expected):
        """Returns the gateway's report, in which refused requests can be missing for a moment."""
        for _ in range(100):
            report = self.gateway.report()
            if report == expected:
                break
            time.sleep(0.1)
        return report


def send_to_gateway(title, folder, programs, clients, expected):
    """Plays the scenarios of a gateway with every client, and returns the differences."""
    options, scenarios = GATEWAYS[title]
    gateway = Gateway(folder, programs, options)
    differences = []
    try:
        for client in clients:
            sender = Sender(client, gateway)
            names = [name for name in scenarios if name in expected[client.name]]
            found = [sender.difference(name, expected[client.name][name]) for name in names]
            found = [difference for difference in found if difference]
            plural = "" if len(names) == 1 else "s"
            result = f"{len(found)} not as expected" if found else "as expected"
            print(f"{client.name}, {' '.join(options)}: {len(names)} scenario{plural}, {result}", flush=True)
            differences += found
    finally:
        gateway.stop()
    return differences + [gateway.log.read_text()] * (differences != [])


def choose_clients():
    """Returns the clients that can run, lines about the others, and whether one is missing that CI must have."""
    chosen, lines, is_incomplete = [], [], False
    for client in CLIENTS:
        if os.environ.get("ONLY", "") not in client.name:
            continue
        if client.source and not any(SOURCES.glob(client.source)):
            lines.append(f"{client.name}: not run, because WAYPOST_CLIENT_SOURCES has no {client.source}")
        elif not shutil.which(client.command[0]):
            lines.append(f"{client.name}: not run, because {client.command[0]} is missing")
            is_incomplete = is_incomplete or os.environ.get("CI") == "true"
        else:
            chosen.append(client)
    return chosen, lines, is_incomplete


def make_environments(environments=ENVIRONMENTS):
    """Creates or completes Python environments."""
    for name, requirements in environments.items():
        python = ROOT / ".build" / name / "bin/python"
        if not python.exists():
            run([sys.executable, "-m", "venv", python.parent.parent])
        run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement",
             HERE / requirements])


def start_in_own_network():
    """Runs this program in a network of its own, with a hosts file that leads to the gateway, and returns its status."""
    with tempfile.NamedTemporaryFile("w") as hosts:
        hosts.write(HOSTS)
        hosts.flush()
        rights = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        script = 'ip link set lo up; mount --bind "$0" /etc/hosts; exec "$@"'
        command = ["unshare", *rights, "--mount", "--net", "bash", "-euc", script, hosts.name, sys.executable]
        variables = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        return subprocess.run(command + sys.argv, env=variables | {OWN_NETWORK: "yes"}).returncode


def main():
    if OWN_NETWORK not in os.environ:
        make_environments()
        return start_in_own_network()
    programs = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/bin").absolute()
    expected = tomllib.loads((PROGRAMS / "expected.toml").read_text())
    clients, lines, is_incomplete = choose_clients()
    if not clients and not lines:
        sys.exit(f"ONLY={os.environ['ONLY']} names no client; there are: {', '.join(each.name for each in CLIENTS)}")
    differences = []
    with tempfile.TemporaryDirectory() as scratch:
        for title in GATEWAYS:
            differences += send_to_gateway(title, pathlib.Path(scratch) / title, programs, clients, expected)
    for line in lines:
        print(line)
    for difference in differences:
        print(difference, file=sys.stderr)
    return 1 if differences or is_incomplete else 0


if __name__ == "__main__":
    sys.exit(main())
