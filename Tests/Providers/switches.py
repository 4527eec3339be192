"""What the provider does wrong, by the trial of `waypost provider test` that must notice it."""

from __future__ import annotations

import sys

SWITCHES = {
    "token-reuse": "signs a provider token for each request",
    "token-refresh": "signs a new provider token only after a refusal",
    "first-use-late": "signs its provider token at the start, and renews it by a timer",
    "token-fleet": "has a provider token for each process",
    "expired-once": "loses a message whose provider token had expired",
    "update-throttle": "answers TooManyProviderTokenUpdates with another new provider token",
    "key-revoked": "repeats for ever with a refused key",
    "two-teams": "sends for all teams on one connection",
    "clock-skew": "signs a new provider token after each refusal",
    "first-stream-alone": "ignores the limit of streams until its first request is accepted",
    "stream-limit": "ignores the limit of streams once a request is accepted",
    "shrink-to-one": "loses messages that wait when the limit of streams shrinks to 1",
    "goaway-idle": "ignores a GOAWAY that arrives while nothing is open",
    "goaway-busy": "repeats every open request at a GOAWAY",
    "goaway-twice": "opens two connections for each GOAWAY frame",
    "blackhole": "has no time-outs",
    "silent-stream": "sends the next requests when all of the last are answered",
    "no-churn": "closes a connection that has nothing to send",
    "gone-410": "sends to unregistered tokens for ever",
    "gone-but-back": "ignores the time of a 410",
    "wrong-environment": "removes tokens that are answered BadDeviceToken",
    "one-bad-token": "repeats a message that is answered BadDeviceToken",
    "not-for-topic": "removes tokens that are answered DeviceTokenNotForTopic",
    "device-429": "repeats at the same rate after TooManyRequests",
    "unavailable-503": "repeats at the same rate after a 503",
    "idle-500": "stays on a connection that answers only 500",
    "unknown-reason": "ignores a 410 with a reason that it does not have in its list",
    "expiration-three": "sends the expiration as a duration",
    "late-answer": "repeats a message without an answer as another one",
    "type-topic-payload": "sends every push with priority 10",
    "payload-size": "escapes characters, and does not look at the size",
    "trust-change": "accepts only the first certificate that it has seen",
    "live-activity-life": "sends the updates of a Live Activity out of order",
}

active: set[str] = set()


def is_wrong(switch: str) -> bool:
    """Whether the provider must do what the switch says."""
    assert switch in SWITCHES, switch
    return switch in active


def report(text: str) -> None:
    """Tells the operator something."""
    print(text, file=sys.stderr, flush=True)
