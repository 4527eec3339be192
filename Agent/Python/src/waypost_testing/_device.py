"""A device, its apps, and what an app shows."""

from __future__ import annotations

import re
import time
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union
from urllib.parse import quote

from ._answer import Answer
from ._errors import StepFailed, printable
from ._step import keys, seconds

if TYPE_CHECKING:
    from ._session import Devices

# pytest shows the line of the test, not those of this file.
__tracebackhide__ = True

# A text, or a part of one: {"contains": "…"}.
Text = Union[str, Mapping[str, str]]

# An app or its bundle identifier, and a device or its name.
AppName = Union[str, "App"]
DeviceName = Union[str, "Device"]

STANDARD_WAIT = "5s"


@dataclass(frozen=True, eq=False, repr=False)
class Device:
    """A simulated device, and the user in front of it.

    The methods are the steps of docs/scenarios.md, and their arguments are the keys of these steps. Each method returns
    when everything that follows from the step has happened.
    """

    devices: Devices
    name: str

    @property
    def token(self) -> str:
        """The device token, for your provider. An app that declares `tokens` has tokens of its own: :meth:`App.token`."""
        return self.devices._tokens[self.name]

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Device({self.name!r})"

    def _step(self, action: str, arguments: Mapping[str, Any]) -> Answer:
        return self.devices.step({action: {"device": self.name, **keys(arguments)}})

    # Notifications

    def send(
        self,
        title: str | None = None,
        *,
        topic: AppName,
        body: str | None = None,
        target_content_id: str | None = None,
        payload: Mapping[str, Any] | None = None,
        push_type: str | None = None,
        priority: int | None = None,
        expiration: int | None = None,
        expires_in: str | None = None,
        collapse_id: str | None = None,
        id: str | None = None,
        count: int | None = None,
        over: str | None = None,
        token: str | None = None,
        live_activity: str | None = None,
        previous: bool | None = None,
    ) -> Answer:
        """Sends a notification to the device, and waits until the device has acknowledged it, if it is connected.

        It goes to the token of its topic. `token` names a token of another kind, such as "voip", `live_activity` that of
        the Live Activity that a notification started, and `previous` means the last one that ended.
        """
        return self.devices.step({"send": {"to": self.name, **keys(locals())}})

    def open(
        self,
        notification: str | None = None,
        *,
        action: str | None = None,
        text: str | None = None,
        url: str | None = None,
        from_app: AppName | None = None,
        page: str | None = None,
        app: AppName | None = None,
        shortcut: str | None = None,
        activity: str | None = None,
        error: str | None = None,
    ) -> Answer:
        """Opens a notification (by title or identifier), a URL, an app, a quick action, or a handed-off activity.

        A notification may take 5 seconds to arrive. With `action`, the user chooses that action of its category, and
        enters `text` if it asks for one. A URL may be followed in an app, or on a page in the browser. With `error`,
        such as "userActivityHandoffFailed", the data of the activity does not arrive.
        """
        return self._step("open", locals())

    def notifications(self) -> list[dict[str, Any]]:
        """Returns the notifications on the device, the latest last."""
        notifications: list[dict[str, Any]] = self.call("notifications")
        return notifications

    # Messages and links

    def message(
        self, text: str, *, sender: str | None = None, conversation: str | None = None, id: str | None = None
    ) -> Answer:
        """Receives a message. `sender` is a contact or a handle; without it, the user sends the message."""
        return self._step("message", locals())

    def messages(self) -> list[dict[str, Any]]:
        """Returns the messages on the device, the user's own ones included."""
        messages: list[dict[str, Any]] = self.call("messages")
        return messages

    def contact(
        self,
        id: str,
        *,
        handles: Sequence[str],
        given_name: str | None = None,
        family_name: str | None = None,
        nickname: str | None = None,
        language: str | None = None,
        photo: str | Path | None = None,
        tokens: Sequence[DeviceName] | None = None,
    ) -> Answer:
        """Adds or changes a card in Contacts. `tokens` are the person's devices, which get the user's messages.

        `photo` is the path of a PNG or JPEG of at most 1 MB, or base64. A text is a path if it ends in .png, .jpg or
        .jpeg; a relative path is relative to the working folder of the session.
        """
        arguments = dict(locals())
        if isinstance(photo, Path) or (photo and photo.lower().endswith((".png", ".jpg", ".jpeg"))):
            arguments["photo"] = b64encode((self.devices._working_folder / photo).read_bytes()).decode()
        return self._step("contact", arguments)

    def conversation(self, id: str, *, participants: Sequence[str], name: str | None = None) -> Answer:
        """Sets the participants of a conversation. A group may have a name."""
        return self._step("conversation", locals())

    def pin(self, link: str | None = None, *, message: str | None = None) -> Answer:
        """Pins a link, or all links of a message. Default: the latest message."""
        return self._step("pin", locals())

    def unpin(self, link: str | None = None, *, message: str | None = None) -> Answer:
        """Unpins a link, or all links of a message. Default: the latest message."""
        return self._step("unpin", locals())

    def consent(
        self,
        *,
        sharing: str | None = None,
        automatic: str | None = None,
        offer: str | None = None,
        app: AppName | None = None,
        conversation: str | None = None,
    ) -> Answer:
        """Turns sharing or automatic sharing ``on`` or ``off``, or answers the offer of automatic sharing."""
        return self._step("consent", locals())

    def tap(
        self, link: str | None = None, *, app: AppName | None = None, item: str | None = None, choose: str | None = None
    ) -> Answer:
        """Taps the attribution view of a link, an item of its menu, or a conversation in the disambiguation menu.

        `item="show-more"` without a link taps Show More of the shelf.
        """
        return self._step("tap", locals())

    def reply(
        self, text: str, *, link: str | None = None, app: AppName | None = None, conversation: str | None = None
    ) -> Answer:
        """Replies in the conversation that is shown over the app. With `link`, the user taps its view before."""
        return self._step("reply", locals())

    def remove(self, link: str) -> Answer:
        """Removes a link from Shared with You."""
        return self._step("remove", locals())

    def restore(self, link: str) -> Answer:
        """Undoes the removal of a link."""
        return self._step("restore", locals())

    # The device itself

    def app(self, bundle_identifier: str) -> App:
        """Returns an app of the device."""
        return App(self, bundle_identifier)

    def callbacks(
        self,
        app: AppName,
        *,
        cause: str,
        state: str,
        system: int | None = None,
        deliveries: Sequence[str] | None = None,
        calls: Sequence[str] | None = None,
        not_called: Sequence[str] | None = None,
        findings: Sequence[str] | None = None,
        minimum_source: str | None = None,
    ) -> Answer:
        """Asks which methods of an app the system calls for a cause in a state, and expects some of them.

        The names of causes and states are those of ``waypost help callbacks``; docs/scenarios.md describes the
        expectations.

        :raises StepFailed: if the cause cannot occur in the state, or an expectation is not met.
        """
        question = {"device": self, "app": app, "cause": cause, "state": state, "system": system}
        expected = keys(
            {
                "deliveries": deliveries,
                "calls": calls,
                "not_called": not_called,
                "findings": findings,
                "minimum_source": minimum_source,
            }
        )
        step: dict[str, Any] = {"callbacks": keys(question)}
        return self.devices.step({**step, "expect": expected} if expected else step)

    def handoff(self, app: AppName, to: DeviceName, *, scene: str | None = None) -> Answer:
        """Offers the activity of a scene on another device. Default: the frontmost scene."""
        return self._step("handoff", locals())

    def subscribe(self, channel: str, *, topic: AppName, stored: bool | None = None) -> Answer:
        """Subscribes the device to a broadcast channel, which the first use of the name creates."""
        return self._step("subscribe", locals())

    def network(self, state: str) -> Answer:
        """Turns the network ``on`` or ``off`` (Airplane Mode)."""
        return self._step("network", locals())

    def power(self, mode: str) -> Answer:
        """Sets the power mode: ``low`` (Low Power Mode) or ``normal``."""
        return self._step("power", locals())

    def standing(self, state: str, *, app: AppName | None = None, token: str | None = None) -> Answer:
        """Changes the answer to senders: ``active``, ``unregistered`` or ``expired`` (410), or ``wrongEnvironment``."""
        return self._step("standing", locals())

    def uninstall(self, app: AppName, *, after: str | None = None) -> Answer:
        """Removes an app. Senders to its own tokens get 410 from now on, or 200 until the time `after` is over."""
        return self._step("uninstall", locals())

    def reinstall(self, app: AppName) -> Answer:
        """Installs an app again as it was, with new tokens. If it is there, it is removed before."""
        answer = self._step("reinstall", locals())
        self._read_token()
        return answer

    def update(self, app: AppName) -> Answer:
        """Installs an app over itself, as an update does. Its tokens stay, and its process ends."""
        return self._step("update", locals())

    def rotate_token(self, app: AppName | None = None, *, token: str | None = None) -> Answer:
        """Gives the device another token, or an app one of a kind. The answer has the new and the `previous` one."""
        answer = self._step("rotate-token", locals())
        self._read_token()
        return answer

    def restore_backup(self, source: DeviceName) -> Answer:
        """Restores the backup of another device, or of this one: its apps and settings are here, and all tokens are new."""
        answer = self._step("restore-backup", {"from": source})
        self._read_token()
        return answer

    def _read_token(self) -> None:
        """Reads the token of the device, which may have changed."""
        statuses = self.call("/v1/devices")
        token = next((each.get("token") for each in statuses if each["name"] == self.name), None)
        if token is not None:
            self.devices._note_token(token, self.name)

    def fault(self, kind: str, **arguments: Any) -> Answer:
        """Makes the next requests of providers for the device fail, with the arguments in docs/provider-api.md."""
        return self._step("fault", {"kind": kind, **arguments})

    def snapshot(self, name: str) -> Answer:
        """Takes a snapshot of the device."""
        return self._step("snapshot", locals())

    def reset(self, to: str | None = None) -> Answer:
        """Resets the device to a snapshot. Default: to its description."""
        return self._step("reset", locals())

    def event(self, type: str, **fields: Any) -> Answer:
        """Applies any other event of docs/journal.md. The fields have the names that they have there."""
        return self.devices.step({"event": {"device": self.name, "type": type, **fields}})

    def call(self, path: str, *, method: str = "GET", body: Any = None) -> Any:
        """Calls the control API of docs/agent.md, and returns its answer. `path` is relative to the device."""
        return self.devices.call(self.name, path, method=method, body=body)

    # Waiting

    def never(self, *, notification: str | None = None, link: str | None = None, app: AppName | None = None) -> None:
        """Makes the test fail at its end if a notification arrived, or a link came onto the shelf of an app."""
        self.devices.step({"expect": {"never": {"device": self.name, **keys(locals())}}})

    def wait_for(
        self,
        *,
        notification: str | None = None,
        state: str | None = None,
        message: Text | None = None,
        shelf: Sequence[str] | Mapping[str, Any] | None = None,
        attribution: Text | None = None,
        offered: bool | None = None,
        visible: Sequence[str] | None = None,
        tokens: Sequence[str] | None = None,
        app: AppName | None = None,
        link: str | None = None,
        within: str = STANDARD_WAIT,
    ) -> Answer:
        """Waits until all of these expectations hold.

        A `notification`, given by title or identifier, is waited for until the device has it, also if your own provider
        sent it; the answer is this notification. With `state`, it must be in this state of the gateway's log. `visible`
        are all scenes of the app that are in the foreground, and `tokens` the kinds of all tokens that it has. `offered`
        is whether automatic sharing with the app is offered now.

        :raises StepFailed: if they do not hold in time.
        """
        states = {"message": message, "shelf": shelf, "attribution": attribution, "offered": offered}
        expected = keys({**states, "visible": visible, "tokens": tokens})
        answer = Answer()
        if state is not None:
            expected["notification"] = {"title": notification, "state": state} if notification else state
        elif notification is not None:
            answer = self._wait_for_notification(notification, within)
        elif not expected:
            raise ValueError(
                "name what to wait for: notification, state, message, shelf, attribution, offered, visible or tokens"
            )
        if expected:
            subject = keys({"device": self, "app": app, "link": link, "within": within})
            self.devices.step({"expect": {**subject, **expected}})
        return answer

    def _wait_for_notification(self, title: str, within: str) -> Answer:
        end = time.monotonic() + seconds(within)
        shown = self.notifications()
        while True:
            for notification in reversed(shown):
                if title in (notification.get("title"), notification["id"]):
                    return Answer(answer=notification)
            rest = int((end - time.monotonic()) * 1000)
            if rest <= 0:
                break
            # The call returns when there is one more, or at the latest after a second.
            shown = self.call(f"notifications?wait={len(shown) + 1}&timeout={min(rest, 1000)}ms")
        titles = ", ".join(notification.get("title", notification["id"]) for notification in shown)
        tokens = [self.token]
        # Apps may have tokens of their own. If they cannot be read, the missing notification is still the failure.
        with suppress(StepFailed):
            tokens += [each["token"] for each in self.call("tokens") if "token" in each]
        pages = [self.devices.call("gateway", f"/v1/notifications?token={token}") for token in tokens]
        records = sorted((each for page in pages for each in page["notifications"]), key=lambda each: each["sequence"])
        log = [self._log_line(each) for each in records[-5:]]
        raise StepFailed(
            f"{self} has no notification '{title}' after {within}; it has{f': {titles}' if titles else ' none'}",
            explanation="\n".join([f"The gateway's log of {self}:", *(log or ["  nothing was sent to its token"])]),
        )

    @staticmethod
    def _log_line(record: Mapping[str, Any]) -> str:
        cause = f", {record['reason']}: {record['message']}" if "reason" in record and "message" in record else ""
        line = f"{record.get('id', '–')}: {record['state']}, for {record.get('topic', '–')}{cause}"
        return f"  {printable(line)}"


