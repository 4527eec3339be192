# sygnal, a push gateway of Matrix. This program is its home server: it removes rejected tokens, and repeats what sygnal
# does not accept after 1, 2, 4... seconds, as Synapse does.
import base64
import concurrent.futures
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import program

TOPIC = os.environ["WAYPOST_TOPIC"]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
url = f"http://127.0.0.1:{port}"
configuration = {
    "http": {"bind_addresses": ["127.0.0.1"], "port": port},
    "log": {"setup": {"version": 1}},
    "proxy": os.environ["https_proxy"],
    "apps": {TOPIC: {"type": "apns", "keyfile": os.environ["WAYPOST_KEY_FILE"], "key_id": os.environ["WAYPOST_KEY_ID"],
                     "team_id": os.environ["WAYPOST_TEAM_ID"], "topic": TOPIC}},
}


def is_healthy():
    try:
        return urllib.request.urlopen(url + "/health", timeout=60).status == 200
    except OSError:
        return False


def notify(message):
    if message["topic"] != TOPIC or message["pushType"] != "alert":
        raise NotImplementedError("the configuration names one topic, and sygnal sends alerts only")
    pushkey = base64.b64encode(bytes.fromhex(message["token"])).decode()
    device = {"app_id": TOPIC, "pushkey": pushkey, "data": {"default_payload": message["payload"]}}
    body = {"notification": {"event_id": f"${message['marker']}", "room_id": "!room:example.com", "devices": [device]}}
    delay = 1
    while program.is_registered(message):
        try:
            with urllib.request.urlopen(url + "/_matrix/push/v1/notify", json.dumps(body).encode(), 120) as answer:
                if json.load(answer)["rejected"]:
                    program.remove(message)
                return
        except urllib.error.HTTPError as error:
            print(f"{message['marker']}: {error.code}", file=sys.stderr, flush=True)
            time.sleep(delay)
            delay = min(delay * 2, 3600)


def attempt(message):
    try:
        notify(message)
    except Exception as error:
        program.report(message, error)


with tempfile.NamedTemporaryFile("w") as file:
    json.dump(configuration, file)
    file.flush()
    server = subprocess.Popen([sys.executable, "-m", "sygnal.sygnal"], env={**os.environ, "SYGNAL_CONF": file.name},
                              stdin=subprocess.DEVNULL, stdout=sys.stderr)
    executor = concurrent.futures.ThreadPoolExecutor(100)
    try:
        while server.poll() is None and not is_healthy():
            time.sleep(0.1)
        for line in sys.stdin:
            executor.submit(attempt, json.loads(line))
    finally:
        server.terminate()
        # Messages that are still to be repeated are lost.
        os._exit(0)
