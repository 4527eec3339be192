"""The programs of Waypost: those in this package, if it is the wheel with programs, or those that are installed."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from ._errors import ProgramNotFound

# pytest shows the line of the test, not those of this file.
__tracebackhide__ = True

# One file is all programs. It chooses by the name by which it is started, or by its first argument.
_BUNDLED_PROGRAM = Path(__file__).parent / "bin" / "waypost"


def find_program(name: str) -> list[str]:
    """Returns the command that runs a program.

    It is in the folder that ``WAYPOST_BIN`` names, or else in this package, or else on the ``PATH``.

    :raises ProgramNotFound: if it is not there.
    """
    folder = os.environ.get("WAYPOST_BIN")
    path = shutil.which(os.path.join(os.path.abspath(folder), name)) if folder else None
    if path is None and _BUNDLED_PROGRAM.exists():
        return [str(_BUNDLED_PROGRAM), *name.split("-")[1:]]
    path = path or shutil.which(name)
    if path:
        return [path]
    place = f"in WAYPOST_BIN ({folder}) or on the PATH" if folder else "on the PATH"
    raise ProgramNotFound(
        f"{name} is not {place}; install the package of Waypost or the wheel that contains its programs, or set "
        "WAYPOST_BIN to the folder of its programs"
    )


def run() -> None:
    """Becomes the program of this package that has the name of the script."""
    os.execv(_BUNDLED_PROGRAM, [os.path.basename(sys.argv[0]), *sys.argv[1:]])
