"""The texts that a person reads if a test fails."""

import re
import textwrap
from pathlib import Path

import pytest

from waypost_testing import Answer, App, Device, Devices, StepFailed, StepRefused, expect

CLOWN_TOWN = "com.example.clowntown"
CRUSTY = "https://clowntown.example/clowns/crusty"
LASSO = "https://tv.example/shows/lasso"
IPAD = Path(__file__).parents[3] / "docs/examples/town/devices/ipad.yaml"

WRONG_SCENE = """\
expected scene overview, got crusty-detail

       Expected  Got
       ────────  ───
scene  overview  crusty-detail

https://clowntown.example/clowns/crusty: crusty-detail prefers the content
▶ crusty-detail (background): won: prefers the content
    can: true: SELF == "https://clowntown.example/clowns/crusty": SELF equals it
    prefers: true: SELF == "https://clowntown.example/clowns/crusty": SELF equals it
  overview (foregroundActive): lost: can display the content, but crusty-detail prefers it
    can: true: TRUEPREDICATE: it is always true
    prefers: false: FALSEPREDICATE: it is always false"""


def test_wrong_scene_shows_the_decision(device: Device) -> None:
    device.send("Crusty is near", topic=CLOWN_TOWN, target_content_id=CRUSTY)
    opened = device.open("Crusty is near")
    with pytest.raises(StepFailed) as failure:
        expect(opened).scene("overview")
    assert str(failure.value) == WRONG_SCENE
    assert failure.value.differences == [("scene", "overview", "crusty-detail")]


def test_agent_and_library_write_the_same_text(device: Device) -> None:
    device.send("Crusty is near", topic=CLOWN_TOWN, target_content_id=CRUSTY)
    step = {"open": {"device": device, "notification": "Crusty is near"}, "expect": {"scene": "overview"}}
    with pytest.raises(StepFailed) as failure:
        device.devices.step(step)
    assert str(failure.value) == WRONG_SCENE


def test_two_differences_are_in_one_table(device: Device) -> None:
    with pytest.raises(StepFailed) as failure:
        expect(device.open(url=LASSO)).scene("overview", reason="prefers")
    assert str(failure.value).startswith(
        textwrap.dedent(
            """\
            expected scene overview, got watch-now, and 1 more

                    Expected  Got
                    ────────  ───
            scene   overview  watch-now
            reason  prefers   can

            com.example.tv opens: the URL is one of its universal links
            """
        )
    )


def test_value_with_several_lines_keeps_its_columns(app: App) -> None:
    with pytest.raises(StepFailed) as failure:
        expect(app.shelf).links([LASSO, CRUSTY], within="100ms")
    table = str(failure.value).split("\n\n")[1]
    assert table == textwrap.dedent(
        f"""\
                   Expected                                 Got
                   ────────                                 ───
            shelf  {LASSO}           empty
                   {CRUSTY}"""
    )


def test_missing_link_shows_the_gate_that_stopped_it(device: Device, app: App) -> None:
    device.message(LASSO, sender="+14085550101")
    device.pin(LASSO)
    with pytest.raises(StepFailed, match=r"▶ ✗  contact +\+14085550101 is not a contact"):
        expect(app.shelf).contains(LASSO, within="100ms")


def test_missing_attribution_and_message(device: Device, app: App) -> None:
    with pytest.raises(StepFailed, match="expected attribution Enrique, got none"):
        expect(app.attribution(LASSO)).text("Enrique", within="100ms")
    with pytest.raises(StepFailed, match="expected message …Watching…, got no message"):
        expect(device).message({"contains": "Watching"}, within="100ms")


def test_missing_notification_shows_what_the_gateway_has(device: Device) -> None:
    with pytest.raises(StepFailed) as failure:
        device.wait_for(notification="Crusty is near", within="100ms")
    assert str(failure.value) == (
        "iPad has no notification 'Crusty is near' after 100ms; it has none\n\n"
        "The gateway's log of iPad:\n  nothing was sent to its token"
    )
    device.network("off")
    device.send("Giggles is free", topic=CLOWN_TOWN)
    with pytest.raises(StepFailed, match="  [0-9a-f-]{36}: stored, for com.example.clowntown$"):
        expect(device).notification("Giggles is free", within="100ms")


