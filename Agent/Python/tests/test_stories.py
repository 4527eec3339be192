"""Twelve stories, each as short as a test with the fixtures can be."""

import pytest

from waypost_testing import App, Device, Devices, StepFailed, expect

TOWN = "../../../docs/examples/town"
CLOWN_TOWN = "com.example.clowntown"
TV = "com.example.tv"
CRUSTY = "https://clowntown.example/clowns/crusty"
GIGGLES = "https://clowntown.example/clowns/giggles"
LASSO = "https://tv.example/shows/lasso"


def test_notification_opens_the_scene_that_prefers_its_content(device: Device) -> None:
    device.send("Crusty is near", topic=CLOWN_TOWN, target_content_id=CRUSTY)
    expect(device.open("Crusty is near")).scene("crusty-detail", reason="prefers")


def test_other_content_opens_the_scene_that_can_display_it(device: Device) -> None:
    device.send("Giggles is free", topic=CLOWN_TOWN, target_content_id=GIGGLES)
    expect(device.open("Giggles is free")).scene("overview", reason="can")


def test_without_an_identifier_the_scene_in_front_stays(device: Device) -> None:
    device.send("Clown Town turns five", topic=CLOWN_TOWN)
    expect(device.open("Clown Town turns five")).scene("overview", reason="noIdentifier")


def test_batch_arrives_once_and_in_order(device: Device) -> None:
    device.send("Clown {n}", topic=CLOWN_TOWN, count=20)
    expect(device).delivered_once()
    assert [each["title"] for each in device.notifications()] == [f"Clown {n}" for n in range(1, 21)]


def test_quick_action_opens_its_scene(device: Device) -> None:
    town = device.app(CLOWN_TOWN)
    town.attach(f"{TOWN}/apps/ipad/clowntown.yaml")
    expect(town.open(shortcut="com.example.clowntown.call-crusty")).scene("crusty-detail", reason="prefers")


def test_universal_link_opens_the_app_and_another_link_the_website(device: Device) -> None:
    expect(device.open(url=LASSO)).app(TV)
    expect(device.open(url="https://elsewhere.example/shows/lasso")).website()


def test_link_needs_a_contact_and_a_pin(device: Device, app: App) -> None:
    device.contact("enrique", given_name="Enrique", handles=["+14085550101"])
    device.message(f"You have to see this: {LASSO}", sender="Enrique")
    expect(app.shelf).is_empty()
    device.pin(LASSO)
    expect(app.shelf).links([LASSO])
    expect(app.attribution(LASSO)).text("Enrique")


def test_link_disappears_when_sharing_is_off(device: Device, app: App) -> None:
    device.contact("enrique", given_name="Enrique", handles=["+14085550101"])
    device.consent(app=app, automatic="on")
    device.message(LASSO, sender="Enrique")
    expect(app.shelf).links([LASSO])
    device.consent(app=app, sharing="off")
    expect(app.shelf).is_empty()


@pytest.mark.waypost_devices(f"{TOWN}/devices/ipad.yaml", f"{TOWN}/devices/iphone.yaml")
def test_reply_arrives_on_the_device_of_one_of_two_senders(devices: Devices, device: Device, app: App) -> None:
    phone = devices["Enrique's iPhone"]
    device.contact("enrique", given_name="Enrique", handles=["+14085550101"], tokens=[phone])
    device.contact("sarah", given_name="Sarah", handles=["+14085550102"])
    device.message(f"You have to see this: {LASSO}", sender="Enrique")
    devices.advance("1h")
    device.message(f"Enrique told me about {LASSO}", sender="Sarah")
    device.pin(LASSO)
    expect(app.attribution(LASSO)).text("Sarah and Enrique")

    assert device.tap(LASSO).choices == ["Sarah", "Enrique"]
    assert device.tap(choose="Enrique").conversation == "Enrique"
    device.reply("Watching it now")
    expect(phone).message("Watching it now")


@pytest.mark.waypost_devices(f"{TOWN}/devices/ipad.yaml", f"{TOWN}/devices/mac.yaml")
def test_activity_continues_on_another_device(devices: Devices, device: Device) -> None:
    mac = devices["Mac"]
    device.app(CLOWN_TOWN).attach(f"{TOWN}/apps/ipad/clowntown.yaml")
    device.send("Crusty is near", topic=CLOWN_TOWN, target_content_id=CRUSTY)
    expect(device.open("Crusty is near")).scene("crusty-detail")
    device.handoff(CLOWN_TOWN, to=mac)
    expect(mac.open(activity="Crusty")).scene("town", reason="can")


PLUG_IN = {
    "sceneDelegate": ["willConnect"],
    "notificationCenter": {"methods": ["didReceive"], "setIn": "later"},
    "reads": [],
}
CLOSED = [{"persistentIdentifier": "main", "state": "disconnected"}]
PHONE = {"name": "Phone", "apps": [{"bundleIdentifier": CLOWN_TOWN, "scenes": CLOSED, "callbacks": PLUG_IN}]}


@pytest.mark.waypost_devices(PHONE)
def test_plug_in_loses_the_tap_that_launches_the_app(device: Device) -> None:
    device.send("Crusty is near", topic=CLOWN_TOWN)
    answer = device.open("Crusty is near")
    expect(answer).deliveries()
    expect(answer).findings("notificationDelegateLate")
    with pytest.raises(StepFailed, match="expected findings none, got notificationDelegateLate") as failure:
        expect(answer).findings()
    assert "[notificationDelegateLate]" in failure.value.explanation
    device.wait_for(visible=["main"])


@pytest.mark.waypost_devices(PHONE)
def test_question_about_callbacks_needs_no_event(device: Device) -> None:
    answer = device.callbacks(
        CLOWN_TOWN,
        cause="notificationTap",
        state="background",
        deliveries=["center.didReceive"],
        not_called=["scene.willConnect"],
    )
    assert answer.deliveries == ["userNotificationCenter(_:didReceive:withCompletionHandler:) response"]
    with pytest.raises(StepFailed, match="expected deliveries none, got userNotificationCenter"):
        device.callbacks(CLOWN_TOWN, cause="notificationTap", state="background", deliveries=[])
