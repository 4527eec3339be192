#!/bin/bash
# Runs the test suites of the libraries and helpers of docs/testing.md against real gateways and agents:
# `Tests/Libraries/run.sh [FOLDER]`.
#
# FOLDER has the built programs. Debian needs python3-venv, nodejs, a JDK, junit5, jq and curl.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
export WAYPOST_BIN=${1:-$root/.build/bin}
tools=$root/.build/libraries
junit=/usr/share/java/junit-platform-console-standalone.jar

echo "== Python"
[ -x "$tools/bin/python" ] || python3 -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt" "$root/Agent/Python"
(cd "$root/Agent/Python" && "$tools/bin/mypy" && "$tools/bin/pytest" --quiet --numprocesses 4)

echo "== Node"
node --test "$root/docs/examples/node/stories.test.mjs"

echo "== JUnit"
javac -d "$tools/junit" -cp "$junit" "$root"/docs/examples/junit/*.java
(cd "$root/docs/examples/junit" && java -jar "$junit" --class-path "$tools/junit" --scan-class-path --disable-banner)

echo "== bash"
"$root/docs/examples/bash/stories.sh"

echo "== Swift"
swift test --package-path "$root/docs/examples/swift" --scratch-path "$root/.build/examples-swift"
