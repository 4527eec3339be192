# aioapns, as in its documentation: one client, and a task for each notification.
import functools
import logging
import os
from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsProductionClientProtocol
import program

logging.disable()
APNsProductionClientProtocol.APNS_SERVER = program.HOST
APNsProductionClientProtocol.APNS_PORT = program.PORT


@functools.cache
def client(team, key, file):
    return APNs(key=open(file).read(), key_id=key, team_id=team, topic=os.environ["WAYPOST_TOPIC"])


async def send(message):
    apns = client(message["teamID"], message["keyID"], message["keyFile"])
    answer = await apns.send_notification(NotificationRequest(
        device_token=message["token"], message=message["payload"], apns_topic=message["topic"],
        push_type=PushType(message["pushType"]), **program.given(
            priority=program.priority(message), time_to_live={"now": 0, "hour": 3600}.get(message.get("expiration")))))
    if answer.status == "410":
        program.remove(message, answer.timestamp)


program.each_at_once(send)
