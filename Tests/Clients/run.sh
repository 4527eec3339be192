#!/bin/bash
# Lets real APNs clients send to a gateway, with the programs that stand in docs/clients.md: `Tests/Clients/run.sh [FOLDER]`.
#
# Those that cannot be told a host believe to talk to api.push.apple.com, and are led here by the proxy. FOLDER has the built programs. The status is 0 where
# every answer is the expected one, and exactly one request came for each send. Debian needs python3-venv, curl and openssl.
set -euo pipefail

SENDS=${SENDS:-2000}

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
programs=${1:-$root/.build/debug}
tools=$root/.build/clients
scratch=$(mktemp --directory)
gateway=
failed=

cleanup() {
  [ -z "$gateway" ] || { kill "$gateway" 2>/dev/null && wait "$gateway" || true; }
  rm --recursive --force "$scratch"
}
trap cleanup EXIT

# The programs of the page: what is indented between a mark and its end.
awk -v folder="$scratch" '
  /^<!-- run: / { file = folder "/" $3 }
  /^<!-- end -->/ { file = "" }
  file && /^(    |$)/ { print substr($0, 5) > file }' "$root/docs/clients.md"

[ -x "$tools/bin/python" ] || python3 -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"

mkfifo "$scratch/announcement"
"$programs/waypost-gateway" --service 127.0.0.1:0 --courier 127.0.0.1:0 --provider-plaintext 127.0.0.1:0 \
  --provider 127.0.0.1:0 --proxy 127.0.0.1:0 --authentication apns --data "$scratch/data" \
  --ready-file "$scratch/ready.json" >"$scratch/announcement" 2>"$scratch/log" &
gateway=$!
# The first line comes once every listener accepts.
exec {announcement}<"$scratch/announcement"
read -r -u "$announcement" || { cat "$scratch/log" >&2; exit 1; }

ready() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$scratch/ready.json" "$1"; }
service=$(ready service)
provider=$(ready provider)
admin="Authorization: Bearer $(cat "$scratch/data/admin-token")"
token=$(curl --silent --header "$admin" "$service/v1/devices" \
  --data '{"name":"iPad","topics":["com.example.clowntown"]}' \
  | python3 -c 'import json, sys; print(json.load(sys.stdin)["token"])')

# $1: a key's identifier. Each client has one: a key has one token in twenty minutes.
make_key() {
  "$programs/waypost" keys create --team TEAM123456 --id "$1" --out "$scratch/$1.p8" --ready-file "$scratch/ready.json" \
    >/dev/null 2>&1
}

# How many requests were answered so far.
requests() {
  curl --silent --header "$admin" "$service/metrics" \
    | awk '/^waypost_notifications_(accepted|rejected)_total/ { sum += $NF } END { print sum + 0 }'
}

# $1: a title; $2: how many sends; $3: what is expected; the rest: the command.
check() {
  local title=$1 count=$2 expected=$3 before answer
  shift 3
  before=$(requests)
  answer=$("$@" 2>&1) || true
  # What was refused is in the log a moment later.
  for _ in $(seq 1 50); do
    [ $(($(requests) - before)) -ge "$count" ] && break
    curl --silent --header "$admin" "$service/health" >/dev/null
  done
  if [ "$answer" = "$expected" ] && [ $(($(requests) - before)) -eq "$count" ]; then
    echo "$title: $count sends, as expected"
  else
    printf '%s: %d sends, %d requests; expected\n%s\nbut got\n%s\n' "$title" "$count" $(($(requests) - before)) \
      "$expected" "$answer" >&2
    failed=yes
  fi
}

make_key CURLKEY001
make_key AIOAPNS001
make_key HTTPXKEY01
eval "$("$programs/waypost" ca env --ready-file "$scratch/ready.json")"
export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
mixed=$(printf '200 None %d\n400 BadDeviceToken %d' $((SENDS - SENDS / 5)) $((SENDS / 5)))

check "curl, openssl" 1 200 \
  bash "$scratch/send-with-curl.sh" "$token" "$scratch/CURLKEY001.p8" CURLKEY001 TEAM123456
check "aioapns" "$SENDS" "$mixed" "$tools/bin/python" "$scratch/send_with_aioapns.py" \
  "$token" "$scratch/AIOAPNS001.p8" AIOAPNS001 TEAM123456 "${provider##*:}" "$SENDS"
check "httpx" "$SENDS" "$mixed" "$tools/bin/python" "$scratch/send_with_httpx.py" \
  "$token" "$scratch/HTTPXKEY01.p8" HTTPXKEY01 TEAM123456 "$SENDS"

[ -z "$failed" ] || { cat "$scratch/log" >&2; exit 1; }
