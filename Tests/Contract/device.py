"""A device of a running agent, with an app that has highlights, and objects that a check creates on it.

The program display_context.py and the hooks of schemathesis use this module. It needs the standard library only.
"""

import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

NAME = "iPad"
APP = "com.example.clowntown"
SCENE = "main"
SHORTCUT = "honk"
SNAPSHOT = "before"
CATEGORY, ACTION = "CLOWN", "REPLY"
CONTACT = {"id": "enrique", "givenName": "Enrique", "handles": ["+14085550101"]}
CONVERSATION = "clowns"
SITE = "https://clowntown.example"
LINKS = [f"{SITE}/clowns/crusty", f"{SITE}/clowns/bozo", f"{SITE}/clowns/pogo"]
ACTIVITY = {"activityType": "com.example.clowntown.clown", "targetContentIdentifier": LINKS[0]}


class Refused(Exception):
    """A request that the device must accept got another status than 2xx."""


def call(method, url, body=None, credential=None):
    """Send a request, and return the status and the value of the answer, which is `None` if it has no body."""
    headers = {"Content-Type": "application/json"}
    if credential:
        headers["Authorization"] = f"Bearer {credential}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, decoded(answer)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, decoded(refusal)


def decoded(answer):
    text = answer.read()
    return json.loads(text) if text and "json" in answer.headers.get("Content-Type", "") else None


def accepted(method, url, body=None, credential=None):
    """Send a request that must succeed, and return the value of the answer."""
    status, value = call(method, url, body, credential)
    if not 200 <= status < 300:
        raise Refused(f"{method} {url} {json.dumps(body)}: {status} {json.dumps(value)}")
    return value


def fresh(prefix=""):
    """Return an identifier that nothing has yet."""
    return prefix + str(uuid.uuid4())


class Device:
    """A device, as its user and the process of its app see it."""

    def __init__(self, control, apps, name=NAME):
        self.control = control
        self.apps = apps
        self.url = f"{control}/v1/devices/{urllib.parse.quote(name, safe='')}"
        self.credential = self.user("GET", f"/apps/{APP}/credential")["credential"]

    def user(self, method, path, body=None):
        """Send a request of the user, which must succeed."""
        return accepted(method, self.url + path, body)

    def app(self, method, path, body=None):
        """Send a request of the app, which must succeed."""
        return accepted(method, self.apps + "/v1/app" + path, body, self.credential)

    def try_app(self, method, path, body=None):
        """Send a request of the app, and return the status and the value of the answer."""
        return call(method, self.apps + "/v1/app" + path, body, self.credential)

    def event(self, kind, **members):
        """Apply an event, and return its effects."""
        return self.user("POST", "/events", {"type": kind, **members})["effects"]

    # What an app needs before it has highlights.

    def meet(self):
        """Add the sender of the links, allow links that are not pinned, and wait for the association file."""
        self.user("GET", "/associations?wait=1&timeout=20s")
        self.event("contactChanged", contact=CONTACT)
        self.event("automaticSharingSet", app=APP, isOn=True)

    def receive(self, url, is_pinned=False, conversation=CONVERSATION):
        """Receive a message with a link, which becomes a highlight."""
        message = {"id": fresh("message "), "conversation": conversation, "sender": CONTACT["handles"][0], "text": url}
        self.event("messageReceived", message=message)
        if is_pinned:
            self.event("linkPinned", message=message["id"])

    # Objects with identifiers. Each method returns the identifier.

    def view(self, url=LINKS[0], preferences=None):
        """Request an attribution view."""
        body = {"url": url} if preferences is None else {"url": url, "preferences": preferences}
        return self.app("POST", "/attributions", body)["view"]

    def attached_view(self, url=LINKS[0]):
        """Request an attribution view, and put it into a window."""
        view = self.view(url)
        self.app("POST", f"/attributions/{view}/attach")
        return view

    def scene(self):
        """Create a scene, which is then in the foreground."""
        return self.user("POST", f"/apps/{APP}/scenes", {})["activation"]["scene"]

    def activation(self):
        """Perform a quick action, and return the number of the activation that waits for the app."""
        return self.user("POST", f"/apps/{APP}/shortcutItems/{SHORTCUT}/perform")["activation"]["number"]

    def notification(self, topic=APP, payload=None):
        """Deliver a notification."""
        identifier = fresh()
        payload = payload or {"aps": {"alert": "Honk", "target-content-id": LINKS[0], "category": CATEGORY}}
        address = {"id": identifier, "token": "00", "topic": topic}
        delivered = {"sequence": 1, **address, "pushType": "alert", "priority": 10, "payload": payload}
        self.event("notificationDelivered", notification=delivered)
        return identifier

    def call(self):
        """Choose an action of a notification, and return the number of the call that waits for the app."""
        path = f"/notifications/{self.notification()}/actions/{ACTION}"
        return self.user("POST", path, {"text": "Honk"})["effects"][0]["call"]["number"]

    def live_activity(self):
        """Start a Live Activity, and end it, because an app has few that have not ended."""
        topic = f"{APP}.push-type.liveactivity"
        state = {"timestamp": 1, "content-state": {}}
        start = {"event": "start", "attributes-type": "Parade", "attributes": {}, **state}
        identifier = self.notification(topic, {"aps": start})
        self.notification(topic, {"aps": {"event": "end", **state}})
        return identifier

    def token(self):
        """Request a token, and return the query that names it."""
        token = {"kind": "control", "name": fresh()}
        self.app("POST", "/tokens", token)
        return token

    def offered_activity(self):
        """Let another device offer an activity."""
        payload = {"app": APP, "activity": ACTIVITY, "from": fresh("device ")}
        return self.notification("waypost.activities", payload)

    def snapshot(self):
        """Take a snapshot."""
        return self.user("POST", "/snapshots", {"name": SNAPSHOT})["name"]

    def copy_with_offer(self):
        """Copy the device, and pin a link on the copy so that automatic sharing is offered."""
        name = self.copy()
        copied = Device(self.control, self.apps, name)
        copied.event("automaticSharingSet", app=APP, isOn=False)
        copied.receive(f"{LINKS[0]}/{fresh()}", is_pinned=True)
        return name

    def copy_with_conversations(self):
        """Copy the device, and receive its links in another conversation too."""
        name = self.copy()
        copied = Device(self.control, self.apps, name)
        for url in LINKS:
            copied.receive(url, conversation="more clowns")
        return name

    def copy(self):
        """Add a copy of the device, with its app, highlights and snapshot."""
        self.snapshot()
        name = fresh("copy ")
        self.user("POST", "/fork", {"name": name})
        return name

    def remove(self, name):
        """Remove another device, if it is still there."""
        call("DELETE", f"{self.control}/v1/devices/{urllib.parse.quote(name, safe='')}")

    def token_of(self, name):
        """Wait until the gateway has registered another device, and return its token."""
        for _ in range(200):
            devices = accepted("GET", self.control + "/v1/devices")
            found = next((each for each in devices if each["name"] == name), None)
            if found is None:
                raise Refused(f"the agent has no device '{name}'")
            if found.get("token"):
                return found["token"]
            time.sleep(0.1)
        raise Refused(f"the gateway did not register the device '{name}'")

    def hold_activity(self):
        """Give the scene an activity that another device can continue."""
        self.event("restorationActivitySet", app=APP, scene=SCENE, activity=ACTIVITY)
