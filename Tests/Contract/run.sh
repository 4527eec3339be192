#!/bin/bash
# Checks a running gateway against docs/openapi.yaml, and one of its agents against docs/openapi-agent.yaml, with
# schemathesis: `Tests/Contract/run.sh [FOLDER-OF-PROGRAMS]`.
#
# The script calls every implemented operation of the service and courier listeners with generated valid and invalid
# requests, on the memory store and on the sqlite store. It does the same for the control API and the app API, where
# every operation must also succeed at least once, and it walks through the display context of attribution views. The
# status is 0 if every answer conforms to the documents.
# Debian needs python3-venv and curl.
set -euo pipefail

SCHEMATHESIS=4.32.5
SEED=${SEED:-7}
EXAMPLES=${EXAMPLES:-15}

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
programs=${1:-$root/.build/bin}
program=$programs/waypost-gateway
tools=$root/.build/contract
python=$tools/bin/python
scratch=$(mktemp --directory)
gateway=
agent=
# The variables of agent_cases.py, during the checks of an agent.
agent_variables=()

stop_agent() {
  [ -z "$agent" ] && return
  kill "$agent" 2>/dev/null || true
  wait "$agent" || true
  agent=
}

stop_gateway() {
  stop_agent
  [ -z "$gateway" ] && return
  kill "$gateway" 2>/dev/null || true
  wait "$gateway" || true
  gateway=
}

trap 'stop_gateway; rm --recursive --force "$scratch"' EXIT

