# pyapns.py TOKEN KEYFILE KEY TEAM PORT COUNT, with the package pyapns-client
import collections, sys
from pyapns_client import APNSClient, APNSException, IOSNotification, IOSPayload, IOSPayloadAlert

token, key_file, key, team, _, count = sys.argv[1:]
client = APNSClient(mode=APNSClient.MODE_PROD, root_cert_path=None, auth_key_path=key_file, auth_key_id=key,
                    team_id=team)
answers = collections.Counter()
for number in range(int(count)):
    # Every fifth request goes to an unknown device.
    device = "00ff" if number % 5 == 4 else token
    payload = IOSPayload(alert=IOSPayloadAlert(body=f"Honk {number}"))
    try:
        client.push(IOSNotification(payload=payload, topic="com.example.clowntown"), device)
        answers["Success"] += 1
    except APNSException as error:
        since = f" since {error.timestamp_datetime}" if hasattr(error, "timestamp_datetime") else ""
        answers[type(error).__name__ + since] += 1
client.close()
for answer, times in sorted(answers.items()):
    print(answer, times)
