#!/bin/bash
# Sends to a gateway for 32 seconds with h2load, 8 connections of 100 streams: `Tests/Clients/load.sh [FOLDER]`.
#
# The status is 0 if every request was accepted and the gateway's resident memory grew by at most a tenth between the
# 5th and the 30th second. FOLDER contains the built programs. Debian needs curl, nghttp2-client and python3.
set -euo pipefail

programs=${1:-$(cd "$(dirname "$0")/../.." && pwd)/.build/bin}
scratch=$(mktemp --directory)
gateway=

cleanup() {
  [ -z "$gateway" ] || { kill "$gateway" 2>/dev/null && wait "$gateway" || true; }
  rm --recursive --force "$scratch"
}
trap cleanup EXIT

mkfifo "$scratch/announcement"
"$programs/waypost-gateway" --service 127.0.0.1:0 --courier 127.0.0.1:0 --provider-plaintext 127.0.0.1:0 \
  --data "$scratch/data" --ready-file "$scratch/ready.json" >"$scratch/announcement" 2>"$scratch/log" &
gateway=$!
exec {announcement}<"$scratch/announcement"
read -r -u "$announcement" || { cat "$scratch/log" >&2; exit 1; }

field() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }
resident() { awk '/^VmRSS/ { print $2 }' "/proc/$gateway/status"; }

token=$(curl --silent "$(field service <"$scratch/ready.json")/v1/devices" \
  --data '{"name":"iPad","topics":["com.example.clowntown"]}' | field token)
printf '{"aps":{"alert":"Honk"}}' >"$scratch/body.json"
h2load -D 32 -c 8 -m 100 --data="$scratch/body.json" --header='apns-topic: com.example.clowntown' \
  --header='apns-push-type: alert' "$(field providerPlaintext <"$scratch/ready.json")/3/device/$token" >"$scratch/h2load" &
load=$!
sleep 5
early=$(resident)
sleep 25
late=$(resident)
wait "$load"

grep -E '^(finished|requests|status codes)' "$scratch/h2load"
echo "resident after 5 s: $early kB, after 30 s: $late kB"
grep --quiet ' 0 failed, 0 errored, 0 timeout$' "$scratch/h2load" || { echo "not everything was answered" >&2; exit 1; }
grep --quiet '^status codes: [1-9][0-9]* 2xx, 0 3xx, 0 4xx, 0 5xx$' "$scratch/h2load" \
  || { echo "not everything was accepted" >&2; exit 1; }
[ $((late * 10)) -le $((early * 11)) ] || { echo "the gateway grows" >&2; exit 1; }
