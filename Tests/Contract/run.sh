#!/bin/bash
# Holds docs/openapi.yaml against a running gateway, with schemathesis: `Tests/Contract/run.sh [PROGRAM]`.
#
# Every built operation of the service and the courier listener is called with generated requests, good and bad ones, on
# the memory store and on the sqlite store. The status of the script is 0 where every answer is as the document says.
# Debian needs python3-venv and curl.
set -euo pipefail

SCHEMATHESIS=4.32.5
SEED=${SEED:-7}
EXAMPLES=${EXAMPLES:-15}

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
program=${1:-$root/.build/debug/waypost-gateway}
tools=$root/.build/contract
python=$tools/bin/python
scratch=$(mktemp --directory)
gateway=

stop_gateway() {
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
  # The first line comes once every listener accepts; none comes where the gateway cannot start.
  exec {announcement}<"$scratch/announcement.$1.$2"
  read -r -u "$announcement" || { cat "$scratch/log" >&2; exit 1; }
  service=$("$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["service"])' "$scratch/ready.json")
  courier=$("$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["courier"])' "$scratch/ready.json")
}

# $1: a title; $2: a listener's URL; $3: its tag, and operations to leave out; the rest: schemathesis' options.
check() {
  local title=$1 url=$2 listener=$3
  shift 3
  echo "== $title"
  # shellcheck disable=SC2086
  "$python" "$here/listener.py" $listener >"$scratch/document.json"
  if (cd "$scratch" && WAYPOST_SERVICE=$service SCHEMATHESIS_HOOKS=hooks PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 \
      "$tools/bin/schemathesis" --config-file "$here/schemathesis.toml" run document.json --url "$url" \
      --seed "$SEED" --max-examples "$EXAMPLES" --warnings off --no-color "$@" >"$scratch/report" 2>&1); then
    grep --extended-regexp '^(  Tested|  [0-9]+ generated|=+ .* in )' "$scratch/report"
  else
    cat "$scratch/report"
    failures+=("$title")
  fi
}

# An event stream never ends, so that it is asked for once and by hand.
check_stream() {
  local head
  head=$(curl --silent --max-time 1 --dump-header - --output /dev/null \
    --header "Authorization: Bearer $secret" "$courier/v1/events" || true)
  grep --quiet '^HTTP/1.1 200' <<<"$head" && grep --quiet --ignore-case '^content-type: text/event-stream' <<<"$head" \
    || { echo "$head"; failures+=("GET /v1/events"); }
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
    check "service, $store store, $clock clock" "$service" service
    secret=$(register)
    check "courier, $store store, $clock clock" "$courier" "courier streamNotifications" \
      --header "Authorization: Bearer $secret"
    check_stream
    stop_gateway
    rm --force "$scratch"/announcement.*
  done
done

if [ "${#failures[@]}" -gt 0 ]; then
  printf 'not as docs/openapi.yaml says: %s\n' "${failures[@]}"
  exit 1
fi
echo "every answer was as docs/openapi.yaml says"
