# django-push-notifications, as in its documentation: its own table of devices, and send_message. It sends with aioapns.
import logging
import os
import django
from django.conf import settings
from django.core.management import call_command
from aioapns.connection import APNsProductionClientProtocol
import program

logging.disable()
APNsProductionClientProtocol.APNS_SERVER = program.HOST
APNsProductionClientProtocol.APNS_PORT = program.PORT
TOPIC = os.environ["WAYPOST_TOPIC"]
settings.configure(
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "push_notifications"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    USE_TZ=True,
    PUSH_NOTIFICATIONS_SETTINGS={
        "APNS_AUTH_KEY_PATH": os.environ["WAYPOST_KEY_FILE"], "APNS_AUTH_KEY_ID": os.environ["WAYPOST_KEY_ID"],
        "APNS_TEAM_ID": os.environ["WAYPOST_TEAM_ID"], "APNS_TOPIC": TOPIC},
)
django.setup()
call_command("migrate", verbosity=0)
from push_notifications.models import APNSDevice

KEYS = {"alert", "badge", "sound", "category", "thread-id", "content-available", "mutable-content"}
registered = {}


def send(message):
    if message["topic"] != TOPIC:
        raise NotImplementedError("the settings name one topic and team")
    if registered.get(message["token"], 0) < message["registeredAt"]:
        registered[message["token"]] = message["registeredAt"]
        APNSDevice.objects.update_or_create(registration_id=message["token"], defaults={"active": True})
    aps, extra = program.parts(message, KEYS)
    APNSDevice.objects.filter(registration_id=message["token"]).send_message(
        aps.pop("alert", None), extra=extra, **aps,
        **program.given(expiration=program.expiration(message), priority=program.priority(message)))


program.each(send)
