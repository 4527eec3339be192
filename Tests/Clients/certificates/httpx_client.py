# httpx, which is no APNs client: a connection for each team; the tokens are made by program.py.
import functools
import httpx
import program


@functools.cache
def client(team):
    return httpx.AsyncClient(http2=True, http1=False, timeout=60)


async def send(message):
    headers = program.given(
        authorization=f"bearer {program.bearer(message)}", apns_topic=message["topic"],
        apns_push_type=message["pushType"], apns_priority=program.priority(message),
        apns_expiration=program.expiration(message))
    answer = await client(message["teamID"]).post(
        f"{program.URL}/3/device/{message['token']}", json=message["payload"],
        headers={name.replace("_", "-"): str(value) for name, value in headers.items()})
    if answer.status_code == 410:
        program.remove(message, answer.json().get("timestamp"))


program.each_at_once(send)
