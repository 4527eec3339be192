# sygnal.py TOKEN KEYFILE KEY TEAM PORT COUNT
import base64, collections, concurrent.futures, json, os, socket, subprocess, sys, tempfile, time
import urllib.error, urllib.request

token, key_file, key, team, _, count = sys.argv[1:]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
url = f"http://127.0.0.1:{port}"
configuration = {
    "http": {"bind_addresses": ["127.0.0.1"], "port": port},
    "log": {"setup": {"version": 1}},
    "proxy": os.environ["https_proxy"],
    "apps": {"com.example.clowntown": {"type": "apns", "keyfile": key_file, "key_id": key, "team_id": team,
                                       "topic": "com.example.clowntown"}},
}


def is_healthy():
    try:
        return urllib.request.urlopen(url + "/health", timeout=60).status == 200
    except OSError:
        return False


def notify(number):
    # Every fifth request goes to an unknown device.
    pushkey = base64.b64encode(bytes.fromhex("00ff" if number % 5 == 4 else token)).decode()
    device = {"app_id": "com.example.clowntown", "pushkey": pushkey}
    body = {"notification": {"event_id": f"${number}", "room_id": "!room:example.com", "devices": [device]}}
    try:
        with urllib.request.urlopen(url + "/_matrix/push/v1/notify", json.dumps(body).encode(), 120) as answer:
            return "rejected" if json.load(answer)["rejected"] else "accepted"
    except urllib.error.HTTPError as error:
        return f"{error.code} {error.read().decode()}".strip()


with tempfile.NamedTemporaryFile("w") as file:
    json.dump(configuration, file)
    file.flush()
    variables = {**os.environ, "SYGNAL_CONF": file.name}
    server = subprocess.Popen([sys.executable, "-m", "sygnal.sygnal"], env=variables, stderr=subprocess.DEVNULL)
    try:
        while server.poll() is None and not is_healthy():
            time.sleep(0.1)
        answers = collections.Counter([notify(0)])
        with concurrent.futures.ThreadPoolExecutor(50) as executor:
            answers.update(executor.map(notify, range(1, int(count))))
    finally:
        server.terminate()
        server.wait()
for answer, times in sorted(answers.items()):
    print(f"{answer}: {times}")
