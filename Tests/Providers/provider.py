#!/usr/bin/env python3
"""A provider for the tests of `waypost provider test`: right by default, and wrong in one way with `--wrong TRIAL`.

It reads a message per line from standard input, and sends it to WAYPOST_URL. It persists in memory what a back end
has in its database: the device tokens that are unregistered.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import random
import ssl
import sys
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

from connection import Answer, Connection, NoAnswer, NotProcessed
from switches import SWITCHES, active, is_wrong, report
from tokens import ProviderToken, TokenSource

LONGEST_PAUSE = 30
MAXIMUM_TRIES = 3
"""The number of times that a message is sent if no answer arrives."""
BATCH = 20
"""The number of requests in a batch of the switch `silent-stream`."""
REFUSED_KEY = {"InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken", "BadEnvironmentKeyInToken",
               "ExpiredProviderToken", "BadEnvironmentKeyIdInToken"}


@dataclass
class Device:
    """What the provider has stored about a device token."""

    gone_at: float | None = None
    """The time of its 410, in seconds since 1970."""
    pause: float = 0.0
    """The seconds between two requests, after TooManyRequests."""
    ready_at: float = 0.0
    slowed_at: float = 0.0
    updates: int = 0
    """The number of updates of a Live Activity."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def slow_down(self, sent_at: float) -> None:
        """Doubles the pause, once for all requests that were sent before the last time."""
        now = time.monotonic()
        if sent_at >= self.slowed_at:
            self.pause = min(max(self.pause * 2, 1), LONGEST_PAUSE)
            self.slowed_at = now
        self.ready_at = now + self.pause

    def accepted(self) -> None:
        if self.pause:
            self.pause = self.pause / 4 if self.pause > 1 else 0
            self.ready_at = time.monotonic() + self.pause

    async def ready(self) -> None:
        while time.monotonic() < self.ready_at:
            await asyncio.sleep(self.ready_at - time.monotonic())


@dataclass
class Message:
    """A message to send, and its state."""

    marker: str
    token: str
    registered_at: int
    topic: str
    push_type: str
    expiration: str | None
    payload: Any
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    arrived_at: int = field(default_factory=lambda: int(time.time()))
    tries: int = 0
    unanswered: int = 0
    was_throttled: bool = False

    @classmethod
    def from_line(cls, line: dict[str, Any]) -> Message:
        return cls(line["marker"], line["token"], line["registeredAt"], line["topic"], line["pushType"],
                   line.get("expiration"), line["payload"])

    def body(self) -> bytes:
        return json.dumps(self.payload, separators=(",", ":"), ensure_ascii=is_wrong("payload-size")).encode()

    def maximum_size(self) -> int:
        return 5120 if self.push_type == "voip" else 4096

    def headers(self) -> list[tuple[str, str]]:
        headers = [("apns-id", self.id), ("apns-topic", self.topic), ("apns-push-type", self.push_type),
                   ("apns-priority", self.priority())]
        if expiration := self.expiration_header():
            headers.append(("apns-expiration", expiration))
        # If no answer arrives, the message is repeated. The device shows it once, because it is the same.
        collapse = str(uuid.uuid4()) if is_wrong("late-answer") else self.marker
        return headers + [("apns-collapse-id", collapse)]

    def priority(self) -> str:
        return "5" if self.push_type == "background" and not is_wrong("type-topic-payload") else "10"

    def expiration_header(self) -> str | None:
        if self.expiration == "hour":
            return "3600" if is_wrong("expiration-three") else str(self.arrived_at + 3600)
        # A late call is worthless.
        is_call = self.expiration is None and self.push_type in ("voip", "pushtotalk")
        return "0" if self.expiration == "now" or is_call else None


