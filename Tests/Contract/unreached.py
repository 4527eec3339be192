"""Prints the operations of a document that never succeeded in a run: `unreached.py DOCUMENT SUCCESSES`.

SUCCESSES has one name of an operation per line (agent_cases.py). The status is 1 if an operation is missing.
"""

import json
import pathlib
import sys


def main(document, successes):
    paths = json.loads(pathlib.Path(document).read_text())["paths"].values()
    operations = [value for path in paths for value in path.values() if isinstance(value, dict)]
    succeeded = set(pathlib.Path(successes).read_text().split())
    unreached = [each["operationId"] for each in operations if each["operationId"] not in succeeded]
    for name in unreached:
        print(f"{name} never succeeded")
    return 1 if unreached else 0


sys.exit(main(*sys.argv[1:]))
