#!/bin/bash
# Uses the console as a person would, in Debian's Chromium: `Tests/Console/run.sh [NAME ...]`.
#
# Without names, it runs every journey of journeys.py; with `--pictures FOLDER`, it draws the pictures of docs/console.md.
# The variable WAYPOST_BIN can name another folder of programs than that of the build.
# Debian needs python3-venv and chromium.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tools=$root/.build/console

[ -x "$tools/bin/python" ] || python3 -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
PYTHONDONTWRITEBYTECODE=1 PATH="${WAYPOST_BIN:-$root/.build/bin}:$PATH" exec "$tools/bin/python" "$here/journeys.py" "$@"
