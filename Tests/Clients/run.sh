#!/bin/bash
# Sends to a gateway with real APNs clients, using the programs in docs/clients.md and those of backends.py:
# `Tests/Clients/run.sh [FOLDER]`.
#
# Clients hard-wired to api.push.apple.com are redirected to the gateway by its proxy. FOLDER contains the built
# programs. The status is 0 if every answer is the expected one and the gateway received exactly one request for each
# send. Debian needs python3-venv, iproute2, php-cli, php-curl, curl, openssl, nghttp2-client, nodejs and a JDK.
set -euo pipefail

SENDS=${SENDS:-2000}

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
programs=${1:-$root/.build/bin}
tools=$root/.build/clients
old_tools=$root/.build/clients-pyapns2
scratch=$(mktemp --directory)
gateway=
failed=
skipped=

stop_gateway() {
  [ -z "$gateway" ] || { kill "$gateway" 2>/dev/null && wait "$gateway" || true; }
  gateway=
}

cleanup() {
  stop_gateway
  rm --recursive --force "$scratch"
}
trap cleanup EXIT

# Extracts the programs of the page: the indented lines between a `run` mark and its `end` mark.
awk -v folder="$scratch" '
  /^<!-- run: / { file = folder "/" $3 }
  /^<!-- end -->/ { file = "" }
  file && /^(    |$)/ { print substr($0, 5) > file }' "$root/docs/clients.md"

# $1: the folder of a Python environment; $2: its requirements file.
make_environment() {
  [ -x "$1/bin/python" ] || python3 -m venv "$1"
  "$1/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/$2"
}

make_environment "$tools" requirements.txt
# PyAPNs2 needs older packages than the other clients.
make_environment "$old_tools" requirements-pyapns2.txt

ready() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$folder/ready.json" "$1"; }

# $1: a name; the rest: further options. Also sets the environment variables that redirect the clients.
start_gateway() {
  stop_gateway
  folder=$scratch/$1
  shift
  mkdir "$folder"
  mkfifo "$folder/announcement"
  "$programs/waypost-gateway" --service 127.0.0.1:0 --courier 127.0.0.1:0 --provider-plaintext 127.0.0.1:0 \
    --provider 127.0.0.1:0 --proxy 127.0.0.1:0 --authentication apns --data "$folder/data" \
    --ready-file "$folder/ready.json" "$@" >"$folder/announcement" 2>"$folder/log" &
  gateway=$!
  # The gateway prints its first line when every listener accepts connections.
  exec {announcement}<"$folder/announcement"
  read -r -u "$announcement" || { cat "$folder/log" >&2; exit 1; }

  service=$(ready service)
  provider=$(ready provider)
  plaintext=$(ready providerPlaintext)
  proxy=$(ready proxy)
  admin="Authorization: Bearer $(cat "$folder/data/admin-token")"
  eval "$("$programs/waypost" ca env --ready-file "$folder/ready.json")"
  export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
  token=$(curl --silent --header "$admin" "$service/v1/devices" \
    --data '{"name":"iPad","topics":["com.example.clowntown"]}' \
    | python3 -c 'import json, sys; print(json.load(sys.stdin)["token"])')
}

# $1: the identifier of a key. Each client has its own.
make_key() {
  "$programs/waypost" keys create --team TEAM123456 --id "$1" --out "$folder/$1.p8" --ready-file "$folder/ready.json" \
    >/dev/null 2>&1
}

# Prints the number of answered requests.
requests() {
  curl --silent --header "$admin" "$service/metrics" \
    | awk '/^waypost_notifications_(accepted|rejected)_total/ { sum += $NF } END { print sum + 0 }'
}

