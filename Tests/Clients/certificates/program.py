"""The part of a provider that is not its client: it reads messages, and has the table of tokens.

A token is removed when the client reports that it is gone (410), unless the device has registered later. Nothing is
sent again here: what a client does not repeat is lost.
"""

import asyncio
import json
import os
import queue
import sys
import threading
import time

URL = os.environ["WAYPOST_URL"]
HOST = os.environ["WAYPOST_HOST"]
PORT = int(os.environ["WAYPOST_PORT"])

gone = {}
"""The tokens that are gone, and since when, in milliseconds since 1970."""


def remove(message, since=None):
    """Removes the token of a message, which is gone since a time, or since now if the client does not report it."""
    gone[message["token"]] = since or time.time() * 1000


def is_registered(message):
    return message["registeredAt"] * 1000 > gone.get(message["token"], 0)


def expiration(message):
    """Returns the wished `apns-expiration`, or `None` if the message has no wish."""
    wish = message.get("expiration")
    return wish and {"now": 0, "hour": int(time.time()) + 3600}[wish]


def priority(message):
    """Returns the `apns-priority`, or `None` for the default: Apple wants 5 for a background notification."""
    return 5 if message["pushType"] == "background" else None


def given(**arguments):
    """Returns the arguments that are not `None`, so that the client uses its defaults for the others."""
    return {name: value for name, value in arguments.items() if value is not None}


def parts(message, known):
    """Returns the members of `aps` as arguments, and the members beside it, for a client that builds the payload.

    `known` are the keys of `aps` that the client has an argument for; it cannot send a message with others.
    """
    aps = dict(message["payload"].get("aps", {}))
    unknown = aps.keys() - known
    if unknown:
        raise NotImplementedError(f"the client has no argument for {', '.join(sorted(unknown))}")
    return ({key.replace("-", "_"): value for key, value in aps.items()},
            {key: value for key, value in message["payload"].items() if key != "aps"})


bearers = {}
"""The provider token of each key, and when it was signed."""


def bearer(message):
    """Returns the provider token for a client that makes none: a new one after 40 minutes."""
    import jwt
    key, now = message["keyID"], int(time.time())
    if key not in bearers or now - bearers[key][1] >= 2400:
        claims = {"iss": message["teamID"], "iat": now}
        bearers[key] = jwt.encode(claims, open(message["keyFile"]).read(), "ES256", {"kid": key}), now
    return bearers[key][0]


def report(message, error):
    print(f"{message['marker']}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)


def each(send):
    """Sends message after message."""
    for line in sys.stdin:
        message = json.loads(line)
        if is_registered(message):
            try:
                send(message)
            except Exception as error:
                report(message, error)


def each_at_once(send):
    """Sends messages as they come, without waiting for earlier ones."""
    async def attempt(message):
        try:
            await send(message)
        except Exception as error:
            report(message, error)

    async def run():
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as tasks:
            while line := await loop.run_in_executor(None, sys.stdin.readline):
                message = json.loads(line)
                if is_registered(message):
                    tasks.create_task(attempt(message))

    asyncio.run(run())


def batches():
    """Returns the messages that wait, again and again."""
    lines = queue.SimpleQueue()

    def read():
        for line in sys.stdin:
            lines.put(json.loads(line))
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    while message := lines.get():
        # The lines of a load arrive together.
        time.sleep(0.05)
        batch = [message]
        while not lines.empty() and batch[-1]:
            batch.append(lines.get())
        yield [each for each in batch if each and is_registered(each)]
        if not batch[-1]:
            return