@dataclass(frozen=True, repr=False)
class App:
    """An app on a device."""

    device: Device
    bundle_identifier: str

    def __str__(self) -> str:
        return self.bundle_identifier

    def __repr__(self) -> str:
        return f"App({self.bundle_identifier!r} on {self.device})"

    @property
    def shelf(self) -> Shelf:
        """The shelf of the app."""
        return Shelf(self)

    def attribution(self, link: str) -> Attribution:
        """Returns the attribution view of a link."""
        return Attribution(self, link)

    def token(self, kind: str = "app", *, name: str | None = None) -> str:
        """Returns the token of a kind that the app has now. A Live Activity, a channel and a control have a `name`.

        :raises StepFailed: if the app has no such token, or several.
        """
        tokens = self.device.call("tokens")
        if any("token" not in each for each in tokens):
            # The gateway has not assigned all of them yet.
            tokens = self.device.call(f"tokens?wait={len(tokens)}&timeout={STANDARD_WAIT}")
        tokens_of_app = [each for each in tokens if each["purpose"]["app"] == str(self) and "token" in each]
        matching_tokens = [
            each["token"]
            for each in tokens_of_app
            if each["purpose"]["kind"] == kind and name in (None, each["purpose"].get("name"))
        ]
        if len(matching_tokens) != 1:
            kinds = ", ".join(each["purpose"]["kind"] for each in tokens_of_app) or "none"
            count = f"{len(matching_tokens)} tokens" if matching_tokens else "no token"
            raise StepFailed(f"{self} on {self.device} has {count} '{kind}'; its tokens: {kinds}")
        token: str = matching_tokens[0]
        self.device.devices._token_names[token] = f"{self.device}/{kind}"
        return token

    def open(self, *, shortcut: str | None = None) -> Answer:
        """Opens the app, or performs one of its quick actions."""
        return self.device.open(app=self, shortcut=shortcut)

    def attach(self, file: str | Path | None = None) -> Answer:
        """Attaches a process of the app, which does what an app file says. Without one, it only takes activations."""
        return self._step({"attach": file or self})

    def kill(self) -> Answer:
        """Kills the attached process."""
        return self._step({"kill": self})

    def view(
        self, url: str, *, duration: str | None = None, context: str | None = None, finishes: bool | None = None
    ) -> Answer:
        """Shows the content of a link, for a time of the virtual clock."""
        return self._step({"view": url, "app": self, "duration": duration, "context": context, "finishes": finishes})

    def _step(self, arguments: Mapping[str, Any]) -> Answer:
        return self.device.devices.step({"app": {"device": self.device, **keys(arguments)}})


@dataclass(frozen=True)
class Shelf:
    """The links that an app got from Messages."""

    app: App

    @property
    def links(self) -> list[str]:
        """The links that are there now, in order. To wait for them, use :func:`expect`."""
        return [item["highlight"]["url"] for item in self.app.device.call(f"apps/{self.app}/shelf")["items"]]

    @property
    def title(self) -> str:
        """The title of the shelf in the app's language (`highlightCollectionTitle`)."""
        title: str = self.app.device.call(f"apps/{self.app}/shelf")["highlightCollectionTitle"]
        return title


@dataclass(frozen=True)
class Attribution:
    """The view that shows who shared a link. The device draws it; the app does not know its text."""

    app: App
    link: str

    @property
    def text(self) -> str:
        """The text of the view now. To wait for it, use :func:`expect`."""
        text: str = self.app.device.call(f"apps/{self.app}/attribution?url={quote(self.link, safe='')}")["text"]
        # Invisible characters isolate names from the text around them.
        return re.sub("[\u2066-\u2069]", "", text)
