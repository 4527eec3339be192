"""Prints the part of docs/openapi.yaml or docs/openapi-agent.yaml that describes one listener, as JSON.

`listener.py TAG [OPERATION-TO-LEAVE-OUT...]`. Planned operations are left out, so everything else must be implemented.
The definitions of the schema that the agent's document refers to are copied into it.
"""

import json
import pathlib
import sys

import yaml

METHODS = {"get", "put", "post", "delete", "options", "head", "patch", "trace"}
ROOT = pathlib.Path(__file__).parents[2]
SCHEMA = "Core/WaypostSchema/schema-v1.json"


def read(tag):
    """Return the document that describes a listener."""
    if not tag.startswith("agent"):
        return yaml.safe_load((ROOT / "docs" / "openapi.yaml").read_text())
    text = json.dumps(yaml.safe_load((ROOT / "docs" / "openapi-agent.yaml").read_text()))
    document = json.loads(text.replace(f"../{SCHEMA}#/$defs/", "#/components/schemas/"))
    schema = (ROOT / SCHEMA).read_text().replace("#/$defs/", "#/components/schemas/")
    document["components"]["schemas"] = json.loads(schema)["$defs"]
    return document


def is_planned(value):
    return isinstance(value, dict) and value.get("x-status") == "planned"


def operations(path, tag, without):
    """Return a path with the operations of one listener, or `None` if it has none."""
    kept = {}
    for name, value in path.items():
        if name not in METHODS:
            kept[name] = value
        elif tag in value["tags"] and not is_planned(value) and value["operationId"] not in without:
            parameters = [each for each in value.get("parameters", []) if not is_planned(each)]
            kept[name] = {**value, "parameters": parameters}
    return kept if METHODS & kept.keys() else None


def main(tag, *without):
    document = read(tag)
    paths = {name: operations(path, tag, without) for name, path in document["paths"].items()}
    document["paths"] = {name: path for name, path in paths.items() if path}
    json.dump(document, sys.stdout)


main(*sys.argv[1:])