class Pool:
    """The connection for the requests of a key, replaced if it ends."""

    def __init__(self, url: str, ca_file: str | None) -> None:
        self.url, self.ca_file = url, ca_file
        self.connection: Connection | None = None
        self.spares: list[Connection] = []
        self.opening = asyncio.Lock()
        self.pinned: str | None = None
        self.failures = 0
        self.batch = 0
        self.background: set[asyncio.Task[None]] = set()

    async def usable(self) -> Connection:
        if spares := [spare for spare in self.spares if spare.is_usable]:
            return random.choice(spares)
        async with self.opening:
            while self.connection is None or not self.connection.is_usable:
                try:
                    self.connection = await Connection.open(self.url, self.trust(), self.on_goaway)
                    self.check_pin(self.connection)
                    self.failures = 0
                except OSError as error:
                    report(f"no connection to {self.url}: {error}")
                    self.failures += 1
                    await asyncio.sleep(pause_after(self.failures))
            return self.connection

    def trust(self) -> ssl.SSLContext | None:
        """Reads the trusted authorities, which may have changed since the last connection."""
        if self.url.startswith("http:"):
            return None
        context = ssl.create_default_context(cafile=self.ca_file)
        context.set_alpn_protocols(["h2"])
        return context

    def check_pin(self, connection: Connection) -> None:
        tls = connection.writer.get_extra_info("ssl_object")
        if tls is None or not is_wrong("trust-change"):
            return
        digest = hashlib.sha256(tls.getpeercert(binary_form=True)).hexdigest()
        self.pinned = self.pinned or digest
        if digest != self.pinned:
            connection.retire()
            raise OSError("the certificate is another one")

    def on_goaway(self) -> None:
        if is_wrong("goaway-twice"):
            for _ in range(2):
                task = asyncio.create_task(self.open_spare())
                self.background.add(task)

    async def open_spare(self) -> None:
        self.spares.append(await Connection.open(self.url, self.trust(), self.on_goaway))

    async def connection_with_room(self, tokens: TokenSource) -> Connection:
        """Waits until another request may be sent. Raises LookupError if the message is lost (`shrink-to-one`)."""
        while True:
            await tokens.resumed()
            connection = await self.usable()
            if tokens.is_paused() or not connection.is_usable:
                continue
            if is_wrong("shrink-to-one") and connection.is_at_shrunk_limit():
                raise LookupError("too many streams")
            if connection.has_room() and not self.must_await_batch(connection):
                return connection
            await connection.wait_for_change()

    def must_await_batch(self, connection: Connection) -> bool:
        if not is_wrong("silent-stream"):
            return False
        self.batch = self.batch + 1 if connection.streams else 1
        return self.batch > BATCH

    async def send(self, message: Message, tokens: TokenSource) -> tuple[Answer, ProviderToken]:
        connection = await self.connection_with_room(tokens)
        token = tokens.token(is_repeat=message.was_throttled)
        headers = [(":method", "POST"), (":scheme", self.url.split(":")[0]), (":path", f"/3/device/{message.token}"),
                   (":authority", self.url.split("/")[2]), ("authorization", f"bearer {token.text}"),
                   *message.headers()]
        number, stream = connection.begin(headers, message.body())
        try:
            return await connection.answer(number, stream), token
        finally:
            if is_wrong("no-churn"):
                task = asyncio.create_task(self.close_if_idle(connection))
                self.background.add(task)

    async def close_if_idle(self, connection: Connection) -> None:
        await asyncio.sleep(0.2)
        if not connection.streams:
            connection.retire()


