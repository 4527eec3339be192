#!/bin/bash
# Tries `waypost provider test` with a provider that is right, and wrong in one way after another:
# `Tests/Providers/run.sh [FOLDER [OPTION…]]`.
#
# FOLDER contains the built programs; the options are those of run.py. Debian needs faketime and python3-venv.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
programs=$(realpath "${1:-$root/.build/bin}")
shift || true
tools=$root/.build/providers

[ -x "$tools/bin/python" ] || python3 -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
exec "$tools/bin/python" "$here/run.py" "$programs" "$@"
