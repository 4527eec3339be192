"""The knowledge about an agent that schemathesis lacks: objects with identifiers, which exist before a case names them.

WAYPOST_CONTROL and WAYPOST_APPS are the URLs of the agent's two listeners. WAYPOST_SUCCESSES is the file to which this
module appends the name of each operation that succeeded.
"""

import copy
import os
import zlib

from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

from device import ACTION, APP, CONVERSATION, LINKS, NAME, SCENE, SHORTCUT, SITE, Device, fresh

# Calls after which the device lacks what other cases need. Each gets a copy of the device.
DESTRUCTIVE = {"removeDevice", "resetDevice", "removeApp", "restoreBackup"}
# Calls that may change anything. They share a copy of the device.
CHANGING = {"letEventHappen", "installApp"}
# Calls that take a scene from the foreground or end it. Each gets a new scene.
LEAVING = {"backgroundScene", "disconnectScene", "closeScene", "destroyScene"}
# Calls whose `url` must be that of a highlight.
OF_HIGHLIGHT = {
    "explainHighlight", "describeAttribution", "drawAttributionOfLink", "explainLink", "findHighlight", "openURL",
    "supplyPreview", "finishContent", "requestAttribution", "changeAttribution", "getContentMenu",
    "chooseContentMenuItem",
}
# Calls that have either a `url` or a `view`.
OF_LINK = {"describeAttribution", "drawAttributionOfLink", "drawMenuOfLink", "drawDisambiguationOfLink"}
# Calls with options of a picture, which schemas do not describe completely.
PICTURES = OF_LINK | {
    "drawOffer", "drawShelf", "drawPresentation", "getAttribution", "drawAttribution",
}
# Values of these options.
OPTIONS = {
    "contentSizeCategory": "XL", "locale": "ja", "minimumContentSizeCategory": "M", "maximumContentSizeCategory": "XXL",
}
# The members of an event that name something on the device.
IN_EVENT = {"app": APP, "scene": SCENE, "conversation": CONVERSATION, "url": LINKS[0]}
# What all other cases need, beside the copy that calls may change.
NEEDED = {NAME, SCENE}
REMOVE = "remove"
SHARE = 0.8
MOST_DEVICES = 3


def chance(case, share, salt=""):
    """Return true for the given share of the cases, which the seed of the run determines."""
    text = repr((case.path, case.path_parameters, dict(case.headers or {}), case.query, case.body, salt))
    return zlib.crc32(text.encode("utf-8", "surrogatepass")) % 100 < share * 100


