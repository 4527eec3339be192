#!/usr/bin/env python3
"""A provider to start from: it sends the messages that it reads from standard input, one JSON object per line.

    pip install 'httpx[http2]' 'pyjwt[crypto]'
    waypost provider test -- docs/examples/providers/send.py

It passes 26 of the 30 quick trials. Its HTTP library fails the others: it reads no answers after a GOAWAY (goaway-busy),
stops if the limit of streams changes (stream-limit, shrink-to-one), and keeps a connection that only answers 500
(idle-500). Store the unregistered tokens, and the messages that are not sent yet, in your database.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import random
import ssl
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import jwt

URL = os.environ.get("WAYPOST_URL", "https://api.push.apple.com")
TOKEN_AGE = 50 * 60
"""The age in seconds at which a provider token is replaced: APNs asks for 20 to 60 minutes."""
REFUSED_KEY = {"InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken", "BadEnvironmentKeyInToken"}

Message = dict[str, Any]


class Key:
    """The key of a team, its provider token, and its connection: APNs wants a connection for each team."""

    def __init__(self, message: Message) -> None:
        self.team, self.id, self.file = message["teamID"], message["keyID"], Path(message["keyFile"])
        # All processes share the token of a key by this file (token-fleet).
        self.token_file = Path(f"{self.file}.{self.id}.token")
        self.may_replace_at = 0.0
        self.stopped = False
        # The authorities are read from a file, and no certificate is pinned (trust-change).
        trust = ssl.create_default_context(cafile=os.environ.get("WAYPOST_CA_FILE"))
        # One connection for the life of the program (no-churn). httpx obeys its limit of streams.
        self.client = httpx.AsyncClient(http1=False, http2=True, verify=trust, timeout=httpx.Timeout(10, pool=None),
                                        trust_env=False, limits=httpx.Limits(max_connections=1, keepalive_expiry=3600))
        self.first = asyncio.Lock()
        self.accepted = False

    def token(self) -> str:
        """Returns the token for the next request, signed only if there is none or the last one is old (first-use-late)."""
        if not self.is_current():
            with self.lock():
                # Another process may have signed one meanwhile.
                if not self.is_current():
                    self.sign()
        return self.token_file.read_text()

    def is_current(self) -> bool:
        return self.token_file.exists() and 0 <= time.time() - self.token_file.stat().st_mtime < TOKEN_AGE

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Lets one process at a time check the token, and sign another one."""
        with open(f"{self.token_file}.lock", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def sign(self) -> None:
        issued = int(time.time())
        text = jwt.encode({"iss": self.team, "iat": issued}, self.file.read_text(), "ES256", {"kid": self.id})
        part = Path(f"{self.token_file}.{os.getpid()}")
        part.write_text(text)
        part.chmod(0o600)
        os.utime(part, (issued, issued))
        part.replace(self.token_file)

    def replace(self, refused: str) -> bool:
        """Signs another token after ExpiredProviderToken, at most once in 5 minutes (clock-skew)."""
        with self.lock():
            if self.token_file.read_text() == refused:
                if time.monotonic() < self.may_replace_at:
                    return False
                self.may_replace_at = time.monotonic() + 300
                self.sign()
        return True

    async def post(self, message: Message, headers: dict[str, str], body: bytes) -> tuple[int, Message, str]:
        """Sends a request; the first one goes alone (first-stream-alone)."""
        async with self.first:
            if not self.accepted:
                answer = await self.post_now(message, headers, body)
                self.accepted = answer[0] == 200
                return answer
        return await self.post_now(message, headers, body)

    async def post_now(self, message: Message, headers: dict[str, str], body: bytes) -> tuple[int, Message, str]:
        token = self.token()
        answer = await self.client.post(f"{URL}/3/device/{message['token']}", content=body,
                                        headers={**headers, "authorization": f"bearer {token}"})
        try:
            return answer.status_code, answer.json() if answer.content else {}, token
        except ValueError:
            return answer.status_code, {}, token


keys: dict[tuple[str, str], Key] = {}
gone: dict[str, float] = {}
"""The time at which APNs called a device token unregistered. A back end has this in its database."""


def request(message: Message) -> tuple[dict[str, str], bytes]:
    """Returns the headers and the body for a message."""
    headers = {
        "apns-id": str(uuid.uuid4()),
        "apns-topic": message["topic"],
        "apns-push-type": message["pushType"],
        "apns-priority": "5" if message["pushType"] == "background" else "10",
        # If a message must be sent again, the device shows it once (late-answer).
        "apns-collapse-id": message["marker"],
    }
    if expiration := {"now": "0", "hour": str(int(time.time()) + 3600)}.get(message.get("expiration", "")):
        headers["apns-expiration"] = expiration
    return headers, json.dumps(message["payload"], ensure_ascii=False, separators=(",", ":")).encode()


async def deliver(message: Message) -> None:
    """Sends a message until APNs has accepted it, or it is pointless to try again."""
    key = keys.setdefault((message["teamID"], message["keyID"]), Key(message))
    headers, body = request(message)
    if len(body) > (5120 if message["pushType"] == "voip" else 4096):
        return report(message, f"{len(body)} bytes are too many")
    unanswered = 0
    delay = 1.0
    while not key.stopped and gone.get(message["token"], -1) < message["registeredAt"]:
        try:
            status, answer, token = await key.post(message, headers, body)
        except httpx.TransportError as error:
            # GOAWAY, a dead connection or no answer in time: httpx opens another connection.
            unanswered += 1
            if unanswered == 3:
                return report(message, repr(error))
            continue
        reason = answer.get("reason", "")
        if status == 200:
            return None
        if status == 410:
            # An app that was installed again has a later registration (gone-but-back).
            gone[message["token"]] = answer.get("timestamp", time.time() * 1000) / 1000
            return report(message, reason)
        if reason == "ExpiredProviderToken" and key.replace(token):
            continue
        if reason in REFUSED_KEY or reason == "ExpiredProviderToken":
            key.stopped = True
        if status != 429 and status < 500:
            # BadDeviceToken may be a mistake of ours, such as the wrong environment: the token stays stored.
            return report(message, f"{status} {reason}")
        # Apple asks for 15 minutes after a 5xx. 429 keeps the token (update-throttle).
        await asyncio.sleep(delay * random.uniform(0.9, 1.1))
        delay = min(delay * 2, 900)


def report(message: Message, text: str) -> None:
    print(f"{message['marker']}: {text}", file=sys.stderr, flush=True)


async def main() -> None:
    lines = asyncio.StreamReader(limit=2**20)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    async with asyncio.TaskGroup() as deliveries:
        while line := await lines.readline():
            deliveries.create_task(deliver(json.loads(line)))


if __name__ == "__main__":
    asyncio.run(main())