# $1: a title; $2: the number of sends; $3: the expected output; the rest: the command.
check() {
  local title=$1 count=$2 expected=$3 before answer
  shift 3
  before=$(requests)
  answer=$("$@" 2>&1) || true
  # The metrics may count refused requests a little later.
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

# $1: a program. The status is 1 if it is missing, which is an error with CI=true.
has() {
  command -v "$1" >/dev/null && return
  skipped="$skipped $1"
  [ "${CI:-}" != true ] || failed=yes
  return 1
}

mixed=$(printf '200 None %d\n400 BadDeviceToken %d' $((SENDS - SENDS / 5)) $((SENDS / 5)))
named=$(printf 'BadDeviceToken %d\nSuccess %d' $((SENDS / 5)) $((SENDS - SENDS / 5)))

# This comes first, because it installs packages, for which the variables of a gateway's clients are wrong.
python3 "$here/backends.py" "$programs" || failed=yes

start_gateway private
for key in CURLKEY001 H2LOADKEY1 AIOAPNS001 HTTPXKEY01 PYAPNSKEY1 KALYKEKEY1 NODEKEY001 JAVAKEY001; do make_key "$key"; done
"$programs/waypost" ca client --topic com.example.clowntown --folder "$folder/data/ca" --out "$folder/provider.pem" >/dev/null

check "curl, openssl" 1 200 \
  bash "$scratch/send-with-curl.sh" "$token" "$folder/CURLKEY001.p8" CURLKEY001 TEAM123456
check "curl, a certificate" 1 200 bash "$scratch/send-with-curl-certificate.sh" "$token" "$folder/provider.pem"
check "h2load" "$SENDS" "status codes: $SENDS 2xx, 0 3xx, 0 4xx, 0 5xx" bash "$scratch/send-with-h2load.sh" \
  "$token" "$folder/H2LOADKEY1.p8" H2LOADKEY1 TEAM123456 "${plaintext##*:}" "$SENDS"
check "aioapns" "$SENDS" "$mixed" "$tools/bin/python" "$scratch/send_with_aioapns.py" \
  "$token" "$folder/AIOAPNS001.p8" AIOAPNS001 TEAM123456 "${provider##*:}" "$SENDS"
check "httpx" "$SENDS" "$mixed" "$tools/bin/python" "$scratch/send_with_httpx.py" \
  "$token" "$folder/HTTPXKEY01.p8" HTTPXKEY01 TEAM123456 "$SENDS"
check "PyAPNs2" "$SENDS" "$named" "$old_tools/bin/python" "$scratch/send_with_pyapns2.py" \
  "$token" "$folder/PYAPNSKEY1.p8" PYAPNSKEY1 TEAM123456 "${provider##*:}" "$SENDS"
if has node; then
  check "node" "$SENDS" "$mixed" node "$scratch/send-with-node.js" \
    "$token" "$folder/NODEKEY001.p8" NODEKEY001 TEAM123456 "${provider##*:}" "$SENDS"
fi
if has keytool; then
  bearer=$("$tools/bin/python" -c 'import jwt, sys, time
print(jwt.encode({"iss": "TEAM123456", "iat": int(time.time())}, open(sys.argv[1]).read(), "ES256", {"kid": sys.argv[2]}))' \
    "$folder/JAVAKEY001.p8" JAVAKEY001)
  check "java" 20 $'200 None 16\n400 BadDeviceToken 4' \
    bash -c 'java "$@" 2>/dev/null' java "$scratch/Send.java" "$token" "$bearer" "${proxy##*:}" 20
fi
# This client opens a connection for each send, which takes time.
few=$((SENDS / 10))
check "kalyke, a token for each" "$few" "$(printf 'BadDeviceToken %d\nSuccess %d' $((few / 5)) $((few - few / 5)))" \
  "$tools/bin/python" "$scratch/send_with_kalyke.py" "$token" "$folder/KALYKEKEY1.p8" KALYKEKEY1 TEAM123456 "$few"

start_gateway shared-tokens --token-churn key
make_key KALYKEKEY1
check "kalyke, with --token-churn key" 2 $'Success 1\nTooManyProviderTokenUpdates 1' \
  "$tools/bin/python" "$scratch/send_with_kalyke.py" "$token" "$folder/KALYKEKEY1.p8" KALYKEKEY1 TEAM123456 2

[ -z "$skipped" ] || echo "skipped, because these programs are missing:$skipped"
[ -z "$failed" ] || { cat "$scratch"/*/log >&2; exit 1; }
