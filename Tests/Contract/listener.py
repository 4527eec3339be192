"""Prints what docs/openapi.yaml says of one listener: `listener.py TAG [OPERATION-TO-LEAVE-OUT...]`, as JSON.

What is planned is left out, so that what remains has to be true.
"""

import json
import pathlib
import sys

import yaml

METHODS = {"get", "put", "post", "delete", "options", "head", "patch", "trace"}
DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "openapi.yaml"


def is_planned(value):
    return isinstance(value, dict) and value.get("x-status") == "planned"


def operations(path, tag, without):
    """A path with the operations of one listener, `None` where it has none."""
    kept = {}
    for name, value in path.items():
        if name not in METHODS:
            kept[name] = value
        elif tag in value["tags"] and not is_planned(value) and value["operationId"] not in without:
            parameters = [each for each in value.get("parameters", []) if not is_planned(each)]
            kept[name] = {**value, "parameters": parameters}
    return kept if METHODS & kept.keys() else None


def main(tag, *without):
    document = yaml.safe_load(DOCUMENT.read_text())
    paths = {name: operations(path, tag, without) for name, path in document["paths"].items()}
    document["paths"] = {name: path for name, path in paths.items() if path}
    json.dump(document, sys.stdout)


main(*sys.argv[1:])
