"""The gateway of a test run."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from ._process import Process


class Gateway:
    """A gateway in memory, with a manual clock and listeners on free ports.

    Tests share it: each :class:`Devices` has its own namespace in it, with its own log and clock.

    :ivar service: the URL of the service API.
    :ivar provider: the URL of the provider API, with TLS.
    :ivar ca: the path of the certificate authority that a client of `provider` has to trust, in PEM.
    :ivar provider_plaintext: the URL of the provider API without TLS, for HTTP/2 with prior knowledge.
    :ivar ready_file: the path of the file with these URLs.
    """

    _START_SECONDS = 60.0

    def __init__(self, *, arguments: Sequence[str] = (), folder: str | Path | None = None) -> None:
        """Starts a gateway, and waits until it is ready.

        :param arguments: further arguments of ``waypost-gateway``.
        :param folder: the folder for its files. Default: a temporary one, which :meth:`close` removes.
        :raises ProgramNotFound: if ``waypost-gateway`` is not installed.
        :raises ProcessFailed: if it does not start.
        """
        self._resources = ExitStack()
        self.folder = Path(folder or self._resources.enter_context(TemporaryDirectory(prefix="waypost-gateway-")))
        self.ready_file = self.folder.resolve() / "gateway.json"
        listeners = ["--service", "--courier", "--provider", "--provider-plaintext"]
        self.process = Process(
            "waypost-gateway",
            [
                *("--store", "memory", "--clock", "manual", "--exit-on-eof"),
                *(argument for listener in listeners for argument in (listener, "127.0.0.1:0")),
                *("--ca", str(self.folder / "ca"), "--ready-file", str(self.ready_file)),
                *arguments,
            ],
            self.folder / "gateway.log",
        )
        urls = self._wait_until_ready()
        self.service: str = urls["service"]
        self.provider: str = urls["provider"]
        self.provider_plaintext: str = urls["providerPlaintext"]
        self.ca: str = urls["ca"]

    def _wait_until_ready(self) -> dict[str, str]:
        end = time.monotonic() + self._START_SECONDS
        while time.monotonic() < end:
            is_running = self.process.is_running
            try:
                urls: dict[str, str] = json.loads(self.ready_file.read_bytes())
                return urls
            except (FileNotFoundError, json.JSONDecodeError):
                if not is_running:
                    break
                time.sleep(0.01)
        problem = f"was not ready within {self._START_SECONDS:g} seconds" if self.process.is_running else None
        failure = self.process.failure(problem)
        self.close()
        raise failure

    def close(self) -> None:
        """Ends the gateway."""
        self.process.end()
        self._resources.close()

    def __enter__(self) -> Gateway:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Gateway({self.service})"
