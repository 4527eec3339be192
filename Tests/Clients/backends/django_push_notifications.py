# django_push_notifications.py TOKEN KEYFILE KEY TEAM PORT COUNT
import collections, logging, sys
import django
from django.conf import settings
from django.core.management import call_command

token, key_file, key, team, _, count = sys.argv[1:]
logging.disable()
settings.configure(
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "push_notifications"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    USE_TZ=True,
    PUSH_NOTIFICATIONS_SETTINGS={"APNS_AUTH_KEY_PATH": key_file, "APNS_AUTH_KEY_ID": key, "APNS_TEAM_ID": team,
                                 "APNS_TOPIC": "com.example.clowntown"},
)
django.setup()
call_command("migrate", verbosity=0)
from push_notifications.models import APNSDevice

answers = collections.Counter()


def send(devices):
    try:
        for result in devices.send_message("Honk") or []:
            answers.update(result.values())
    except Exception as error:
        answers[f"{type(error).__name__}: {error}"] += 1


for number in range(int(count)):
    # Every fifth request goes to an unknown device.
    APNSDevice.objects.create(registration_id="00ff" if number % 5 == 4 else token)
first = APNSDevice.objects.order_by("id").first()
send(APNSDevice.objects.filter(id=first.id))
send(APNSDevice.objects.exclude(id=first.id))
for answer, times in sorted(answers.items()):
    print(answer, times)
print("inactive", APNSDevice.objects.filter(active=False).count())
