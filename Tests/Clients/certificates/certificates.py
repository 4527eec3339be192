#!/usr/bin/env python3
"""Runs real clients through the trials of `waypost provider test`, and writes the table of docs/clients.md.

`Tests/Clients/certificates/certificates.py [FOLDER]`; FOLDER contains the built programs. Each client has a program in
this folder, which sends with it as its documentation says. Everything runs in a network of its own, so that no client
can reach Apple.

A failed trial is published only if `reasons.toml` says which lines of the client's source cause it; otherwise the
client's row stays as it was, and the status is 1. `.build/certificates` has all results, with the first wrong request.

With ONLY=NAME other clients do not run, and keep their rows; with WHOLE=yes the long trials run, too. With STORED=yes
nothing runs: the results of the last run are compared with `reasons.toml` again.
Clients that neither Debian nor PyPI has run only if WAYPOST_CLIENT_SOURCES names a folder with them (docs/clients.md).
"""

import collections
import dataclasses
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from backends import ENVIRONMENTS, OWN_NETWORK, ROOT, SOURCES, make_environments, run, start_in_own_network

PAGE = ROOT / "docs/clients.md"
RESULTS = ROOT / ".build/certificates"
BEGIN, END = "<!-- certificates -->", "<!-- end of certificates -->"

# The trials of all clients may take this long, in seconds.
TIME_LIMIT = 3600


@dataclasses.dataclass(frozen=True)
class Client:
    """A client, the command that sends with it, and the command that prints its version."""

    name: str
    command: list
    version: list
    source: str | None = None
    """The file in WAYPOST_CLIENT_SOURCES that the program needs."""


def python_client(name, program, python, distribution=None, **more):
    question = f"import importlib.metadata as all; print(all.version({distribution or name!r}))"
    return Client(name, [python, HERE / program], [python, "-c", question], **more)


def environment(name):
    return ROOT / ".build" / name / "bin/python"


CLIENTS = [
    python_client("aapns", "aapns_client.py", environment("clients-aapns")),
    python_client("aioapns", "aioapns_client.py", environment("clients")),
    python_client("apns2-up", "apns2_client.py", environment("clients-backends")),
    Client("curl", [HERE / "curl_client.sh"], ["curl", "--version"]),
    python_client("django-push-notifications", "django_client.py", environment("clients-backends")),
    python_client("gobiko-apns", "gobiko_client.py", environment("clients-pyapns2"), "gobiko.apns"),
    python_client("httpx", "httpx_client.py", environment("clients")),
    Client("Java's HttpClient", ["java", HERE / "HttpClientProgram.java"], ["java", "--version"]),
    python_client("kalyke", "kalyke_client.py", environment("clients"), "kalyke-apns"),
    python_client("mopyapns", "apns2_client.py", environment("clients-certificates")),
    Client("node-apn", ["node", HERE / "node_apn.mjs"],
           ["node", "-p", f"require({str(SOURCES / 'node_modules/@parse/node-apn/package.json')!r}).version"],
           source="node_modules/@parse/node-apn"),
    Client("Node's http2", ["node", HERE / "node_http2.mjs"], ["node", "--version"]),
    Client("PHP's curl", ["php", HERE / "php_curl.php"], ["php", "--version"]),
    python_client("PyAPNs2", "apns2_client.py", environment("clients-pyapns2"), "apns2"),
    python_client("pyapns-client", "pyapns.py", environment("clients-backends")),
    python_client("simple-apns", "simple_apns_client.py", environment("clients-certificates")),
    python_client("sygnal", "sygnal_client.py", SOURCES / "python/bin/python", "matrix-sygnal", source="python/bin/sygnal"),
]


def version(client):
    """Returns the version of a client: the first number of what it prints."""
    return re.search(r"\d+(\.\d+)+", run(client.version))[0]


def read_results(text):
    """Returns the results of trials in a JSON array, or in lines of JSON."""
    text = text.strip()
    values = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines() if line]
    return [value for value in values if "trial" in value]


