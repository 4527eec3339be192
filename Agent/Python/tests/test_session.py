"""Steps, events, and a provider of one's own."""

import json
import ssl
import urllib.request
from base64 import b64encode
from pathlib import Path

import pytest

from waypost_testing import App, Device, Devices, Gateway, StepFailed, StepRefused, expect

CLOWN_TOWN = "com.example.clowntown"
CRUSTY = "https://clowntown.example/clowns/crusty"
LASSO = "https://tv.example/shows/lasso"
PIE = "https://tv.example/shows/pie-in-the-sky"
TOWN = "../../../docs/examples/town"


def push(gateway: Gateway, device: Device, title: str) -> int:
    """Sends a notification as a provider does, with the standard library (HTTP/1.1 and TLS)."""
    request = urllib.request.Request(
        f"{gateway.provider}/3/device/{device.token}",
        json.dumps({"aps": {"alert": {"title": title}, "target-content-id": CRUSTY}}).encode(),
        {"apns-topic": CLOWN_TOWN, "apns-push-type": "alert"},
    )
    with urllib.request.urlopen(request, context=ssl.create_default_context(cafile=gateway.ca)) as answer:
        status: int = answer.status
        return status


def test_own_provider(gateway: Gateway, devices: Devices, device: Device) -> None:
    assert push(gateway, device, "Crusty is near") == 200
    notification = device.wait_for(notification="Crusty is near").answer
    assert notification["targetContentIdentifier"] == CRUSTY
    expect(device).notification(notification["id"])
    expect(device).shown("immediate")
    expect(device).sound("none")
    expect(device).thread("none")
    expect(device).badge(0)
    expect(device).reloads(widgets=0, file_provider=0)
    with pytest.raises(StepFailed, match="expected reloads.widgets 1, got 0"):
        expect(device).reloads(widgets=1, app=CLOWN_TOWN, within="100ms")
    with pytest.raises(StepFailed, match="expected shown list, got immediate"):
        expect(device).shown("list", within="100ms")
    expect(device.open("Crusty is near")).scene("crusty-detail")
    expect(devices).sender(connections=1, requests=1, answers={200: 1})
    expect(devices).delivered_once()


def test_fault(device: Device, devices: Devices) -> None:
    device.fault("respond", reason="TooManyRequests", times=1)
    with pytest.raises(StepFailed, match="the gateway rejected what was sent: TooManyRequests"):
        device.send("Crusty is near", topic=CLOWN_TOWN, over="provider")
    device.send("Crusty is near", topic=CLOWN_TOWN, over="provider")
    expect(devices).sender(retried_after_429=True, answers={200: 1, 429: 1})


def test_standing(device: Device, gateway: Gateway, devices: Devices) -> None:
    answer = device.standing("unregistered").answer
    assert (answer["standing"], answer["token"]) == ("unregistered", device.token)
    for state, reason in [("unregistered", "Unregistered"), ("expired", "ExpiredToken"), ("wrongEnvironment", "BadDeviceToken")]:
        device.standing(state)
        with pytest.raises(StepFailed, match=f"the gateway rejected what was sent: {reason}"):
            device.send("Crusty is near", topic=CLOWN_TOWN, over="provider")
    device.standing("active")
    assert push(gateway, device, "Crusty is near") == 200
    expect(devices).sender(answers={200: 1, 400: 1, 410: 2})
    with pytest.raises(StepRefused, match="'state' is 'gone'; use active, unregistered, expired or wrongEnvironment"):
        device.standing("gone")


BAKERY = "com.example.bakery"
PHONE = {"name": "Phone", "apps": [{"bundleIdentifier": BAKERY, "backgroundModes": ["voip"], "tokens": ["app", "voip"], "scenes": []}]}


