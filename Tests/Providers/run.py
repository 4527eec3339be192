#!/usr/bin/env python3
"""Runs `waypost provider test` with provider.py: right it must pass, and wrong it must fail the trial of its switch.

The first argument is the folder of the built programs. The status is 0 if everything is as in expected.toml.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from switches import SWITCHES

HERE = Path(__file__).resolve().parent
TIME_LIMIT = 30 * 60
"""The seconds that a run may take: far more than it needs, because machines can be slow and busy."""


@dataclass(frozen=True)
class Result:
    trial: str
    outcome: str
    summary: str


def run(programs: Path, options: list[str], switch: str | None = None) -> list[Result]:
    """Runs trials, and returns their results."""
    provider = [sys.executable, str(HERE / "provider.py"), *(["--wrong", switch] if switch else [])]
    command = [str(programs / "waypost"), "provider", "test", "--format", "jsonl", *options, "--", *provider]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=TIME_LIMIT)
    lines = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
    results = [Result(line["trial"], line["outcome"], line["summary"]) for line in lines if "trial" in line]
    if not results:
        sys.exit(f"{' '.join(command)}: no results, status {ended.returncode}\n{ended.stderr}")
    return results


def check_right(programs: Path, options: list[str]) -> list[str]:
    """Returns the complaints about a run of the right provider."""
    results = run(programs, options)
    wrong = [result for result in results if result.outcome != "passed"]
    print(f"right: {len(results) - len(wrong)} of {len(results)} passed", flush=True)
    return [f"right: {result.trial} is {result.outcome}: {result.summary}" for result in wrong]


def check_switch(programs: Path, switch: str, deserved: dict[str, str], options: list[str]) -> list[str]:
    """Returns the complaints about a run of the provider with a switch."""
    results = {result.trial: result for result in run(programs, options, switch)}
    if switch not in results:
        # It is not in the quick set.
        results |= {result.trial: result for result in run(programs, ["--only", switch], switch)}
    own = results.pop(switch)
    complaints = [] if own.outcome == "failed" else [f"{switch}: its trial is {own.outcome}: {own.summary}"]
    others = [result for result in results.values() if result.outcome == "failed"]
    print(f"{switch}: {own.outcome}: {own.summary}", *(f"  also {other.trial}: {other.summary}" for other in others),
          sep="\n", flush=True)
    return complaints + [f"{switch}: {other.trial} failed, too: {other.summary}"
                         for other in others if other.trial not in deserved]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=Path)
    parser.add_argument("--times", type=int, default=1, help="the number of runs of the right provider")
    parser.add_argument("--whole", action="store_true", help="run the whole set with the right provider")
    parser.add_argument("--switches", nargs="*", default=list(SWITCHES), choices=SWITCHES, metavar="SWITCH")
    parser.add_argument("--own", action="store_true", help="run only the trial of each switch")
    arguments = parser.parse_args()

    expected: dict[str, dict[str, str]] = tomllib.loads((HERE / "expected.toml").read_text())
    unknown = {name for switch, others in expected.items() for name in (switch, *others)} - set(SWITCHES)
    complaints = [f"expected.toml: there is no trial {name}" for name in sorted(unknown)]
    for _ in range(arguments.times):
        complaints += check_right(arguments.programs, ["--whole"] if arguments.whole else [])
    for switch in arguments.switches:
        options = ["--only", switch] if arguments.own else []
        complaints += check_switch(arguments.programs, switch, expected.get(switch, {}), options)
    if complaints:
        sys.exit("\n".join(["", *complaints]))
    print(f"{len(arguments.switches)} wrong providers failed as expected")


if __name__ == "__main__":
    main()