def results_of(client, programs):
    """Returns the results of a client's trials, of a new run or, with STORED=yes, of the last one."""
    file = RESULTS / f"{client.name}.json"
    if not os.environ.get("STORED"):
        file.write_text(json.dumps(test(client, programs), indent=2, ensure_ascii=False) + "\n")
    return json.loads(file.read_text())


def test(client, programs):
    """Runs the trials of a client, and returns their results."""
    length = ["--whole"] if os.environ.get("WHOLE") else []
    variables = os.environ | {"WAYPOST_PROGRAM": str(programs / "waypost"), "WAYPOST_CLIENT_SOURCES": str(SOURCES)}
    process = subprocess.run(
        [programs / "waypost", "provider", "test", "--format", "json", *length, "--", *client.command],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=variables,
        timeout=TIME_LIMIT)
    # The status is 1 if a trial failed.
    if process.returncode not in (0, 1):
        sys.exit(f"{client.name}: exited with {process.returncode}\n{process.stdout}{process.stderr}")
    return read_results(process.stdout)


def unexplained(client, results, reasons):
    """Returns lines about the failed trials without a reason."""
    lines = []
    for result in results:
        if result["outcome"] == "failed" and result["trial"] not in reasons.get(client.name, {}):
            lines.append(f"{client.name}, {result['trial']}: {result['summary']}")
            if "request" in result:
                lines.append(f"    {json.dumps(result['request'], sort_keys=True, ensure_ascii=False)}")
    return lines


def row(client, results):
    """Returns the row of a client in the table."""
    counts = collections.Counter(result["outcome"] for result in results)
    failed = ", ".join(result["trial"] for result in results if result["outcome"] == "failed")
    date = datetime.date.fromtimestamp((RESULTS / f"{client.name}.json").stat().st_mtime)
    cells = [client.name, version(client), date, counts["passed"], counts["failed"], counts["notShown"], failed or "none"]
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def write_table(rows):
    """Replaces the rows of clients in the table of the page."""
    text = PAGE.read_text()
    start, end = text.index(BEGIN), text.index(END)
    head, *old = [line for line in text[start:end].splitlines() if line.startswith("|") and not line.startswith("|--")]
    all_rows = {line.split(" | ")[0].removeprefix("| "): line for line in old} | rows
    dashes = "|---|---|---|--:|--:|--:|---|"
    table = "\n".join([BEGIN, "", head, dashes, *(all_rows[name] for name in sorted(all_rows, key=str.lower)), "", ""])
    PAGE.write_text(text[:start] + table + text[end:])


def is_present(client):
    """Returns whether a client can run, and otherwise prints why not."""
    if client.source and not (SOURCES / client.source).exists():
        print(f"{client.name}: not run, because WAYPOST_CLIENT_SOURCES has no {client.source}")
        return False
    if not shutil.which(client.command[0]):
        print(f"{client.name}: not run, because {client.command[0]} is missing")
        return False
    return True


def main():
    if OWN_NETWORK not in os.environ:
        make_environments(ENVIRONMENTS | {"clients": "requirements.txt",
                                          "clients-certificates": "certificates/requirements.txt"})
        return start_in_own_network()
    programs = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/bin").absolute()
    reasons = tomllib.loads((HERE / "reasons.toml").read_text())
    RESULTS.mkdir(parents=True, exist_ok=True)
    rows, problems = {}, []
    for client in CLIENTS:
        if os.environ.get("ONLY", "") not in client.name or not is_present(client):
            continue
        results = results_of(client, programs)
        print(row(client, results), flush=True)
        found = unexplained(client, results, reasons)
        if all(result["outcome"] == "notShown" for result in results):
            found.append(f"{client.name}: no trial showed anything, so its program does not send")
        problems += found
        if not found:
            rows[client.name] = row(client, results)
    write_table(rows)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
