"""Provider tokens: one text for all requests of a key, also of several processes."""

from __future__ import annotations

import asyncio
import base64
import fcntl
import hashlib
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from switches import is_wrong, report

RENEWAL = 50 * 60
"""The age in seconds at which a token is replaced; APNs accepts an hour."""
EXPIRY = 58 * 60
"""The age in seconds up to which an earlier token is still used."""
BUDGET = 2
"""The number of tokens that may be signed within `BUDGET_PERIOD` seconds, however often the server refuses."""
BUDGET_PERIOD = 20 * 60
FIRST_PAUSE = 60
"""The seconds of the first pause after a refused key."""
CLOCK_AT_START = 10 * 60
"""The seconds by which faketime's clock is ahead when a trial starts the program."""


@dataclass(frozen=True)
class ProviderToken:
    text: str
    issued: int

    def is_young(self, limit: int) -> bool:
        return 0 <= time.time() - self.issued < limit


class TokenSource:
    """The provider token of a key, in a file beside the key that all processes share."""

    def __init__(self, team: str, key: str, key_file: str) -> None:
        self.team, self.key, self.key_file = team, key, key_file
        digest = hashlib.sha256(Path(key_file).read_bytes()).hexdigest()
        self.file = Path(f"{key_file}.{team}.{key}.{digest[:16]}.token")
        self.current: ProviderToken | None = None
        self.previous: ProviderToken | None = None
        self.throttled_until = 0.0
        self.signed: list[float] = []
        """The times of new tokens by the monotonic clock."""
        self.pause = 0.0
        self.paused_until = 0.0
        if is_wrong("first-use-late"):
            start = int(time.time()) - moved_seconds()
            self.current = ProviderToken(self.sign(start), start)

    def token(self, is_repeat: bool) -> ProviderToken:
        """Returns the token for the next request; makes one if there is none, or if it becomes too old."""
        if is_wrong("token-reuse") and self.current and not is_repeat:
            return ProviderToken(self.sign(int(time.time())), int(time.time()))
        if self.current and (self.current.is_young(RENEWAL) or is_wrong("token-refresh")):
            return self.current
        # A token from the future is kept until it is refused: our clock may be wrong now, or may have been.
        if self.current and self.current.issued > time.time():
            return self.current
        if self.current and self.current.is_young(EXPIRY) and not self.may_sign():
            return self.current
        return self.renew()

    def may_sign(self) -> bool:
        now = time.monotonic()
        self.signed = [at for at in self.signed if now - at < BUDGET_PERIOD]
        return now >= self.throttled_until and len(self.signed) < BUDGET or is_wrong("clock-skew")

    def renew(self) -> ProviderToken:
        """Takes the token of another process, or signs a new one for all."""
        self.previous = self.current
        if is_wrong("token-fleet"):
            self.current = self.new_token()
            return self.current
        with open(self.file, "a+", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            content = file.read()
            shared = ProviderToken(**json.loads(content)) if content else None
            if shared and shared != self.current and shared.is_young(RENEWAL):
                self.current = shared
            else:
                self.current = self.new_token()
                file.truncate(0)
                file.write(json.dumps(self.current.__dict__))
        return self.current

    def new_token(self) -> ProviderToken:
        self.signed.append(time.monotonic())
        now = int(time.time())
        return ProviderToken(self.sign(now), now)

    def sign(self, now: int) -> str:
        def part(value: dict[str, object]) -> str:
            return base64url(json.dumps(value, separators=(",", ":")).encode())

        private = serialization.load_pem_private_key(Path(self.key_file).read_bytes(), password=None)
        assert isinstance(private, ec.EllipticCurvePrivateKey)
        content = part({"alg": "ES256", "kid": self.key}) + "." + part({"iss": self.team, "iat": now})
        r, s = utils.decode_dss_signature(private.sign(content.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{content}.{base64url(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"

    def accepted(self) -> None:
        self.pause = 0.0

    def expired(self, token: ProviderToken) -> None:
        """Replaces a token that the server calls expired, unless another request has done so."""
        if token != self.current:
            return
        if self.may_sign():
            self.renew()
        else:
            self.refused("ExpiredProviderToken, also with a new token")

    def throttled(self, token: ProviderToken) -> None:
        """Goes back to the earlier token, if the server does not accept a new one yet."""
        if is_wrong("update-throttle"):
            self.renew()
            return
        self.throttled_until = time.monotonic() + BUDGET_PERIOD
        if token == self.current and self.previous and self.previous.is_young(EXPIRY):
            self.current, self.previous = self.previous, None
            # The shared file keeps the new one, which is used when this one is too old.

    def refused(self, reason: str) -> None:
        """Stops sending with this key for a while."""
        if is_wrong("clock-skew"):
            self.renew()
            return
        if self.paused_until > time.monotonic():
            return
        self.pause = min(max(self.pause * 2, FIRST_PAUSE), 3600)
        self.paused_until = time.monotonic() + self.pause
        report(f"key {self.key}: {reason}; nothing is sent with it for {self.pause:.0f} s")

    def is_paused(self) -> bool:
        return time.monotonic() < self.paused_until

    async def resumed(self) -> None:
        while self.is_paused():
            await asyncio.sleep(self.paused_until - time.monotonic())


def moved_seconds() -> int:
    """Returns the seconds by which faketime has moved the clock while this program started."""
    file = os.environ.get("FAKETIME_TIMESTAMP_FILE")
    content = Path(file).read_text().strip() if file else ""
    return int(float(content)) - CLOCK_AT_START if content else 0


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
