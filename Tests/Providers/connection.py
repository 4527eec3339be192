"""An HTTP/2 connection to APNs, on the h2 package: its streams, limits, GOAWAY frames and time-outs."""

from __future__ import annotations

import asyncio
import json
import ssl
import time
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings

from switches import is_wrong, report

ANSWER_TIMEOUT = 10
"""The seconds after which a request without an answer is given up, if its connection works."""
SILENCE_TIMEOUT = 3
"""The seconds without a byte after which a PING asks whether the connection works, and those for the answer."""
IDLE_TIMEOUT = 60
"""The seconds after which the next request goes alone, because the connection may have died."""
LARGEST_BODY = 16384
GOAWAY = 7
FRAME_HEADER = 9


class NotProcessed(Exception):
    """The server has not processed the request, so it can be sent again."""


class NoAnswer(Exception):
    """The server may have processed the request, but there is no answer."""


@dataclass
class Answer:
    status: int
    reason: str
    timestamp: float | None
    """The time of a 410, in seconds since 1970."""
    connection: Connection


class Stream:
    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.status = 0
        self.body = b""
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def end(self) -> None:
        try:
            body = json.loads(self.body or b"{}")
        except ValueError:
            body = {}
        timestamp = body.get("timestamp")
        if not self.answer.done():
            seconds = timestamp / 1000 if isinstance(timestamp, (int, float)) else None
            self.answer.set_result(Answer(self.status, str(body.get("reason", "")), seconds, self.connection))

    def fail(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class Connection:
    """A connection. Only one request is open until one is accepted; then the server's limit applies."""

    violations = 0
    """The number of connections that a server ended because they had too many streams."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, on_goaway: Callable[[], None]) -> None:
        self.http2 = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        self.reader, self.writer, self.on_goaway = reader, writer, on_goaway
        self.streams: dict[int, Stream] = {}
        self.is_usable = True
        self.is_accepted = False
        self.has_settings = asyncio.Event()
        self.limit_has_shrunk = False
        self.failures = 0
        """The number of answers with status 500 since the last one with 200."""
        self.last_use = time.time()
        self.last_byte = time.monotonic()
        self.change = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, url: str, trust: ssl.SSLContext | None, on_goaway: Callable[[], None]) -> Connection:
        address = urllib.parse.urlsplit(url)
        async with asyncio.timeout(ANSWER_TIMEOUT):
            reader, writer = await asyncio.open_connection(address.hostname, address.port or 443, ssl=trust)
            connection = cls(reader, writer, on_goaway)
            connection.http2.initiate_connection()
            connection.flush()
            connection.tasks = [asyncio.create_task(connection.read()), asyncio.create_task(connection.watch())]
            await connection.has_settings.wait()
            return connection

    def has_room(self) -> bool:
        """Whether another request may be sent now."""
        if time.time() - self.last_use > IDLE_TIMEOUT and not self.streams and not is_wrong("idle-500"):
            self.is_accepted = False
        limit = self.http2.remote_settings.max_concurrent_streams if self.is_accepted else 1
        limit = 1000 if self.ignores_limit() else limit
        return len(self.streams) < limit and self.http2.outbound_flow_control_window >= LARGEST_BODY

    def ignores_limit(self) -> bool:
        """Whether the provider ignores the limit, until a server has ended a connection because of that."""
        if self.is_accepted:
            is_meant = is_wrong("stream-limit") and self.http2.remote_settings.max_concurrent_streams > 1
        else:
            is_meant = is_wrong("first-stream-alone")
        return is_meant and Connection.violations == 0

    def is_at_shrunk_limit(self) -> bool:
        return self.limit_has_shrunk and not self.has_room()

    async def wait_for_change(self) -> None:
        await self.change.wait()

    def changed(self) -> None:
        self.change.set()
        self.change = asyncio.Event()

    def begin(self, headers: list[tuple[str, str]], body: bytes) -> tuple[int, Stream]:
        """Sends a request, for which there must be room."""
        limit = self.http2.remote_settings.max_concurrent_streams
        if self.ignores_limit():
            # h2 itself refuses to exceed the limit.
            self.set_limit(1000)
        number = self.http2.get_next_available_stream_id()
        self.http2.send_headers(number, headers)
        if self.ignores_limit():
            self.set_limit(limit)
        self.http2.send_data(number, body, end_stream=True)
        self.streams[number] = Stream(self)
        self.last_use = time.time()
        if len(self.streams) == 1:
            self.last_byte = time.monotonic()
        self.flush()
        return number, self.streams[number]

    def set_limit(self, limit: int) -> None:
        self.http2.remote_settings.max_concurrent_streams = limit
        self.http2.remote_settings.acknowledge()

    async def answer(self, number: int, stream: Stream) -> Answer:
        """Waits for the answer to a request. Raises NotProcessed or NoAnswer."""
        try:
            async with asyncio.timeout(None if is_wrong("blackhole") else ANSWER_TIMEOUT):
                answer = await stream.answer
            self.last_use = time.time()
            self.is_accepted = self.is_accepted or answer.status == 200
            self.failures = self.failures + 1 if answer.status == 500 else 0 if answer.status == 200 else self.failures
            return answer
        except TimeoutError:
            if number in self.streams and not self.writer.is_closing():
                self.http2.reset_stream(number, h2.errors.ErrorCodes.CANCEL)
                self.flush()
            raise NoAnswer("time-out") from None
        finally:
            self.finish(number)

    def finish(self, number: int) -> None:
        self.streams.pop(number, None)
        if not self.is_usable and not self.streams:
            self.writer.close()
        self.changed()

    def retire(self) -> None:
        """Lets no further request begin. The open ones are still awaited."""
        self.is_usable = False
        if not self.streams:
            self.writer.close()
        self.changed()

    def fail(self, why: str) -> None:
        """Ends the connection, and every open request without an answer."""
        self.is_usable = False
        for stream in self.streams.values():
            stream.fail(NoAnswer(why))
        self.writer.transport.abort()
        self.changed()

    def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        self.writer.close()

    def flush(self) -> None:
        if not self.writer.is_closing():
            self.writer.write(self.http2.data_to_send())

    async def read(self) -> None:
        buffer = b""
        try:
            while data := await self.reader.read(65536):
                self.last_byte = time.monotonic()
                buffer += data
                while len(buffer) >= FRAME_HEADER:
                    size = FRAME_HEADER + int.from_bytes(buffer[:3], "big")
                    if len(buffer) < size:
                        break
                    self.handle_frame(buffer[:size])
                    buffer = buffer[size:]
                self.flush()
            self.fail("the server closed the connection")
        except (OSError, h2.exceptions.ProtocolError) as error:
            self.fail(str(error))

    def handle_frame(self, frame: bytes) -> None:
        # After a GOAWAY, h2 takes no more answers. So it does not see one.
        if frame[3] == GOAWAY:
            self.handle_goaway(int.from_bytes(frame[9:13], "big") & 0x7FFFFFFF, frame[17:].decode(errors="replace"))
            return
        for event in self.http2.receive_data(frame):
            self.handle(event)

    def handle(self, event: h2.events.Event) -> None:
        stream = self.streams.get(getattr(event, "stream_id", None) or 0)
        match event:
            case h2.events.ResponseReceived() if stream:
                stream.status = int(dict(event.headers)[":status"])
            case h2.events.DataReceived():
                self.http2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                if stream:
                    stream.body += event.data
            case h2.events.StreamEnded() if stream:
                stream.end()
            case h2.events.StreamReset() if stream:
                is_refused = event.error_code == h2.errors.ErrorCodes.REFUSED_STREAM
                stream.fail(NotProcessed() if is_refused else NoAnswer(f"reset with {event.error_code}"))
            case h2.events.RemoteSettingsChanged():
                self.handle_settings(event)
            case h2.events.WindowUpdated():
                self.changed()

    def handle_settings(self, event: h2.events.RemoteSettingsChanged) -> None:
        limit = event.changed_settings.get(h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS)
        if limit and self.has_settings.is_set():
            self.limit_has_shrunk = limit.new_value == 1
        self.has_settings.set()
        self.changed()

    def handle_goaway(self, last: int, text: str) -> None:
        Connection.violations += "concurrent streams exceeded" in text
        report(f"GOAWAY {text}: the next request opens a new connection")
        if is_wrong("goaway-idle") and not self.streams:
            return
        self.is_usable = False
        for number, stream in self.streams.items():
            if number > last or is_wrong("goaway-busy"):
                stream.fail(NotProcessed())
        self.on_goaway()
        if not self.streams:
            self.writer.close()
        self.changed()

    async def watch(self) -> None:
        """Ends the connection if requests are open, nothing arrives, and no PING is answered."""
        while not is_wrong("blackhole"):
            await asyncio.sleep(SILENCE_TIMEOUT / 3)
            if self.writer.is_closing():
                return
            silence = time.monotonic() - self.last_byte
            if not self.streams or silence < SILENCE_TIMEOUT:
                continue
            asked = time.monotonic()
            self.http2.ping(b"waypost?")
            self.flush()
            await asyncio.sleep(SILENCE_TIMEOUT)
            if self.last_byte < asked and self.streams:
                report("the connection is dead: no answer to a PING")
                self.fail("no answer to a PING")
                return