def test_failed_command_shows_its_output(devices: Devices) -> None:
    with pytest.raises(StepFailed) as failure:
        devices.run("echo no certificate; exit 3")
    assert str(failure.value) == "the command ended with status 3\n\nIt printed:\nno certificate\n"


def test_refused_step_names_what_is_accepted(device: Device) -> None:
    with pytest.raises(StepRefused) as refusal:
        device.network("of")
    assert str(refusal.value) == (
        """'state' is 'of'; use on or off\n\n{"network": {"device": "iPad", "state": "of"}}"""
    )
    with pytest.raises(StepRefused, match="'app' is 'com.example.tw', which is no app of a device; did you mean"):
        device.app("com.example.tw").open()


def test_misuse_is_an_error(devices: Devices, device: Device) -> None:
    with pytest.raises(KeyError, match="no device 'iPod'; there are: iPad"):
        devices["iPod"]
    with pytest.raises(ValueError, match="name what to wait for: .*, shelf, attribution, offered, visible or tokens"):
        device.wait_for(within="1s")
    with pytest.raises(TypeError, match="expect.. needs an Answer, Shelf, Attribution, Device or Devices, not 'iPad'"):
        expect("iPad")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="<object .*> cannot be part of a step"):
        device.event("languageSet", language=object())


def test_answer_names_its_values_in_one_line(device: Device) -> None:
    answer = device.open(url="https://elsewhere.example/")
    assert repr(answer) == (
        "Answer(created=False, destination='website', "
        "explanation='the website opens: no app on the device has the URL as a universal link')"
    )
    assert repr(Answer()) == "Answer()"


def run(pytester: pytest.Pytester, test: str, *arguments: str) -> str:
    """Runs a test with the plugin, and returns what pytest prints."""
    pytester.makeini(f"[pytest]\nwaypost_devices = {IPAD}")
    pytester.makepyfile("from waypost_testing import expect\nimport pytest\n" + textwrap.dedent(test))
    return pytester.runpytest_subprocess(*arguments).stdout.str()


def test_plain_assert_shows_the_decision(pytester: pytest.Pytester) -> None:
    output = run(
        pytester,
        f"""\
        def test_scene(device):
            device.send("Crusty is near", topic="{CLOWN_TOWN}", target_content_id="{CRUSTY}")
            assert device.open("Crusty is near").scene == "overview"
        """,
    )
    assert (
        """\
>       assert device.open("Crusty is near").scene == "overview"
E       assert 'crusty-detail' == 'overview'
E         
E         https://clowntown.example/clowns/crusty: crusty-detail prefers the content
E         ▶ crusty-detail (background): won: prefers the content
"""
        in output
    )


def test_report_has_the_last_steps_and_only_lines_of_the_test(pytester: pytest.Pytester) -> None:
    output = run(
        pytester,
        f"""\
        def test_shelf(device, app):
            device.network("off")
            expect(app.shelf).links(["{LASSO}"], within="100ms")
        """,
    )
    assert ">       expect(app.shelf).links(" in output
    assert "E       waypost_testing.StepFailed: expected shelf https://tv.example/shows/lasso, got empty" in output
    assert "_expect.py" not in output
    steps = output.partition("Waypost: last steps and events")[2]
    assert '\nstep {"network": {"device": "iPad", "state": "off"}}\n' in steps
    assert "\n  failed: expected shelf https://tv.example/shows/lasso, got empty\n" in steps