class AgentCases:
    """Changes cases so that they name objects that exist on the device of an agent."""

    def __init__(self, control, apps, report):
        self.device = Device(control, apps)
        self.report = report
        self.successes = set()
        self.changeable = None
        self.offering = None
        self.asking = None
        self.copies = []
        self.device.meet()
        for url in LINKS:
            self.device.receive(url, is_pinned=url == LINKS[0])
        self.device.user("GET", f"/apps/{APP}/shelf?wait={len(LINKS)}&timeout=20s")

    def prepare(self, case):
        """Put identifiers that exist into the valid parts of a case."""
        # A probe for a method that the path lacks may reach the event stream at the path, which never ends.
        if case.meta is None or case.method != case.operation.method.upper():
            return
        name = operation_name(case)
        if not case.meta.is_negative_at(ParameterLocation.PATH):
            self.prepare_path(case, name)
        if not case.meta.is_negative_at(ParameterLocation.QUERY) and "url" in (case.query or {}):
            if name == "chooseContentMenuItem" and (case.path_parameters or {}).get("item") == REMOVE:
                case.query["url"] = self.removable_link()
            elif name in OF_HIGHLIGHT and self.replaces(case, name, "url"):
                case.query["url"] = self.link(case, name)
        if not case.meta.is_negative_at(ParameterLocation.QUERY) and name in PICTURES:
            if self.replaces(case, name, "options"):
                self.prepare_picture(case, name)
        if not case.meta.is_negative_at(ParameterLocation.QUERY) and name == "releaseToken":
            if self.replaces(case, name, "token"):
                case.query = {**(case.query or {}), **self.device.token()}
        if not case.meta.is_negative_at(ParameterLocation.BODY) and isinstance(case.body, dict):
            self.prepare_body(case, name)

    def replaces(self, case, name, part):
        """Return whether a case gets something that exists; the others have the generated value."""
        # Until an operation has succeeded, all its cases do. A case that follows links needs all parameters or none.
        if name not in self.successes:
            return True
        return chance(case, SHARE, "" if is_stateful(case) else part)

    def prepare_picture(self, case, name):
        """Put accepted values into the options of a picture, and a link in place of a view."""
        query = {key: OPTIONS.get(key, value) for key, value in (case.query or {}).items()}
        if name in OF_LINK:
            query.pop("view", None)
            query["url"] = self.link(case, name)
        case.query = query

    def prepare_path(self, case, name):
        # The shares of the cases must not depend on the identifiers that the loop puts in. schemathesis also generates
        # identifiers from answers, which must not name what other cases need.
        parameters = case.path_parameters or {}
        needed = NEEDED | {self.changeable, self.offering, self.asking}
        parts = [part for part, value in parameters.items() if value in needed or self.replaces(case, name, part)]
        # A highlight that other cases need must not be removed, so the item decides about the view, which comes last.
        if "item" in parts or parameters.get("item") == REMOVE:
            parts = list(parameters)
        for part in sorted(parts, key="view".__eq__):
            parameters[part] = self.existing(part, name, case)

    def existing(self, part, name, case):
        """Return the identifier of an object that exists, and that the call may end."""
        match part:
            case "name":
                return self.device_for(name)
            case "app":
                return APP
            case "scene":
                return self.device.scene() if name in LEAVING else SCENE
            case "type":
                return SHORTCUT
            case "number":
                return self.device.call() if name == "finishCall" else self.device.activation()
            case "action":
                return ACTION
            case "id" if name == "dismissLiveActivity":
                return self.device.live_activity()
            case "id" if name == "continueActivity":
                return self.device.offered_activity()
            case "id":
                return self.device.notification()
            case "item":
                return REMOVE if chance(case, 0.5) else "reply"
            case "view":
                return self.view_for(name, case)
        raise KeyError(f"{name} needs '{part}', which no check creates")

    def device_for(self, name):
        if name == "drawDisambiguationOfLink":
            self.asking = self.asking or self.device.copy_with_conversations()
            return self.asking
        if name in {"drawOffer", "drawPresentation"}:
            self.offering = self.offering or self.device.copy_with_offer()
            return self.offering
        if name in DESTRUCTIVE:
            self.copies.append(self.device.copy())
            # A device that the gateway has not registered refuses a backup.
            if name == "restoreBackup":
                self.device.token_of(self.copies[-1])
            return self.copies[-1]
        return self.shared_copy() if name in CHANGING else NAME

    def shared_copy(self):
        """Return the copy of the device that calls may change."""
        self.changeable = self.changeable or self.device.copy()
        return self.changeable

    def view_for(self, name, case):
        if name == "detachAttribution":
            return self.device.attached_view()
        if case.path_parameters.get("item") != REMOVE:
            return self.device.view()
        return self.device.view(self.removable_link())

    def removable_link(self):
        """Receive a link whose highlight a call may remove, because no other case needs it, and return its URL."""
        url = f"{SITE}/removed/{fresh()}"
        self.device.receive(url)
        return url

    def link(self, case, name):
        """Return the URL of a highlight, or for a share of the cases a URL without one."""
        if name in self.successes and chance(case, 1 - SHARE, "link"):
            return f"{SITE}/unknown"
        return next((url for url in LINKS if chance(case, 0.5, url)), LINKS[0])

    def prepare_body(self, case, name):
        # Other cases may have the same object as their body.
        case.body = copy.deepcopy(case.body)
        # Thousands of devices would make every case slow.
        if name == "createDevices" and case.body.get("count"):
            case.body["count"] = min(case.body["count"], MOST_DEVICES)
        if self.replaces(case, name, "body"):
            self.put_into(case.body, name, case)

    def put_into(self, body, name, case):
        """Put identifiers that exist into a body, and new ones for devices that the call creates."""
        if name in OF_HIGHLIGHT and "url" in body:
            body["url"] = self.link(case, name)
        if name in {"resetDevice", "forkDevice"} and isinstance(body.get("snapshot"), str):
            body["snapshot"] = self.device.snapshot()
        match name:
            case "chooseNotificationAction":
                body["text"] = "Honk"
            case "letEventHappen":
                body.update((key, IN_EVENT[key]) for key in IN_EVENT.keys() & body.keys() if isinstance(body[key], str))
            case "handOff":
                self.device.hold_activity()
                body.update(to=self.device.token_of(self.shared_copy()), scene=SCENE)
            case "requestToken":
                body.update(kind="control", name=fresh())
            case "forkDevice":
                body["name"] = fresh("fork ")
            case "restoreBackup":
                body["name"] = NAME
            case "createDevices" if isinstance(body.get("device"), dict):
                body["device"]["name"] = fresh("device ") + " {n}"

    def follow(self, case, response):
        """Note a success, and remove the devices that only the case needed."""
        if 200 <= response.status_code < 300 and case.method == case.operation.method.upper():
            self.note_success(case, response)
        while self.copies:
            self.device.remove(self.copies.pop())

    def note_success(self, case, response):
        name = operation_name(case)
        if name not in self.successes:
            self.successes.add(name)
            with open(self.report, "a", encoding="utf-8") as file:
                print(name, file=file)
        # The cases that follow a link need the devices of the cases before them.
        if name in {"createDevices", "forkDevice"} and not is_stateful(case):
            answer = response.json()
            self.copies += [each["name"] for each in (answer if isinstance(answer, list) else [answer])]


def is_stateful(case):
    return case.meta is not None and case.meta.phase.name == TestPhase.STATEFUL


def operation_name(case):
    return case.operation.definition.raw["operationId"]


def cases():
    """Return the cases of the agent that run.sh names, or `None` if it checks a gateway."""
    if "WAYPOST_CONTROL" not in os.environ:
        return None
    return AgentCases(os.environ["WAYPOST_CONTROL"], os.environ["WAYPOST_APPS"], os.environ["WAYPOST_SUCCESSES"])
