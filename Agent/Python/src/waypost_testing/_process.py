"""The processes of Waypost's programs."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ._errors import ProcessFailed

# pytest shows the line of the test, not those of this file.
__tracebackhide__ = True


class Process:
    """A process that ends when its standard input does, and so at the latest when this process is killed."""

    # A process ends within 5 seconds, even if requests are open.
    _END_SECONDS = 10.0
    _MOST_LOG_LINES = 20

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        log: Path,
        *,
        working_folder: Path | None = None,
        output: int = subprocess.DEVNULL,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Starts a command, which is called `name` in errors; `log` gets its standard error.

        The environment of the process is that of this one, and `environment`.
        """
        self.name = name
        self._lock = threading.Lock()
        self._log = log
        with log.open("wb") as error:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=error,
                cwd=working_folder,
                env={**os.environ, **(environment or {})},
                # Ctrl-C interrupts only the test, which then ends the process in order.
                start_new_session=True,
            )

    @property
    def identifier(self) -> int:
        """The process identifier."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def lines(self) -> Iterator[bytes]:
        """Returns the lines of standard output, until it ends."""
        assert self._process.stdout
        with self._process.stdout as lines:
            yield from lines

    def write(self, line: str) -> None:
        """Writes a line to the standard input of the process.

        :raises ProcessFailed: if the process has ended.
        """
        assert self._process.stdin
        try:
            with self._lock:
                self._process.stdin.write(line.encode() + b"\n")
                self._process.stdin.flush()
        except (OSError, ValueError):
            raise self.failure() from None

    def failure(self, problem: str | None = None) -> ProcessFailed:
        """Returns an error with the end of the log; without `problem`, the process has closed its input or output."""
        if problem is None:
            self.end()
            problem = f"ended with status {self._process.returncode}"
        log = self.log_text().strip()
        return ProcessFailed(f"{self.name} {problem}" + (f". Its log:\n\n{log}" if log else "; its log is empty"))

    @property
    def log_length(self) -> int:
        """The number of bytes in the log."""
        return self._log.stat().st_size if self._log.exists() else 0

    def log_text(self, start: int = 0) -> str:
        """Returns the last lines of the log after the byte `start`."""
        text = self._log.read_bytes()[start:].decode(errors="replace") if self._log.exists() else ""
        return "\n".join(text.splitlines()[-self._MOST_LOG_LINES :])

    def end(self) -> None:
        """Ends the process in order, and kills it if that takes too long."""
        assert self._process.stdin
        try:
            self._process.stdin.close()
        except OSError:
            pass  # The process has ended before it read the last line.
        # The agent first performs the step that it has read, unless a signal interrupts it.
        for seconds, end in ((1, self._process.terminate), (self._END_SECONDS, self._process.kill)):
            try:
                self._process.wait(seconds)
                return
            except subprocess.TimeoutExpired:
                end()
        self._process.wait()

    def kill(self) -> None:
        """Kills the process."""
        self._process.kill()
        self._process.wait()