class Provider:
    """The provider: devices, keys, and a task for each message."""

    def __init__(self, url: str, ca_file: str | None) -> None:
        self.url, self.ca_file = url, ca_file
        self.devices: dict[str, Device] = {}
        self.keys: dict[tuple[str, str], TokenSource] = {}
        self.pools: dict[str, Pool] = {}

    def token_source(self, team: str, key: str, key_file: str) -> TokenSource:
        if (team, key) not in self.keys:
            self.keys[team, key] = TokenSource(team, key, key_file)
        return self.keys[team, key]

    def pool(self, team: str, key: str) -> Pool:
        # APNs accepts only related keys of a team on a connection.
        name = "" if is_wrong("two-teams") else f"{team}.{key}"
        return self.pools.setdefault(name, Pool(self.url, self.ca_file))

    async def deliver(self, line: dict[str, Any]) -> None:
        """Sends a message until it is accepted, or it is pointless to try again."""
        message = Message.from_line(line)
        if len(message.body()) > message.maximum_size() and not is_wrong("payload-size"):
            report(f"{message.marker}: {len(message.body())} bytes are too many for {message.push_type}")
            return
        tokens = self.token_source(line["teamID"], line["keyID"], line["keyFile"])
        pool = self.pool(line["teamID"], line["keyID"])
        device = self.devices.setdefault(message.token, Device())
        if message.push_type != "liveactivity":
            await self.repeat(message, device, tokens, pool)
        elif is_wrong("live-activity-life"):
            device.updates += 1
            await asyncio.sleep(device.updates % 2)
            await self.repeat(message, device, tokens, pool)
        else:
            # An update must not overtake an earlier one.
            async with device.turn:
                await self.repeat(message, device, tokens, pool, has_turn=True)

    async def repeat(
        self, message: Message, device: Device, tokens: TokenSource, pool: Pool, *, has_turn: bool = False
    ) -> None:
        while True:
            if self.is_gone(message, device):
                return
            if device.pause and not has_turn:
                async with device.turn:
                    await device.ready()
                    pause = await self.attempt(message, device, tokens, pool)
            else:
                await device.ready()
                pause = await self.attempt(message, device, tokens, pool)
            if pause is None:
                return
            await asyncio.sleep(pause)

    def is_gone(self, message: Message, device: Device) -> bool:
        return device.gone_at is not None and device.gone_at >= message.registered_at

    async def attempt(self, message: Message, device: Device, tokens: TokenSource, pool: Pool) -> float | None:
        """Sends once. Returns the pause before the next try, or None if this was the last one."""
        sent_at = time.monotonic()
        try:
            answer, token = await pool.send(message, tokens)
        except NotProcessed:
            return 0
        except NoAnswer as error:
            message.unanswered += 1
            if message.unanswered < MAXIMUM_TRIES:
                return 0
            report(f"{message.marker}: {error}, {message.unanswered} times")
            return None
        except LookupError:
            return None
        message.tries += 1
        if answer.status == 200:
            device.accepted()
            tokens.accepted()
            return None
        return self.pause_after_refusal(message, device, answer, tokens, token, sent_at)

    def pause_after_refusal(
        self, message: Message, device: Device, answer: Answer, tokens: TokenSource, token: ProviderToken, sent_at: float
    ) -> float | None:
        match answer.status, answer.reason:
            case 403, reason if reason in REFUSED_KEY:
                return self.pause_after_refused_token(message, reason, tokens, token)
            case 429, "TooManyProviderTokenUpdates":
                message.was_throttled = True
                tokens.throttled(token)
                return 0.1 if is_wrong("update-throttle") else pause_after(message.tries)
            case 429, _:
                if is_wrong("device-429"):
                    return 0.5
                device.slow_down(sent_at)
                return 0
            case status, _ if status >= 500:
                self.retire_if_broken(answer)
                return 0.2 if is_wrong("unavailable-503") and status == 503 else pause_after(message.tries)
            case 410, _:
                self.remove(device, message, answer)
                return None
            case 400, "BadDeviceToken" if is_wrong("one-bad-token") and message.tries < 5:
                return 0.2
            case 400, "BadDeviceToken" if is_wrong("wrong-environment"):
                device.gone_at = float("inf")
            case 400, "DeviceTokenNotForTopic" if is_wrong("not-for-topic"):
                device.gone_at = float("inf")
        # The token may belong to the other environment or app, by a mistake of ours: it is kept.
        report(f"{message.marker}: {answer.status} {answer.reason}")
        return None

    def pause_after_refused_token(
        self, message: Message, reason: str, tokens: TokenSource, token: ProviderToken
    ) -> float | None:
        if reason == "ExpiredProviderToken":
            tokens.expired(token)
            return None if is_wrong("expired-once") else 0
        if is_wrong("key-revoked"):
            return 0.05
        tokens.refused(reason)
        return None if is_wrong("clock-skew") else 0

    def retire_if_broken(self, answer: Answer) -> None:
        # A connection that was idle for long may answer only 500. A server that shuts down accepts nothing more.
        is_broken = answer.connection.failures > 1 and not is_wrong("idle-500")
        if is_broken or answer.reason == "Shutdown":
            answer.connection.retire()

    def remove(self, device: Device, message: Message, answer: Answer) -> None:
        is_listed = answer.reason in ("Unregistered", "ExpiredToken")
        if is_wrong("gone-410") or (is_wrong("unknown-reason") and not is_listed):
            return
        gone_at = float("inf") if is_wrong("gone-but-back") else answer.timestamp or time.time()
        device.gone_at = max(gone_at, device.gone_at or 0)
        report(f"{message.token[:8]}…: {answer.reason}" + ("" if gone_at < message.registered_at else ", removed"))


def pause_after(tries: int) -> float:
    """Returns a pause that doubles with each try, with jitter. APNs asks for 15 minutes; tests have no time for that."""
    return min(2.0 ** (tries - 1), LONGEST_PAUSE) * random.uniform(0.9, 1.1)


def report_error(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        report(f"a defect of this provider: {error!r}")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", choices=SWITCHES, help="do the wrong thing that this trial must notice")
    if switch := parser.parse_args().wrong:
        active.add(switch)
        report(f"This provider {SWITCHES[switch]}.")
    provider = Provider(os.environ["WAYPOST_URL"], os.environ.get("WAYPOST_CA_FILE"))
    provider.token_source(os.environ["WAYPOST_TEAM_ID"], os.environ["WAYPOST_KEY_ID"], os.environ["WAYPOST_KEY_FILE"])

    lines = asyncio.StreamReader(limit=2**20)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    deliveries: set[asyncio.Task[None]] = set()
    while line := await lines.readline():
        task = asyncio.create_task(provider.deliver(json.loads(line)))
        deliveries.add(task)
        task.add_done_callback(deliveries.discard)
        task.add_done_callback(report_error)
    # The run is over: it waits a little for the rest.
    if deliveries:
        await asyncio.wait(deliveries, timeout=4)


if __name__ == "__main__":
    asyncio.run(main())
