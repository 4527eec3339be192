# aapns, as in its documentation: one client, and a task for each notification. It sends with a certificate only.
import asyncio
import os
import pathlib
import subprocess
import tempfile
from aapns.api import Server
from aapns.config import Priority
from aapns.errors import Unregistered
from aapns.models import Alert, Notification, PushType
import program

KEYS = {"alert", "badge", "sound", "category", "thread-id", "content-available", "mutable-content"}
clients = {}


def certificate(topic):
    """Returns the file of a certificate for a topic, from the gateway's authority."""
    authority = os.environ["WAYPOST_CA_FILE"]
    file = pathlib.Path(tempfile.mkdtemp()) / "provider.pem"
    subprocess.run([os.environ["WAYPOST_PROGRAM"], "ca", "client", "--topic", topic, "--out", file, "--folder",
                    pathlib.Path(authority).parent / "ca"], check=True, stdout=subprocess.DEVNULL)
    return file


def client(topic):
    """Returns the future of the client for a topic."""
    if topic not in clients:
        server = Server(str(certificate(topic)), program.HOST, program.PORT, ca_file=os.environ["WAYPOST_CA_FILE"])
        clients[topic] = asyncio.ensure_future(server.create_client())
    return clients[topic]


async def send(message):
    aps, extra = program.parts(message, KEYS)
    alert = aps.pop("alert")
    if isinstance(alert, str):
        alert = {"body": alert}
    aps["content_available"] = bool(aps.get("content_available"))
    aps["mutable_content"] = bool(aps.get("mutable_content"))
    notification = Notification(alert=Alert(**alert), push_type=PushType(message["pushType"]), extra=extra, **aps)
    apns = await client(message["topic"])
    try:
        await apns.send_notification(
            message["token"], notification, topic=message["topic"], expiration=program.expiration(message),
            priority=Priority.normal if program.priority(message) else Priority.immediately)
    except Unregistered:
        program.remove(message)
        raise


program.each_at_once(send)
