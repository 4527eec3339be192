# simple-apns, as in its documentation: one client for each topic, and send_notification for each notification.
import functools
from simple_apns import APNSClient, APNSTokenError
import program


@functools.cache
def client(team, key, file, topic):
    return APNSClient(team_id=team, auth_key_id=key, auth_key_path=file, bundle_id=topic)


def send(message):
    apns = client(message["teamID"], message["keyID"], message["keyFile"], message["topic"])
    try:
        apns.send_notification(device_token=message["token"], payload=message["payload"], push_type=message["pushType"],
                               **program.given(expiration=program.expiration(message),
                                               priority=program.priority(message)))
    except APNSTokenError as refusal:
        # The error is the same for BadDeviceToken; only its text differs.
        if str(refusal).startswith("Token is no longer valid"):
            program.remove(message)
        raise


program.each(send)
