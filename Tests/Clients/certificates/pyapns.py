# pyapns-client, as in its documentation: one client, and push for each notification.
import functools
from pyapns_client import APNSClient, IOSNotification, IOSPayload, IOSPayloadAlert, UnregisteredException
import program

KEYS = {"alert", "badge", "sound", "category", "thread-id", "content-available", "mutable-content",
        "interruption-level", "relevance-score"}


@functools.cache
def client(team, key, file):
    return APNSClient(mode=APNSClient.MODE_PROD, root_cert_path=None, auth_key_path=file, auth_key_id=key, team_id=team)


def send(message):
    aps, custom = program.parts(message, KEYS)
    alert = aps.pop("alert", None)
    if isinstance(alert, str):
        alert = {"body": alert}
    payload = IOSPayload(alert=alert and IOSPayloadAlert(**alert), custom=custom, **aps)
    # The client passes these values to httpx, which takes texts only.
    headers = program.given(expiration=program.expiration(message), priority=program.priority(message))
    notification = IOSNotification(payload=payload, topic=message["topic"], push_type=message["pushType"],
                                   **{name: str(value) for name, value in headers.items()})
    try:
        client(message["teamID"], message["keyID"], message["keyFile"]).push(notification, message["token"])
    except UnregisteredException as refusal:
        program.remove(message, refusal.timestamp_datetime.timestamp() * 1000)
        raise


program.each(send)
