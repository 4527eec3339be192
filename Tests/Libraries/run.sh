#!/bin/bash
# Runs the test suites of the libraries and helpers of docs/testing.md against real gateways and agents:
# `Tests/Libraries/run.sh [FOLDER]`.
# Each suite runs twice: with its own gateway, and with a running one and agents by another command.
#
# FOLDER has the built programs. Debian needs python3-venv, nodejs, a JDK, junit5, jq and curl.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
export WAYPOST_BIN=${1:-$root/.build/bin}
tools=$root/.build/libraries
junit=/usr/share/java/junit-platform-console-standalone.jar

[ -x "$tools/bin/python" ] || python3 -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt" "$root/Agent/Python"
[ -z "$(git -C "$root" status --porcelain --ignored Agent/Python | grep "^!!" | grep -v -e _cache/ -e __pycache__ || true)" ] \
  || { echo "the installation of the Python package left files in the clone" >&2; exit 1; }
javac -d "$tools/junit" -cp "$junit" "$root"/docs/examples/junit/*.java

# Checks that the suite that has just run left no namespace in the running gateway.
check_namespaces() {
  [ -n "${WAYPOST_GATEWAY:-}" ] || return 0
  local left
  left=$(curl --silent --fail "$WAYPOST_GATEWAY/v1/namespaces" | jq --compact-output '.[] | select(.name != "default")')
  [ -z "$left" ] || { echo "the tests left namespaces in the gateway: $left" >&2; exit 1; }
}

# $@: the tests of the Python library.
run_suites() {
  echo "== Python"
  (cd "$root/Agent/Python" && "$tools/bin/pytest" --quiet --numprocesses 4 "$@")
  check_namespaces
  "$tools/bin/pytest" --quiet -p no:cacheprovider "$root/docs/examples/python"
  check_namespaces
  echo "== Node"
  node --test "$root/docs/examples/node/stories.test.mjs"
  check_namespaces
  echo "== JUnit"
  (cd "$root/docs/examples/junit" && java -jar "$junit" --class-path "$tools/junit" --scan-class-path --disable-banner)
  check_namespaces
  echo "== bash"
  "$root/docs/examples/bash/stories.sh"
  check_namespaces
  echo "== Swift"
  swift test --package-path "$root/docs/examples/swift" --scratch-path "$root/.build/examples-swift"
  check_namespaces
}

(cd "$root/Agent/Python" && "$tools/bin/mypy")
run_suites

echo "== With a running gateway, and agents by another command"
rm --force "$tools/gateway.json" "$tools/backend.log"
"$WAYPOST_BIN/waypost-gateway" --store memory --clock manual --service 127.0.0.1:0 --courier 127.0.0.1:0 \
  --provider 127.0.0.1:0 --provider-plaintext 127.0.0.1:0 --ca "$tools/ca" --ready-file "$tools/gateway.json" >/dev/null &
trap 'kill %1' EXIT
until [ -s "$tools/gateway.json" ]; do kill -0 %1; sleep 0.1; done
WAYPOST_GATEWAY=$(jq --raw-output .service "$tools/gateway.json")
# It stands for `docker exec -i waypost waypost agent`.
WAYPOST_AGENT_COMMAND="env --chdir=/ $WAYPOST_BIN/waypost agent"
export WAYPOST_GATEWAY WAYPOST_AGENT_COMMAND
# A command of a step runs where the agent runs, so in another folder.
run_suites tests/test_stories.py tests/test_session.py --deselect tests/test_session.py::test_command_has_the_urls
echo "== The example for containers, without containers"
APNS_URL=$(jq --raw-output .providerPlaintext "$tools/gateway.json") PORT=0 node "$root/docs/examples/compose/backend/backend.mjs" \
  >"$tools/backend.log" &
trap 'kill %1 %2' EXIT
until [ -s "$tools/backend.log" ]; do kill -0 %2; sleep 0.1; done
BACKEND_URL=$(<"$tools/backend.log") "$tools/bin/pytest" --quiet -p no:cacheprovider "$root/docs/examples/compose/tests"
check_namespaces
