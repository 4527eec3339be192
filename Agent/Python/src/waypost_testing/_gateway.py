"""The gateway of a test run."""

from __future__ import annotations

import http.client
import json
import os
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ._errors import GatewayFailed, GatewayUnreachable
from ._key import ProviderKey, import_key, make_key
from ._process import Process
from ._program import find_program

# pytest shows the line of the test, not those of this file.
__tracebackhide__ = True


class Gateway:
    """A gateway that tests share: each :class:`Devices` has its own namespace in it, with its own log and clock.

    ``Gateway()`` starts one in memory, with a manual clock and listeners on free ports. :meth:`connect` uses a running
    one.

    :ivar service: the URL of the service API.
    :ivar provider: the URL of the provider API, with TLS; empty if the gateway has none.
    :ivar ca: the path of the certificate authority that a client of `provider` has to trust, in PEM; empty if the
        gateway has none.
    :ivar provider_plaintext: the URL of the provider API without TLS, for HTTP/2 with prior knowledge; empty if the
        gateway has none.
    :ivar process: the process, or ``None`` if :meth:`connect` did not start one.
    """

    _START_SECONDS = 60.0
    _time_limit = 10.0

    def __init__(
        self,
        *,
        authentication: str | None = None,
        arguments: Sequence[str] = (),
        folder: str | Path | None = None,
    ) -> None:
        """Starts a gateway, and waits until it is ready.

        :param authentication: ``none``; ``token``, so that a provider needs a token that :attr:`key` has signed; or
            ``apns``, so that it must also follow APNs' rules for tokens. Default: that in the environment variable
            ``WAYPOST_GATEWAY_AUTHENTICATION``, or else ``none``.
        :param arguments: further arguments of ``waypost-gateway``.
        :param folder: the folder for its files. Default: a temporary one, which :meth:`close` removes.
        :raises ProgramNotFound: if ``waypost-gateway`` is not installed.
        :raises ProcessFailed: if it does not start.
        """
        self._make_folder(folder)
        self._admin_token = os.environ.get("WAYPOST_ADMIN_TOKEN") or secrets.token_hex(32)
        ready_file = self.folder.resolve() / "gateway.json"
        listeners = ["--service", "--courier", "--provider", "--provider-plaintext"]
        process = Process(
            "waypost-gateway",
            [
                *find_program("waypost-gateway"),
                *("--store", "memory", "--clock", "manual", "--exit-on-eof"),
                *(("--authentication", authentication) if authentication else ()),
                *(argument for listener in listeners for argument in (listener, "127.0.0.1:0")),
                *("--ca", str(self.folder / "ca"), "--ready-file", str(ready_file)),
                *arguments,
            ],
            self.folder / "gateway.log",
            environment=self.environment,
        )
        self.process: Process | None = process
        self._use(self._wait_until_ready(process, ready_file))
        self.ca: str = json.loads(ready_file.read_bytes()).get("ca", "")
        self._agent_options = ["--gateway-ready-file", str(ready_file), "--clock", "gateway"]

    @classmethod
    def connect(cls, url: str, *, folder: str | Path | None = None, time_limit: float = 10) -> Gateway:
        """Uses a running gateway, such as one in a container.

        If the gateway requires its administrative token, set it in the environment variable ``WAYPOST_ADMIN_TOKEN``.

        :param url: the URL of its service API, such as ``http://waypost:7330``.
        :param folder: the folder for the certificate of its authority. Default: a temporary one.
        :param time_limit: the seconds that a gateway gets which does not answer yet.
        :raises GatewayUnreachable: if it cannot be reached in time.
        :raises GatewayFailed: if it refuses the calls.
        """
        gateway = cls.__new__(cls)
        gateway._make_folder(folder)
        gateway.process = None
        gateway._admin_token = os.environ.get("WAYPOST_ADMIN_TOKEN", "")
        gateway._time_limit = time_limit
        gateway.service = url.rstrip("/")
        try:
            gateway._use({**gateway._get("/health"), "service": gateway.service})
            certificate = gateway._call("/v1/ca.pem", may_be_missing=True) if gateway.provider else None
            clock = gateway._get("/v1/clock").get("clock")
        except BaseException:
            gateway.close()
            raise
        gateway.ca = ""
        if certificate:
            file = gateway.folder.resolve() / "ca.pem"
            file.write_bytes(certificate)
            gateway.ca = str(file)
        gateway._agent_options = [
            *("--gateway", gateway.service, "--clock", "gateway" if clock == "manual" else "system")
        ]
        return gateway

    @cached_property
    def key(self) -> ProviderKey:
        """A key for the tokens of a provider, which the gateway knows. It is made when it is first used.

        :raises ProgramNotFound: if ``waypost`` is not installed.
        :raises GatewayFailed: if the gateway refuses it.
        """
        return make_key(self.service, self.folder, self.environment)

    def import_key(self, file: str | Path, *, team: str, id: str | None = None) -> ProviderKey:
        """Lets the gateway know a key of your own, whose private half stays here.

        :param file: the file with the private key (``.p8``).
        :param team: its team.
        :param id: its identifier. Default: that in the name ``AuthKey_ID.p8``.
        :raises FileNotFoundError: if there is no such file.
        :raises ProgramNotFound: if ``waypost`` is not installed.
        :raises GatewayFailed: if the file has no key, or the gateway refuses it.
        """
        return import_key(file, id, team, self.service, self.environment)

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables with which programs may administer the gateway."""
        return {"WAYPOST_ADMIN_TOKEN": self._admin_token} if self._admin_token else {}

    @property
    def agent_options(self) -> list[str]:
        """The options with which an agent finds the gateway, and uses its clock."""
        return self._agent_options

    def delete(self, namespace: str) -> None:
        """Deletes a namespace, unless the gateway ends with the tests."""
        if self.process is None:
            self._delete(f"/v1/namespaces/{namespace}")

    def _delete(self, path: str) -> None:
        """Deletes what a test has left. If that fails, the result of the test is what counts."""
        try:
            self._call(path, method="DELETE", may_be_missing=True, time_limit=0)
        except GatewayFailed:
            pass

    def _make_folder(self, folder: str | Path | None) -> None:
        self._resources = ExitStack()
        self.folder = Path(folder or self._resources.enter_context(TemporaryDirectory(prefix="waypost-gateway-")))

    def _use(self, urls: dict[str, str]) -> None:
        self.service: str = urls["service"]
        self.provider: str = urls.get("provider", "")
        self.provider_plaintext: str = urls.get("providerPlaintext", "")

    def _provider_requests(self, namespace: str) -> list[dict[str, Any]]:
        """Returns the last requests to the provider API in a namespace; none if the gateway does not answer."""
        answer = self._read("/v1/sender/requests", namespace)
        return answer if isinstance(answer, list) else []

    def _states(self, namespace: str) -> dict[str, str]:
        """Returns the states of the last notifications in a namespace by their IDs; none without an answer."""
        answer = self._read("/v1/notifications", namespace)
        notifications = answer.get("notifications", []) if isinstance(answer, dict) else []
        return {each["id"]: each["state"] for each in notifications if "id" in each}

    def _read(self, path: str, namespace: str) -> Any:
        """Returns the JSON of a path in a namespace; ``None`` if the gateway does not answer."""
        try:
            return json.loads(self._call(path, namespace=namespace, time_limit=0) or b"")
        except (GatewayFailed, ValueError):
            return None

    def _get(self, path: str) -> dict[str, str]:
        """Returns the object at a path of the service API."""
        try:
            answer: dict[str, str] = json.loads(self._call(path) or b"")
            return answer
        except ValueError:
            raise GatewayFailed(f"{self.service} is not a gateway: its answer to {path} is not JSON") from None

    def _call(
        self,
        path: str,
        *,
        method: str = "GET",
        namespace: str = "default",
        may_be_missing: bool = False,
        time_limit: float | None = None,
    ) -> bytes | None:
        """Calls the service API, and returns the response; ``None`` if there is nothing at the path.

        :raises GatewayUnreachable: if it does not answer within the time limit.
        :raises GatewayFailed: if it refuses the call.
        """
        headers = {"X-Waypost-Namespace": namespace}
        if self._admin_token:
            headers["Authorization"] = f"Bearer {self._admin_token}"
        # A proxy for the internet does not reach a test's gateway.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        end = time.monotonic() + (self._time_limit if time_limit is None else time_limit)
        while True:
            try:
                request = urllib.request.Request(self.service + path, method=method, headers=headers)
                # A deletion is not repeated, so a busy gateway gets more time for it.
                with opener.open(request, timeout=30 if method == "DELETE" else 5) as response:
                    content: bytes = response.read()
                    return content
            except urllib.error.HTTPError as error:
                if error.code == 404 and may_be_missing:
                    return None
                text = error.read().decode(errors="replace").strip()
                raise GatewayFailed(f"the gateway {self.service} answered {error.code} to {path}: {text}") from None
            except (OSError, ValueError, http.client.HTTPException) as error:
                message = f"the gateway {self.service} cannot be reached: {error}"
                if isinstance(error, (ValueError, http.client.InvalidURL)):
                    raise GatewayFailed(message) from None
                if not isinstance(error, OSError) or time.monotonic() > end:
                    raise GatewayUnreachable(message) from None
                time.sleep(0.1)

    def _wait_until_ready(self, process: Process, ready_file: Path) -> dict[str, str]:
        end = time.monotonic() + self._START_SECONDS
        while time.monotonic() < end:
            is_running = process.is_running
            try:
                urls: dict[str, str] = json.loads(ready_file.read_bytes())
                return urls
            except (FileNotFoundError, json.JSONDecodeError):
                if not is_running:
                    break
                time.sleep(0.01)
        problem = f"was not ready within {self._START_SECONDS:g} seconds" if process.is_running else None
        failure = process.failure(problem)
        self.close()
        raise failure

    def close(self) -> None:
        """Ends the gateway, if this object has started it; in another one, removes the key that it has made."""
        if self.process:
            self.process.end()
        elif "key" in self.__dict__:
            self._delete(f"/v1/keys/{self.key.id}")
        self._resources.close()

    def __enter__(self) -> Gateway:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        # A debugger may show an object whose start has failed.
        return f"Gateway({getattr(self, 'service', 'not started')})"