# $@: the gateway's options. Sets $service and $courier.
start_gateway() {
  local announcement
  mkfifo "$scratch/announcement.$1.$2"
  "$program" --service 127.0.0.1:0 --courier 127.0.0.1:0 --provider-plaintext 127.0.0.1:0 --ready-file "$scratch/ready.json" "$@" \
    >"$scratch/announcement.$1.$2" 2>"$scratch/log" &
  gateway=$!
  # The gateway prints its first line when every listener accepts connections, and none if it cannot start.
  exec {announcement}<"$scratch/announcement.$1.$2"
  read -r -u "$announcement" || { cat "$scratch/log" >&2; exit 1; }
  service=$("$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["service"])' "$scratch/ready.json")
  courier=$("$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["courier"])' "$scratch/ready.json")
}

# Sets $control, $apps and $credential.
start_agent() {
  rm --force "$scratch/agent.json"
  cat >"$scratch/agent.yaml" <<'EOF'
name: iPad
apps:
  - bundleIdentifier: com.example.clowntown
    applicationIdentifier: ABCDE12345.com.example.clowntown
    associatedDomains: ["applinks:clowntown.example?mode=developer"]
    sharedWithYou: true
    scenes: [{persistentIdentifier: main, state: foregroundActive}]
    shortcutItems: [{type: honk, localizedTitle: Honk}]
    notificationCategories:
      - identifier: CLOWN
        actions: [{identifier: REPLY, title: Reply, textInputButtonTitle: Send}]
    supportsLiveActivities: true
    tokens: [control]
associatedDomainsDevelopment: {clowntown.example: ./association.json}
EOF
  echo '{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.clowntown"],"components":[{"/":"*"}]}]}}' \
    >"$scratch/association.json"
  mkfifo "$scratch/announcement.agent"
  "$programs/waypost-agent" --device "$scratch/agent.yaml" --gateway "$service" --courier "$courier" --clock manual \
    --data "$scratch/device" --ready-file "$scratch/agent.json" --log-level error \
    >"$scratch/announcement.agent" 2>"$scratch/log" &
  agent=$!
  local announcement
  exec {announcement}<"$scratch/announcement.agent"
  read -r -u "$announcement" || { cat "$scratch/log" >&2; exit 1; }
  control=$("$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["control"])' "$scratch/agent.json")
  apps=$("$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["apps"])' "$scratch/agent.json")
  credential=$(curl --silent --fail "$control/v1/devices/iPad/apps/com.example.clowntown/credential" \
    | "$python" -c 'import json, sys; print(json.load(sys.stdin)["credential"])')
}

# Checks an API of the agent like `check`; every operation must succeed at least once.
check_agent() {
  : >"$scratch/successes"
  agent_variables=(WAYPOST_CONTROL="$control" WAYPOST_APPS="$apps" WAYPOST_SUCCESSES="$scratch/successes")
  check "$@"
  agent_variables=()
  "$python" "$here/unreached.py" "$scratch/document.json" "$scratch/successes" \
    || failures+=("$1: an operation that never succeeded")
}

# $1: a title; $2: the URL of a listener; $3: its tag, then operations to leave out; the rest: options of schemathesis.
check() {
  local title=$1 url=$2 listener=$3
  shift 3
  echo "== $title"
  # shellcheck disable=SC2086
  "$python" "$here/listener.py" $listener >"$scratch/document.json"
  if (cd "$scratch" && env "${agent_variables[@]}" \
      WAYPOST_SERVICE="$service" SCHEMATHESIS_HOOKS=hooks PYTHONPATH="$here" PYTHONDONTWRITEBYTECODE=1 \
      "$tools/bin/schemathesis" --config-file "$here/schemathesis.toml" run document.json --url "$url" \
      --seed "$SEED" --max-examples "$EXAMPLES" --warnings off --no-color "$@" >"$scratch/report" 2>&1); then
    grep --extended-regexp '^(  Tested|  [0-9]+ generated|=+ .* in )' "$scratch/report"
  else
    cat "$scratch/report"
    failures+=("$title")
  fi
}

# The scenario runs before other checks change the device.
check_display_context() {
  echo "== agent, display context"
  PYTHONDONTWRITEBYTECODE=1 "$python" "$here/display_context.py" "$control" "$apps" \
    || failures+=("agent, display context")
}

# An event stream never ends, so this function reads only the head of its answer, without schemathesis.
# $1: the URL of the stream; $2: the bearer token.
check_stream() {
  "$python" - "$1" "$2" <<'EOF' || failures+=("GET $1")
import sys
import urllib.request

request = urllib.request.Request(sys.argv[1], headers={"Authorization": "Bearer " + sys.argv[2]})
with urllib.request.urlopen(request, timeout=60) as stream:
    found = (stream.status, stream.headers.get_content_type())
assert found == (200, "text/event-stream"), found
EOF
}

# A rotation ends the secret of the other requests, so this function sends it, without schemathesis.
rotate_secret() {
  local next=${secret:0:3}0000000000000000000000000000000000000000000000000000000000000 status
  status=$(curl --silent --output /dev/null --write-out '%{http_code}' --request PUT \
    --header "Authorization: Bearer $secret" --header 'Content-Type: application/json' \
    --data "{\"secret\":\"$next\"}" "$courier/v1/secret")
  [ "$status" = 204 ] || failures+=("PUT $courier/v1/secret: $status")
  secret=$next
}

register() {
  curl --silent --fail --header 'Content-Type: application/json' \
    --data '{"name":"iPad","topics":["com.example.clowntown"]}' "$service/v1/devices" \
    | "$python" -c 'import json, sys; print(json.load(sys.stdin)["secret"])'
}

[ -x "$program" ] || { echo "There is no $program; build it first." >&2; exit 2; }
[ -x "$python" ] || python3 -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$SCHEMATHESIS"

failures=()
for store in memory sqlite; do
  for clock in system manual; do
    [ "$store/$clock" = sqlite/manual ] && continue
    start_gateway --store "$store" --clock "$clock" --data "$scratch/data"
    check "service, $store store, $clock clock" "$service" "service followActivity linkAgent"
    secret=$(register)
    check "courier, $store store, $clock clock" "$courier" "courier streamNotifications openSession rotateSecret" \
      --header "Authorization: Bearer $secret"
    rotate_secret
    check_stream "$courier/v1/events" "$secret"
    stop_gateway
    rm --force "$scratch"/announcement.*
  done
done

start_gateway --store memory
start_agent
check_display_context
check_agent "agent, app API" "$apps" "agent-apps attach" --header "Authorization: Bearer $credential"
check_stream "$apps/v1/app/events" "$credential"
check_stream "$control/v1/devices/iPad/events" ""
check_agent "agent, control API" "$control" "agent-control streamDeviceEvents"
if [ -s "$scratch/log" ]; then
  cat "$scratch/log"
  failures+=("the log of the agent")
fi
stop_gateway

if [ "${#failures[@]}" -gt 0 ]; then
  printf 'not as the documents say: %s\n' "${failures[@]}"
  exit 1
fi
echo "every answer was as the documents say"
