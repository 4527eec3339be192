"""What schemathesis cannot know of a gateway: which devices and batches there are, and how a body is compressed.

The URL of the gateway's service listener comes in WAYPOST_SERVICE.
"""

import gzip
import json
import os
import re
import zlib

import requests
import schemathesis

SERVICE = os.environ["WAYPOST_SERVICE"]
# The device that the document's examples speak of.
TOKEN = "5d1c0ffee0ddf00d5d1c0ffee0ddf00d5d1c0ffee0ddf00d5d1c0ffee0ddf00d"
TOPIC = "com.example.clowntown"
ITEM = {"token": TOKEN, "topic": TOPIC, "payload": {"aps": {"alert": "Honk"}}}
NAMESPACE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}")
DURATION = re.compile(r"[0-9]+(ms|s)")
PATIENCE = {"timeout": 30}
# What is on the device that agent.yaml describes; a document has no way to say so.
ON_DEVICE = {"name": "iPad", "app": "com.example.clowntown", "scene": "main", "type": "honk"}


@schemathesis.serializer("application/x-ndjson")
def ndjson(context, value):
    """Lines go out as they are."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


class Compressed(requests.auth.AuthBase):
    """Compresses the body of a request as its header says."""

    codings = {"gzip": gzip.compress, "x-gzip": gzip.compress, "deflate": zlib.compress}

    def __call__(self, request):
        compress = self.codings.get(request.headers.get("Content-Encoding"))
        if compress and request.body:
            body = request.body if isinstance(request.body, bytes) else request.body.encode()
            request.prepare_body(compress(body), None)
        return request


def namespace(case):
    """The header that puts a request of ours where the case is."""
    name = (case.headers or {}).get("X-Waypost-Namespace")
    return {"X-Waypost-Namespace": name} if isinstance(name, str) and NAMESPACE.fullmatch(name) else {}


def register(headers):
    """Makes the device of the examples an active one, whatever earlier cases did to it."""
    body = {"name": "iPad", "topics": [TOPIC], "token": TOKEN}
    requests.post(SERVICE + "/v1/devices", json=body, headers=headers, **PATIENCE)


def send(headers):
    """Sends a batch of one, and returns its identifier."""
    answer = requests.post(SERVICE + "/v1/batches", json=[ITEM], headers=headers, **PATIENCE)
    return answer.json()["id"]


def chance(case, share):
    """Says yes to that share of the cases; the seed of the run tells to which."""
    text = repr((case.path, case.path_parameters, dict(case.headers or {}), case.query, case.body))
    return zlib.crc32(text.encode("utf-8", "surrogatepass")) % 100 < share * 100


def is_of_agent(path):
    """Whether a path is of an agent's control API or app API."""
    return path.startswith(("/v1/devices/{name}", "/v1/app/"))


@schemathesis.hook
def before_call(context, case, kwargs):
    """Brings a case that should be accepted together with what is in the gateway."""
    # Nobody waits here for what does not happen, whatever else is wrong with the case.
    if case.query and DURATION.fullmatch(str(case.query.get("timeout"))):
        case.query["timeout"] = "20ms"
    if case.query and "wait" in case.query:
        case.query.setdefault("timeout", "20ms")
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    for name in case.path_parameters or {}:
        if name in ON_DEVICE and is_of_agent(case.path) and chance(case, 0.8):
            case.path_parameters[name] = ON_DEVICE[name]
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
            # A batch that waits for its device is not settled, and nobody waits for that here.
            if "wait" in case.query:
                case.query["timeout"] = "20ms"
        case path if "{token}" in path:
            register(headers)
            if chance(case, 0.8):
                case.path_parameters["token"] = TOKEN


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Keeps what is a fault: not that bad requests are taken which the gateway has its own way with."""
    # The stream at the same path is asked for by hand, so that the document is given without it.
    if case.path.endswith("/events") and "Allow" in f"{failure.title} {failure.message}":
        return False
    if type(failure).__name__ != "AcceptedNegativeData":
        return True
    # What is answered before it is looked at promises nothing yet.
    if case.path == "/v1/batches" and response.status_code == 202:
        return False
    # A member that is null counts as absent, which is more than the document promises.
    if isinstance(case.body, dict) and None in case.body.values():
        return False
    # What a notification carries is looked at when it is read, and is then no event of Messages or nothing to show.
    if case.path.endswith("/events") and "notification" in (case.body if isinstance(case.body, dict) else {}):
        return False
    # A body that is no array is lines, whatever its media type; each bad line is rejected for itself.
    return not (case.path == "/v1/batches" and response.status_code == 200 and response.json()["rejected"] > 0)
