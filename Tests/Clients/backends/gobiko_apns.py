# gobiko_apns.py TOKEN KEYFILE KEY TEAM PORT COUNT
import collections, collections.abc, ssl, sys, warnings

# The client's library hyper uses what Python 3.10 and 3.12 removed.
for name in ("Iterable", "Mapping", "MutableMapping", "MutableSet"):
    setattr(collections, name, getattr(collections.abc, name))
if not hasattr(ssl, "match_hostname"):
    # The TLS handshake has already checked the name.
    ssl.match_hostname = lambda certificate, name: None
warnings.simplefilter("ignore", DeprecationWarning)
from gobiko.apns import APNsClient

token, key_file, key, team, _, count = sys.argv[1:]
client = APNsClient(team_id=team, auth_key_id=key, auth_key_filepath=key_file, bundle_id="com.example.clowntown")
answers = collections.Counter()
for number in range(int(count)):
    # Every fifth request goes to an unknown device.
    device = "00ff" if number % 5 == 4 else token
    try:
        client.send_message(device, f"Honk {number}")
        answers["Success"] += 1
    except Exception as error:
        answers[type(error).__name__] += 1
for answer, times in sorted(answers.items()):
    print(answer, times)
