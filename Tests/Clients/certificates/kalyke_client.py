# kalyke, as in its documentation: one client, and send_message for each notification.
import functools
from kalyke import ApnsClient, ApnsConfig, ApnsPriority, ApnsPushType
from kalyke.exceptions import ApnsProviderException
import program


@functools.cache
def client(team, key, file):
    return ApnsClient(use_sandbox=False, team_id=team, auth_key_id=key, auth_key_filepath=file)


async def send(message):
    priority = program.priority(message)
    config = ApnsConfig(topic=message["topic"], push_type=ApnsPushType(message["pushType"]),
                        **program.given(priority=priority and ApnsPriority(priority),
                                        expiration=program.expiration(message)))
    try:
        await client(message["teamID"], message["keyID"], message["keyFile"]).send_message(
            device_token=message["token"], payload=message["payload"], apns_config=config)
    except ApnsProviderException as refusal:
        if type(refusal).__name__ in ("Unregistered", "ExpiredToken"):
            program.remove(message, refusal.error.get("timestamp"))
        raise


program.each_at_once(send)
