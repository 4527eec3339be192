# apns2_up.py TOKEN KEYFILE KEY TEAM PORT COUNT
import collections, sys
from apns2.client import APNsClient, NotificationType
from apns2.credentials import TokenCredentials
from apns2.payload import Payload

token, key_file, key, team, _, count = sys.argv[1:]
client = APNsClient(TokenCredentials(auth_key_path=key_file, auth_key_id=key, team_id=team))
answers = collections.Counter()
streams = collections.deque()


def result(stream):
    try:
        return client.get_notification_result(stream)
    except Exception as error:
        return type(error).__name__


for number in range(int(count)):
    # Every fifth request goes to an unknown device.
    device = "00ff" if number % 5 == 4 else token
    streams.append(client.send_notification_async(device, Payload(alert=f"Honk {number}"), "com.example.clowntown",
                                                  push_type=NotificationType.Alert))
    # The connection has one stream until its first answer.
    if number == 0 or len(streams) == 100:
        answers[result(streams.popleft())] += 1
answers.update(result(stream) for stream in streams)
for answer, times in sorted(answers.items(), key=str):
    print(answer, times)