@pytest.mark.waypost_devices(PHONE)
def test_tokens_of_an_app(device: Device, devices: Devices, app: App) -> None:
    first = app.token()
    assert len({device.token, first, app.token("voip")}) == 3
    device.send("Bread", topic=BAKERY)
    with pytest.raises(StepFailed, match="DeviceTokenNotForTopic"):
        device.send("Bread", topic=BAKERY, token="voip")
    with pytest.raises(StepFailed, match="com.example.bakery on Phone has no token 'control'; its tokens: app, voip"):
        app.token("control")
    device.standing("expired", token="voip")
    with pytest.raises(StepFailed, match="ExpiredToken"):
        device.send("Ted calls", topic=f"{BAKERY}.voip", push_type="voip")

    device.uninstall(app, after="1h")
    device.wait_for(tokens=[], app=app)
    device.send("Lost", topic=BAKERY)
    device.wait_for(state="dropped")
    devices.advance("1h")
    with pytest.raises(StepFailed, match="Unregistered"):
        device.send("Gone", topic=BAKERY)

    device.reinstall(app)
    device.wait_for(tokens=["voip", "app"], app=app)
    assert app.token() != first
    answer = device.rotate_token(app, token="voip").answer
    assert answer["token"] == app.token("voip") != answer["previous"]
    device.update(app)
    assert app.token("voip") == answer["token"]
    device.send("Ted calls", topic=f"{BAKERY}.voip", push_type="voip")
    with pytest.raises(StepFailed, match="Unregistered"):
        device.send("Ted calls", topic=f"{BAKERY}.voip", push_type="voip", previous=True)


def test_another_token_of_a_device(device: Device, gateway: Gateway) -> None:
    first = device.token
    answer = device.rotate_token().answer
    assert (answer["previous"], answer["token"]) == (first, device.token)
    assert first != device.token
    assert push(gateway, device, "Crusty is near") == 200
    device.wait_for(notification="Crusty is near")
    with pytest.raises(StepFailed, match="Unregistered"):
        device.send("Old", topic=CLOWN_TOWN, previous=True)


@pytest.mark.waypost_devices(PHONE, {"name": "New phone", "apps": []})
def test_backup_on_another_device(device: Device, devices: Devices, app: App) -> None:
    new = devices["New phone"]
    before = [device.token, app.token(), app.token("voip"), new.token]
    restoration = new.restore_backup(device).answer
    restored = new.app(BAKERY)
    assert [each.get("token") for each in restoration["tokens"]] == [new.token, restored.token(), restored.token("voip")]
    assert (restoration["from"], restoration["tokens"][0]["previous"]) == ("Phone", before[3])
    assert not {new.token, restored.token(), restored.token("voip")} & set(before)
    assert before[:3] == [device.token, app.token(), app.token("voip")]
    new.send("Bread", topic=BAKERY)
    device.send("Bread", topic=BAKERY)


def test_keys_of_a_notification(device: Device, devices: Devices) -> None:
    device.network("off")
    device.send("Old", topic=CLOWN_TOWN, collapse_id="clowns", expires_in="1h", priority=5, push_type="alert")
    device.send("New", topic=CLOWN_TOWN, collapse_id="clowns", body="Honk")
    expect(device).notification("New", state="stored")
    expect(device).notification("Old", state="collapsed")
    device.send(topic=CLOWN_TOWN, payload={"aps": {"alert": {"title": "Whole"}}}, expires_in="10m")
    device.wait_for(state="stored")
    devices.advance("20m")
    device.network("on")
    assert [each["title"] for each in device.notifications()] == ["New"]


@pytest.mark.waypost_devices(iPad=f"{TOWN}/devices/ipad.yaml", Mac=f"{TOWN}/devices/mac.yaml")
def test_batch_for_two_devices(devices: Devices, device: Device) -> None:
    devices.batch(
        [
            {"to": device, "topic": CLOWN_TOWN, "title": "Crusty is near", "target_content_id": CRUSTY},
            {"to": "Mac", "topic": CLOWN_TOWN, "title": "Crusty is near"},
        ]
    )
    expect(devices).delivered_once()
    expect(device.open("Crusty is near")).scene("crusty-detail", reason="prefers", created=False)
    expect(devices["Mac"].open("Crusty is near")).scene("town", reason="noIdentifier")