def test_report_lists_the_requests_to_the_provider_api(pytester: pytest.Pytester) -> None:
    output = run(
        pytester,
        f"""\
        import urllib.request

        def send(gateway, token, topic, payload=b'{{"aps":{{"alert":"Honk"}}}}'):
            url = f"{{gateway.provider_plaintext}}/3/device/{{token}}"
            request = urllib.request.Request(url, payload, {{"apns-topic": topic}})
            try:
                urllib.request.urlopen(request).close()
            except OSError:
                pass

        def test_back_end(gateway, device):
            send(gateway, device.token, "{CLOWN_TOWN}")
            send(gateway, device.token, "com.example.ClownTown")
            send(gateway, "00ff", "{CLOWN_TOWN}")
            expect(device).notification("Honk")
            device.fault("reset", times=1)
            send(gateway, device.token, "{CLOWN_TOWN}")
            device.fault("respond", reason="Unregistered", times=1)
            send(gateway, device.token, "{CLOWN_TOWN}")
            send(gateway, "00ff", "{CLOWN_TOWN}", b'{{"aps":{{"\\\\u001b[2J":1,"\\\\nnext":2}}}}')
            assert False
        """,
    )
    rows = output.partition("Waypost: requests to the provider API")[2].splitlines()
    assert re.fullmatch(r"Time +Device +Status +Reason +Message and findings", rows[1])
    assert re.fullmatch(r"\d\d:\d\d:\d\d\.\d\d\d +iPad +200 +accepted, now \w+", rows[2])
    assert re.fullmatch(r" +warning missingPushType: the apns-push-type is missing; alert is assumed, .*", rows[3])
    wrong_topic = r"iPad +400 +DeviceTokenNotForTopic +the device is registered for .*; upper and lower case differ"
    assert re.fullmatch(rf"\S+ +{wrong_topic}", rows[4])
    assert re.fullmatch(r"\S+ +00ff +400 +BadDeviceToken +no device is registered with this token, .*", rows[6])
    assert re.fullmatch(r"\S+ +iPad +none +no response, because of the fault reset", rows[8])
    assert re.fullmatch(r"\S+ +iPad +410 +Unregistered +this answer was injected by the fault .*", rows[9])
    assert "\x1b" not in output
    assert "unknownApsKey: '\\nnext' is ignored" in output


def test_forbidden_notification_fails_the_test_at_its_end(pytester: pytest.Pytester) -> None:
    output = run(
        pytester,
        f"""\
        def test_never(device):
            device.never(notification="Clown 1")
            device.send("Clown {{n}}", topic="{CLOWN_TOWN}", count=2)
        """,
    )
    assert "1 failed" in output and "error" not in output
    assert "\n'Clown 1' arrived on iPad, 0s after the start\n" in output
    assert "waypost_testing" not in output.partition("FAILURES")[2]


def test_devices_must_be_named(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_none(device): pass")
    output = pytester.runpytest_subprocess().stdout.str()
    assert "a test with devices needs device files: set waypost_devices in the configuration of pytest" in output
    output = run(pytester, '@pytest.mark.waypost_devices("ipod.yaml")\ndef test_file(device): pass')
    assert f"no device file ipod.yaml in {pytester.path}" in output
    output = run(pytester, '@pytest.mark.waypost_devices({"apps": []})\ndef test_content(device): pass')
    assert "a device file needs 'name'" in output


def test_fixture_can_be_overridden(pytester: pytest.Pytester) -> None:
    output = run(
        pytester,
        """\
        PHONE = {"apps": [{"bundleIdentifier": "com.example.a", "scenes": []}]}

        @pytest.fixture
        def waypost_devices():
            return {"Phone": PHONE, "Old phone": PHONE}

        def test_devices(devices, device, app):
            assert list(devices) == ["Phone", "Old phone"]
            assert (device.name, app.bundle_identifier) == ("Phone", "com.example.a")

        @pytest.mark.parametrize("language, attribution", [("en", "Enrique"), ("ja", "Enrique")])
        def test_again(device, language, attribution):
            device.event("languageSet", language=language)
        """,
        "--strict-markers",
    )
    assert "3 passed" in output


def test_one_file_can_describe_several_devices(pytester: pytest.Pytester) -> None:
    output = run(
        pytester,
        f"""\
        @pytest.mark.waypost_devices(Mine="{IPAD}", Yours="{IPAD}")
        def test_names(devices):
            assert list(devices) == ["Mine", "Yours"]
            assert devices["Yours"].open(url="{LASSO}").app == "com.example.tv"
        """,
    )
    assert "1 passed" in output
