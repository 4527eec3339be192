"""The keys with which a provider signs its tokens."""

from __future__ import annotations

import os
import secrets
import string
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ._errors import GatewayFailed
from ._program import find_program

# pytest shows the line of the test, not those of this file.
__tracebackhide__ = True

_TIME_LIMIT = 90


@dataclass(frozen=True)
class ProviderKey:
    """A key for provider tokens, in a file like Apple's.

    :ivar file: the file with the private key (``.p8``).
    :ivar id: its identifier, the ``kid`` of tokens.
    :ivar team: its team, the ``iss`` of tokens.
    """

    file: Path
    id: str
    team: str


def make_key(service: str, folder: Path, environment: Mapping[str, str]) -> ProviderKey:
    """Makes a key, and registers it with a gateway."""
    key_id = "".join(secrets.choice(string.ascii_uppercase + string.digits) for _ in range(10))
    key = ProviderKey(folder.resolve() / f"AuthKey_{key_id}.p8", key_id, "TEAM123456")
    _run("create", key, ["--out", str(key.file)], service, environment)
    return key


def import_key(
    file: str | Path, key_id: str | None, team: str, service: str, environment: Mapping[str, str]
) -> ProviderKey:
    """Registers an existing key with a gateway."""
    path = Path(file).resolve()
    if not path.is_file():
        raise FileNotFoundError(f"{file}: {'it is a folder' if path.is_dir() else 'there is no such file'}")
    key_id = key_id or path.stem.partition("AuthKey_")[2]
    if not key_id:
        raise ValueError(f"{file}: name the key with id=..., because its file is not called AuthKey_ID.p8")
    key = ProviderKey(path, key_id, team)
    _run("import", key, [str(path)], service, environment)
    return key


def _run(
    command: str, key: ProviderKey, arguments: list[str], service: str, environment: Mapping[str, str]
) -> None:
    """Runs a command of ``waypost keys``."""
    try:
        completed = subprocess.run(
            [
                *(*find_program("waypost"), "keys", command, "--gateway", service),
                *("--id", key.id, "--team", key.team, *arguments),
            ],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=_TIME_LIMIT,
        )
    except subprocess.TimeoutExpired:
        raise GatewayFailed(f"the gateway {service} gave no answer within {_TIME_LIMIT} seconds") from None
    if completed.returncode:
        raise GatewayFailed(completed.stderr.strip())
