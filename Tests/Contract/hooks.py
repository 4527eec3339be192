"""The knowledge about a gateway that schemathesis lacks: existing devices and batches, and the compression of bodies.

WAYPOST_SERVICE is the URL of the gateway's service listener. If the run checks an agent, agent_cases.py changes the
cases.
"""

import gzip
import json
import os
import re
import zlib

import requests
import schemathesis

import agent_cases
from agent_cases import chance

SERVICE = os.environ["WAYPOST_SERVICE"]
# The device in the examples of the document.
TOKEN = "5d1c0ffee0ddf00d5d1c0ffee0ddf00d5d1c0ffee0ddf00d5d1c0ffee0ddf00d"
TOPIC = "com.example.clowntown"
ITEM = {"token": TOKEN, "topic": TOPIC, "payload": {"aps": {"alert": "Honk"}}}
NAMESPACE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}")
DURATION = re.compile(r"[0-9]+(ms|s)")
PATIENCE = {"timeout": 30}
# The operations that create a resource, and the error of a later request about one that does not exist.
MISSING = {"POST /v1/devices": "unknownDevice", "POST /v1/batches": "unknownBatch", "POST /v1/runs": "unknownRun"}
AGENT = agent_cases.cases()


@schemathesis.serializer("application/x-ndjson")
def ndjson(context, value):
    """Send lines unchanged."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


class Compressed(requests.auth.AuthBase):
    """Compresses the body of a request according to its Content-Encoding header."""

    codings = {"gzip": gzip.compress, "x-gzip": gzip.compress, "deflate": zlib.compress}

    def __call__(self, request):
        compress = self.codings.get(request.headers.get("Content-Encoding"))
        if compress and request.body:
            body = request.body if isinstance(request.body, bytes) else request.body.encode()
            request.prepare_body(compress(body), None)
        return request


def namespace(case):
    """Return the header that puts our requests into the namespace of the case."""
    name = (case.headers or {}).get("X-Waypost-Namespace")
    return {"X-Waypost-Namespace": name} if isinstance(name, str) and NAMESPACE.fullmatch(name) else {}


def register(headers):
    """Register the device of the examples, which earlier cases may have unregistered."""
    body = {"name": "iPad", "topics": [TOPIC], "token": TOKEN}
    requests.post(SERVICE + "/v1/devices", json=body, headers=headers, **PATIENCE)


def send(headers):
    """Send a batch with one item, and return the identifier of the batch."""
    answer = requests.post(SERVICE + "/v1/batches", json=[ITEM], headers=headers, **PATIENCE)
    return answer.json()["id"]


@schemathesis.hook
def before_call(context, case, kwargs):
    """Change a case so that it refers to objects that exist in the gateway or on the device of the agent."""
    # Shorten every wait, because the event may never happen, even if the case is invalid in other ways.
    if case.query and DURATION.fullmatch(str(case.query.get("timeout"))):
        case.query["timeout"] = "20ms"
    if case.query and case.query.keys() & {"wait", "follower"}:
        case.query.setdefault("timeout", "20ms")
    if AGENT:
        AGENT.prepare(case)
    elif case.meta is not None and case.meta.generation.mode.is_positive:
        refer_to_gateway(case, kwargs)


def refer_to_gateway(case, kwargs):
    """Change a valid case so that it refers to devices and batches that exist in the gateway."""
    headers = namespace(case)
    match case.path:
        case "/v1/batches":
            register(headers)
            kwargs.setdefault("auth", Compressed())
            if isinstance(case.body, str) and chance(case, 0.8):
                case.body = json.dumps(ITEM) + "\n" + case.body
            elif isinstance(case.body, list) and chance(case, 0.8):
                case.body = [{**item, "token": TOKEN, "topic": TOPIC} for item in case.body]
        case "/v1/batches/{id}":
            register(headers)
            if chance(case, 0.8):
                case.path_parameters["id"] = send(headers)
            # A batch that waits for its device is not settled; do not wait for that.
            if "wait" in case.query:
                case.query["timeout"] = "20ms"
        case path if "{token}" in path:
            register(headers)
            if chance(case, 0.8):
                case.path_parameters["token"] = TOKEN


@schemathesis.hook
def after_call(context, case, response):
    """Note whether the operation of an agent succeeded."""
    if AGENT:
        AGENT.follow(case, response)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Keep real failures only: the gateway deliberately accepts some invalid requests."""
    # run.sh requests the stream at the same path, so the document lacks its operation.
    if case.path.endswith("/events") and "Allow" in f"{failure.title} {failure.message}":
        return False
    # Something else may be missing, for example a snapshot that the body names.
    if type(failure).__name__ == "EnsureResourceAvailability":
        return response.json()["error"]["code"] == MISSING.get(failure.created_with, response.json()["error"]["code"])
    if type(failure).__name__ != "AcceptedNegativeData":
        return True
    # A batch that is answered before it is validated may still be refused.
    if case.path == "/v1/batches" and response.status_code == 202:
        return False
    # The gateway treats a null member as absent, which the document does not promise.
    if isinstance(case.body, dict) and None in case.body.values():
        return False
    # A payload is validated only when it is read; then it is not a Messages event, or there is nothing to show.
    if case.path.endswith("/events") and "notification" in (case.body if isinstance(case.body, dict) else {}):
        return False
    # A body that is not an array counts as lines, for any media type; each invalid line is rejected individually.
    return not (case.path == "/v1/batches" and response.status_code == 200 and response.json()["rejected"] > 0)
