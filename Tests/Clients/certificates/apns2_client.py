# PyAPNs2, apns2-up and mopyapns, as in their documentation: a client for each team, and a batch of the messages that
# wait. A batch has one topic, push type and expiration.
import collections
import collections.abc
import functools
import itertools
import ssl
import warnings

# PyAPNs2's library hyper uses what Python 3.10 and 3.12 removed.
for name in ("Iterable", "Mapping", "MutableMapping", "MutableSet"):
    if not hasattr(collections, name):
        setattr(collections, name, getattr(collections.abc, name))
if not hasattr(ssl, "match_hostname"):
    # The TLS handshake has already checked the name.
    ssl.match_hostname = lambda certificate, name: None
warnings.simplefilter("ignore", DeprecationWarning)

from apns2.client import APNsClient, Notification, NotificationPriority, NotificationType
from apns2.credentials import TokenCredentials
from apns2.payload import Payload
import program

APNsClient.LIVE_SERVER = program.HOST
APNsClient.DEFAULT_PORT = program.PORT
KEYS = {"alert", "badge", "sound", "category", "thread-id", "content-available", "mutable-content"}


@functools.cache
def client(team, key, file):
    return APNsClient(TokenCredentials(auth_key_path=file, auth_key_id=key, team_id=team))


def group(message):
    return [message["teamID"], message["topic"], message["pushType"], message.get("expiration")]


def notification(message):
    aps, custom = program.parts(message, KEYS)
    return Notification(message["token"], Payload(**aps, custom=custom))


def send(messages):
    first = messages[0]
    priority = program.priority(first)
    results = client(first["teamID"], first["keyID"], first["keyFile"]).send_notification_batch(
        [notification(message) for message in messages], first["topic"], expiration=program.expiration(first),
        push_type=NotificationType(first["pushType"]),
        **program.given(priority=priority and NotificationPriority(str(priority))))
    for message in messages:
        # The result of a 410 is its reason and time.
        result = results.get(message["token"])
        if isinstance(result, tuple):
            program.remove(message, result[1])


for batch in program.batches():
    for _, messages in itertools.groupby(batch, group):
        messages = list(messages)
        try:
            send(messages)
        except Exception as error:
            program.report(messages[0], error)
