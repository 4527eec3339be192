"""The keys and values of steps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}

# 'from' and 'for' are words of Python, and cards have names as in JSON.
_NAMES = {
    "from_app": "from",
    "sender": "from",
    "duration": "for",
    "file_provider": "fileProvider",
    "given_name": "givenName",
    "family_name": "familyName",
    "not_called": "notCalled",
    "minimum_source": "minimumSource",
    "live_activity": "liveActivity",
}


def keys(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the keys of a step for the arguments of a method, without those that are absent."""
    return {
        _NAMES.get(name, name.replace("_", "-")): value
        for name, value in arguments.items()
        if name != "self" and value is not None
    }


def seconds(time: str) -> float:
    """Returns the seconds of a time such as 90s or 1h30m. A text that is not a time counts as 0."""
    return sum(int(number) * _UNITS[unit] for number, unit in re.findall(r"(\d+)(ms|s|m|h|d)", time))
