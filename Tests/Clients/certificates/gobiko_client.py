# gobiko.apns, as in its documentation: one client, and send_message for each notification.
import collections
import collections.abc
import functools
import os
import ssl
import warnings

# The client's library hyper uses what Python 3.10 and 3.12 removed.
for name in ("Iterable", "Mapping", "MutableMapping", "MutableSet"):
    setattr(collections, name, getattr(collections.abc, name))
if not hasattr(ssl, "match_hostname"):
    # The TLS handshake has already checked the name.
    ssl.match_hostname = lambda certificate, name: None
warnings.simplefilter("ignore", DeprecationWarning)

from gobiko.apns import APNsClient
from gobiko.apns.exceptions import Unregistered
import program

KEYS = {"alert", "badge", "sound", "category", "content-available", "mutable-content"}


@functools.cache
def client(team, key, file, topic):
    apns = APNsClient(team_id=team, auth_key_id=key, auth_key_filepath=file, bundle_id=topic)
    # The client's library hyper uses TLS only for port 443.
    apns.host = os.environ["WAYPOST_PLAINTEXT_URL"].removeprefix("http://")
    return apns


def send(message):
    aps, extra = program.parts(message, KEYS)
    apns = client(message["teamID"], message["keyID"], message["keyFile"], message["topic"])
    try:
        apns.send_message(message["token"], aps.pop("alert", None), extra=extra, push_type=message["pushType"], **aps,
                          **program.given(expiration=program.expiration(message), priority=program.priority(message)))
    except Unregistered:
        program.remove(message)
        raise


program.each(send)
