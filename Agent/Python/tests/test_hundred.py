"""A hundred tests for ``pytest -n 8``: none sees anything of the others."""

import pytest

from waypost_testing import App, Device, Devices, expect

CLOWN_TOWN = "com.example.clowntown"
CLOWNS = {"crusty": "crusty-detail", "giggles": "overview"}


@pytest.mark.parametrize("number", range(100))
def test_devices_are_alone(devices: Devices, device: Device, app: App, number: int) -> None:
    clown, scene = list(CLOWNS.items())[number % 2]
    link = f"https://tv.example/shows/{number}"
    device.contact("enrique", given_name=f"Enrique {number}", handles=["+14085550101"])
    device.send(f"Clown {number}", topic=CLOWN_TOWN, target_content_id=f"https://clowntown.example/clowns/{clown}")
    expect(device.open(f"Clown {number}")).scene(scene)
    device.message(link, sender="+14085550101")
    device.pin(link)
    expect(app.shelf).links([link])
    expect(app.attribution(link)).text(f"Enrique {number}")
    devices.advance(f"{number + 1}m")
    expect(devices).delivered_once()
    assert len(device.notifications()) == len(device.messages()) == 1
