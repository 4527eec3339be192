"""Test push notifications, scenes and shared links of Apple devices with Waypost.

The pytest fixtures ``gateway``, ``devices``, ``device`` and ``app`` start everything that a test needs. Without pytest,
use :class:`Gateway` and :class:`Devices` in ``with`` statements.
"""

from ._answer import Answer
from ._device import App, Attribution, Device, Shelf
from ._errors import (
    GatewayFailed,
    GatewayUnreachable,
    ProcessFailed,
    ProgramNotFound,
    StepFailed,
    StepRefused,
    WaypostWarning,
)
from ._expect import expect
from ._gateway import Gateway
from ._key import ProviderKey
from ._session import Devices

__all__ = [
    "Answer",
    "App",
    "Attribution",
    "Device",
    "Devices",
    "Gateway",
    "GatewayFailed",
    "GatewayUnreachable",
    "ProcessFailed",
    "ProgramNotFound",
    "ProviderKey",
    "Shelf",
    "StepFailed",
    "StepRefused",
    "WaypostWarning",
    "expect",
]

# Tracebacks and documentation show the names under which programs import these.
for _name in __all__:
    globals()[_name].__module__ = __name__
