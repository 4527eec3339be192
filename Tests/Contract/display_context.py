"""Checks the display context from the app to the shelf: `display_context.py CONTROL-URL APPS-URL`.

An app puts attribution views into windows, and the clock moves. Then the shelf must have the points of docs/ranking.md.
The agent needs a manual clock. The status is 0 if everything is as the documents say. Needs the standard library only.
"""

import json
import sys
import urllib.request

from device import APP, SITE, Device, accepted, call

# The constants of docs/ranking.md; times are in milliseconds.
HALF_LIFE = 72 * 60 * 60 * 1000
POINTS_PER_HALF_LIFE = 1000
INTERACTED = {"interacted": 585}
STARTED = {"started": 500}
CONSUMED = {"consumed": -4000}
IGNORED = {"ignored": -250}
IMPRESSION_TIME = 1000
IMPRESSION_INTERVAL = 10 * 60 * 1000
CONSUMPTION_TIME = 30 * 1000
MINIMUM_AGE = 10 * 60 * 1000

NOTHING = {}
DETAIL = {"displayContext": "detail"}


class Scenario:
    """The steps of the scenario, and their failures."""

    def __init__(self, device):
        self.device = device
        self.failures = []

    def expect(self, step, found, expected):
        if found != expected:
            self.failures.append(f"{step}: {json.dumps(found)} instead of {json.dumps(expected)}")

    def link(self, name):
        """Receive a link, and return its URL."""
        url = f"{SITE}/display-context/{name}"
        self.device.receive(url)
        return url

    def request(self, step, expected, method, path, body=None, code=None):
        """Send a request of the app, and check the status and the code of its answer."""
        status, value = self.device.try_app(method, path, body)
        self.expect(step, status, expected)
        if code:
            self.expect(step + ", code", (value or {}).get("error", {}).get("code"), code)

    def attach(self, view):
        self.request("attach", 204, "POST", f"/attributions/{view}/attach")

    def detach(self, view):
        self.request("detach", 204, "POST", f"/attributions/{view}/detach")

    def advance(self, milliseconds):
        accepted("POST", self.device.control + "/v1/clock/advance", {"by": milliseconds})

    def show(self, view, milliseconds):
        """Show a view in a window for some time."""
        self.attach(view)
        self.advance(milliseconds)
        self.detach(view)

    def shelf(self):
        return self.device.user("GET", f"/apps/{APP}/shelf?limit=100")["items"]

    def points(self, step, url, expected):
        """Check the terms of a link's score, besides the term for its age."""
        item = next(each for each in self.shelf() if each["highlight"]["url"] == url)
        rank = item["rank"]
        terms = {term["signal"]: term["points"] for term in rank["terms"]}
        self.expect(step + ", sum", rank["score"], sum(terms.values()))
        self.expect(step + ", recency", terms.pop("recency"), item["sharedAt"] * POINTS_PER_HALF_LIFE // HALF_LIFE)
        self.expect(step, terms, expected)


def count_impressions(scenario):
    """The default display context is a summary, and a summary in a window is an impression."""
    url = scenario.link("summary")
    view = scenario.device.view(url)
    scenario.points("a view without a window", url, NOTHING)
    # Neither of the first and the third window counts, so the points show whether exactly three others did.
    scenario.show(view, IMPRESSION_TIME - 1)
    scenario.show(view, IMPRESSION_TIME)
    scenario.show(view, IMPRESSION_TIME)
    scenario.points("a short window, an impression, and a window soon after it", url, NOTHING)
    scenario.advance(IMPRESSION_INTERVAL)
    scenario.show(view, IMPRESSION_TIME)
    scenario.points("two impressions, which are free", url, NOTHING)
    scenario.advance(IMPRESSION_INTERVAL)
    scenario.show(view, IMPRESSION_TIME)
    scenario.points("three impressions", url, IGNORED)


def spend_time(scenario):
    """The time that content was shown in detail adds up."""
    url = scenario.link("detail")
    view = scenario.device.view(url, DETAIL)
    scenario.attach(view)
    scenario.points("detail in a window", url, STARTED)
    scenario.advance(CONSUMPTION_TIME - 1)
    scenario.detach(view)
    scenario.points("detail for a millisecond less than its consumption", url, STARTED)
    scenario.show(view, 1)
    scenario.points("detail until its consumption", url, CONSUMED)


def finish(scenario):
    """An app may say that the user came to the end, before the time is over."""
    url = scenario.link("finished")
    view = scenario.device.view(url, DETAIL)
    scenario.show(view, CONSUMPTION_TIME // 3)
    scenario.points("detail for ten seconds", url, STARTED)
    scenario.request("finished", 204, "POST", "/finished", {"url": url})
    scenario.points("finished content", url, CONSUMED)
    other = {"url": f"{SITE}/display-context/unknown"}
    scenario.request("finished without a highlight", 403, "POST", "/finished", other, "accessDenied")


def reply(scenario):
    """A reply counts as interaction."""
    url = scenario.link("reply")
    view = scenario.device.view(url)
    scenario.request("reply", 204, "POST", f"/attributions/{view}/menu/reply")
    scenario.points("a reply", url, INTERACTED)


def change_too_late(scenario):
    """A display context that is set in a window is too late: it counts for the next window."""
    url = scenario.link("late")
    view = scenario.device.view(url)
    scenario.attach(view)
    # The app gets its view with a finding, and the stream of the device has the reason.
    with urllib.request.urlopen(scenario.device.url + "/events", timeout=20) as stream:
        change = {"url": url, "preferences": DETAIL}
        status, answer = scenario.device.try_app("PUT", f"/attributions/{view}", change)
        scenario.expect("another context in a window", status, 200)
        codes = [finding["code"] for finding in (answer or {}).get("findings", [])]
        scenario.expect("the findings of the answer", codes, ["displayContextTooLate"])
        scenario.expect("the reason in the stream of the device", first_ignored(stream), "displayContextTooLate")
    scenario.advance(CONSUMPTION_TIME)
    scenario.points("a summary until the end of the window", url, NOTHING)
    scenario.detach(view)
    scenario.points("a summary after the window", url, NOTHING)
    scenario.attach(view)
    scenario.points("detail in the next window", url, STARTED)
    scenario.detach(view)


def first_ignored(stream):
    """Return the reason of the first ignored event in a stream of effects."""
    # The heartbeats of a stream never end, so the number of lines has a limit.
    for _, line in zip(range(100), stream):
        if line.startswith(b"data:"):
            effect = json.loads(line[len(b"data:"):])
            if effect["type"] == "eventIgnored":
                return effect["ignored"]["reason"]
    return None


def release(scenario):
    """A released view has ended, for its app and for the user."""
    view = scenario.device.view(scenario.link("released"))
    path = f"/attributions/{view}"
    scenario.request("DELETE", 204, "DELETE", path)
    change = {"url": f"{SITE}/display-context/released"}
    calls = [("GET", ""), ("PUT", ""), ("DELETE", "")]
    calls += [("POST", end) for end in ["/attach", "/detach", "/menu/reply"]]
    for method, end in calls:
        body = change if method == "PUT" else None
        scenario.request(f"{method} {end} after DELETE", 404, method, path + end, body, "unknownView")
    for end in ["", ".svg"]:
        status, _ = call("GET", f"{scenario.device.control}/v1/attributions/{view}{end}")
        scenario.expect(f"the picture{end} after DELETE", status, 404)


def order(scenario):
    """The first item has the highest score of those that are old enough."""
    scenario.advance(MINIMUM_AGE)
    first = scenario.shelf()[0]["rank"]
    scenario.expect("the first section", first["section"], "curated")
    scenario.expect("the first score", first["score"], max(each["rank"]["score"] for each in scenario.shelf()))


def main(control, apps):
    device = Device(control, apps)
    device.meet()
    scenario = Scenario(device)
    for step in [count_impressions, spend_time, finish, reply, change_too_late, release, order]:
        step(scenario)
    for failure in scenario.failures:
        print(failure)
    return 1 if scenario.failures else 0


sys.exit(main(*sys.argv[1:]))
