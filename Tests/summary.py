#!/usr/bin/env python3
"""Summarizes test runs: `Tests/summary.py CONFORMANCE-PAGE EVENTS...`.

EVENTS are event streams of Swift Testing (`swift test --event-stream-output-path`) in which no test failed. This prints
why tests were skipped, and then the numbers of tests. The status is 1

- if a sentence of the page has no test that ran, and
- if a test was skipped and the environment variable CI is `true`.
"""

import json
import os
import re
import sys


class Run:
    """What the event streams say about the tests."""

    def __init__(self):
        self.kinds = {}
        self.ran = set()
        self.skipped = {}

    def read(self, path):
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                payload = record["payload"]
                if record["kind"] == "test":
                    self.kinds[payload["id"]] = payload["kind"]
                elif payload["kind"] == "testEnded":
                    self.ran.add(payload["testID"])
                elif payload["kind"] == "testSkipped":
                    texts = [message["text"] for message in payload["messages"]]
                    self.skipped[payload["testID"]] = " ".join(texts)

    def functions(self, tests):
        return sorted(test for test in tests if self.kinds.get(test) == "function")

    def names_that_ran(self):
        """The path of each test and suite that ran, without its module, such as `Suite/test`, and its file's name."""
        names = set()
        for test in self.functions(self.ran - set(self.skipped)):
            *path, place = test.split("/")
            path[0] = path[0].split(".", 1)[1]
            parts = [re.sub(r"\(.*", "", part) for part in path]
            file = place.split(":")[0]
            names.update(("/".join(parts[:count]), file) for count in range(1, len(parts) + 1))
        return names


def proofs(page):
    """The sentences of the page by number, each with the tests that prove it: `Suite/test`, and the file's name."""
    sentences = {}
    for line in open(page, encoding="utf-8"):
        row = re.match(r"\| ([A-Z]\d+) \|", line)
        if row:
            sentences[row[1]] = re.findall(r"\[`([^`]+)`\]\([^)]*?([^/)]+\.swift)\)", line)
    return sentences


def main(page, *streams):
    run = Run()
    for stream in streams:
        run.read(stream)
    ran = run.names_that_ran()
    unproved = [number for number, tests in proofs(page).items() if not ran.intersection(tests)]
    for number in unproved:
        print(f"{number}: none of the tests that prove this sentence ran", file=sys.stderr)
    for test, reason in sorted(run.skipped.items()):
        print(f"skipped: {test.rsplit('/', 1)[0]}: {reason}")
    count = len(run.functions(run.ran - set(run.skipped)))
    print(f"{count} passed, 0 failed, {len(run.skipped)} skipped")
    is_strict = os.environ.get("CI") == "true"
    if is_strict and run.skipped:
        print("With CI=true, a skipped test is a failure", file=sys.stderr)
    return 1 if unproved or (is_strict and run.skipped) else 0


sys.exit(main(*sys.argv[1:]))