def test_events_of_a_device(devices: Devices, device: Device) -> None:
    device.send("Crusty is near", topic=CLOWN_TOWN)
    device.open("Crusty is near")
    device.wait_for(notification="Crusty is near")
    types = [line["event"]["type"] for line in devices.events if line["device"] == "iPad"]
    assert types[0] == "notificationPosted"


def test_shelf_in_time(devices: Devices, device: Device, app: App) -> None:
    device.contact("enrique", given_name="Enrique", handles=["+14085550101"])
    device.consent(app=app, automatic="on")
    device.message(LASSO, sender="Enrique", id="m1")
    app.view(LASSO, duration="40m", context="detail", finishes=True)
    device.message(f"Crusty is on TV! {PIE}", sender="Enrique")
    expect(app.shelf).contains(PIE)
    devices.advance("10m")
    expect(app.shelf).links([PIE, LASSO])
    assert app.shelf.links == [PIE, LASSO]
    assert app.attribution(PIE).text == "Enrique"

    device.remove(PIE)
    expect(app.shelf).lacks(PIE)
    device.restore(PIE)
    expect(app.shelf).contains(PIE, LASSO)
    device.pin(message="m1")
    device.unpin(LASSO)
    assert [message["text"] for message in device.messages()] == [LASSO, f"Crusty is on TV! {PIE}"]


def test_group_without_contacts(device: Device, app: App) -> None:
    device.never(link=PIE)
    device.conversation("clowns", name="Clowns", participants=["+14085550101", "+14085550102"])
    device.message(LASSO, conversation="clowns", sender="+14085550101")
    device.pin()
    expect(app.shelf).is_empty()
    device.contact("sarah", given_name="Sarah", handles=["+14085550102"])
    expect(app.attribution(LASSO)).text({"contains": "+14085550101"})


def test_photograph_in_the_working_folder(devices: Devices, device: Device) -> None:
    name = f"{TOWN}/photos/enrique.png"
    file = devices._working_folder / name
    photo = b64encode(file.read_bytes()).decode()
    for source in (name, Path(name), str(file), photo):
        device.contact("enrique", handles=["+14085550101"], photo=source)
        assert device.call("contacts")[0]["photo"] == photo
        device.event("contactRemoved", contact="enrique")


def test_snapshot_and_other_steps(devices: Devices, device: Device) -> None:
    device.snapshot("before")
    device.contact("enrique", given_name="Enrique", handles=["+14085550101"])
    device.event("contactRemoved", contact="enrique")
    device.reset("before")
    device.power("low")
    device.send("Later", topic=CLOWN_TOWN, priority=5)
    expect(device).notification("Later", state="stored")
    device.power("normal")
    expect(device).notification("Later", state="acknowledged")
    town = device.app(CLOWN_TOWN)
    town.attach()
    town.kill()
    expect(town.open()).app(town)
    assert device.call("contacts") == []
    answer = devices.step({"open": {"device": device, "app": town}, "expect": {"answer": {"app": CLOWN_TOWN}}})
    assert answer.answer["app"] == CLOWN_TOWN


def test_command_has_the_urls(gateway: Gateway, devices: Devices, device: Device) -> None:
    answer = devices.run('test -f test_session.py && echo "$WAYPOST_PROVIDER $WAYPOST_TOKEN_IPAD"', within="30s")
    assert (answer.exit, answer.output) == (0, f"{gateway.provider} {device.token}\n")


@pytest.mark.waypost_devices(
    Phone={"apps": [{"bundleIdentifier": f"{CLOWN_TOWN}.push-type.liveactivity", "scenes": []}]}
)
def test_broadcast_channel(devices: Devices, device: Device) -> None:
    device.subscribe("parade", topic=CLOWN_TOWN)
    devices.batch([{"channel": "parade", "topic": CLOWN_TOWN, "title": "The parade starts"}])
    expect(device).notification("The parade starts")
