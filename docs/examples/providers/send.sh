#!/bin/bash
# A provider to start from, with curl, openssl and jq: it sends the messages that it reads from standard input, one JSON
# object per line.
#
#     waypost provider test -- docs/examples/providers/send.sh
#
# It sends the messages that arrive within a moment with one curl, one after another. It passes 22 of the 30
# quick trials. It fails no-churn, because each batch has a connection of its own, and silent-stream, because a message
# waits for the one before it; six trials of connections are not shown for the same reasons.
set -euo pipefail

url=${WAYPOST_URL:-https://api.push.apple.com}
folder=$(mktemp --directory)
trap 'rm --recursive --force "$folder"' EXIT
declare -A gone stopped replaced
attempt=0

base64url() { openssl base64 -e -A | tr -- '+/' '-_' | tr -d =; }

# $1: the key file; $2: the key; $3: the team. Writes a provider token to a file that all processes share.
sign() {
  local head claims signature part="$1.$2.token.$$"
  head=$(printf '{"alg":"ES256","kid":"%s"}' "$2" | base64url)
  claims=$(printf '{"iss":"%s","iat":%d}' "$3" "$(date +%s)" | base64url)
  # A signature in the form of JWT: the two numbers of 32 bytes, without the form of openssl around them.
  signature=$(printf %s "$head.$claims" | openssl dgst -sha256 -sign "$1" | openssl asn1parse -inform DER \
    | sed -n "s/.*INTEGER *:/$(printf '%064d' 0)/p" | sed 's/.*\(.\{64\}\)$/\1/; s/../\\x&/g' | tr -d '\n')
  signature=$(printf "$signature" | base64url)
  (umask 077 && printf 'header = "authorization: bearer %s"\n' "$head.$claims.$signature" >"$part")
  touch --date "@$(date +%s)" "$part"
  mv "$part" "$1.$2.token"
}

# Renews the token of a key after 50 minutes: APNs asks for 20 to 60. The arguments are those of `sign`.
need_token() {
  local age
  {
    # One process at a time checks the token, and signs another one (token-fleet).
    flock 9
    age=$(($(date +%s) - $(stat --format %Y "$1.$2.token" 2>/dev/null || echo 0)))
    { [ "$age" -ge 0 ] && [ "$age" -lt 3000 ]; } || sign "$@"
  } 9>"$1.$2.lock"
}

# Prints the options of curl for the messages of standard input, which are of one key.
requests() {
  jq --raw-output --arg url "$url" --arg folder "$folder" --argjson now "$(date +%s)" '
    (if .pushType == "background" then 5 else 10 end) as $priority
    | {now: 0, hour: ($now + 3600)}[.expiration // ""] as $expiration
    | "next", "url = \"\($url)/3/device/\(.token)\"", "http2", "silent", "max-time = 10", "noproxy = localhost",
      (env.WAYPOST_CA_FILE | select(.) | "cacert = \"\(.)\""),
      "output = \"\($folder)/answer-\(.marker)\"", "write-out = \"\(.marker) %{http_code}\\n\"",
      "header = \"apns-topic: \(.topic)\"", "header = \"apns-push-type: \(.pushType)\"",
      "header = \"apns-priority: \($priority)\"", "header = \"apns-collapse-id: \(.marker)\"",
      (select($expiration != null) | "header = \"apns-expiration: \($expiration)\""),
      "data-raw = \(.payload | tojson | tojson)", "config = \"\(.keyFile).\(.keyID).token\""'
}

# $1: the messages of a key, a file. Sends them, and adds those that must be sent again to the file `again`.
send() {
  local file key team marker status line reason token
  IFS=$'\t' read -r file key team < <(jq --raw-output '[.keyFile, .keyID, .teamID] | @tsv' "$1")
  [ -z "${stopped[$key]:-}" ] || return 0
  need_token "$file" "$key" "$team"
  while read -r marker status; do
    [ "$status" != 200 ] || continue
    line=$(jq --compact-output --arg marker "$marker" 'select(.marker == $marker)' "$1")
    token=$(jq --raw-output .token <<<"$line")
    reason=$(jq --raw-output '.reason // ""' "$folder/answer-$marker" 2>/dev/null || true)
    case $status-$reason in
      410-*) gone[$token]=$(jq '(.timestamp // now * 1000) / 1000 | floor' "$folder/answer-$marker") ;;
      403-ExpiredProviderToken)
        # At most once, so that a wrong clock makes no storm.
        [ -n "${replaced[$key]:-}" ] || { replaced[$key]=yes; sign "$file" "$key" "$team"; }
        echo "$line" >>"$folder/again"
        ;;
      403-*ProviderToken | 403-UnrelatedKeyIdInToken | 403-BadEnvironmentKeyInToken) stopped[$key]=yes ;;
      000-* | 429-* | 5*) echo "$line" >>"$folder/again" ;;
    esac
    echo "$marker: $status $reason" >&2
  done < <(requests <"$1" | sed '1{/^next$/d}' | curl --config -)
}

: >"$folder/again"
while true; do
  # The messages of the next batch: those to send again, and all that arrive within a moment.
  mv "$folder/again" "$folder/batch" && : >"$folder/again"
  wait=1 status=0
  while IFS= read -r -t "$wait" line || { status=$? && false; }; do
    echo "$line" >>"$folder/batch"
    wait=0.1
  done
  # Each repetition waits longer; Apple asks for 15 minutes after a 5xx.
  if [ -s "$folder/batch" ]; then
    rm --force "$folder"/key-*
    while read -r token registered key line; do
      [ "${gone[$token]:--1}" -ge "$registered" ] || echo "$line" >>"$folder/key-$key"
    done < <(jq --raw-output '"\(.token) \(.registeredAt) \(.keyID) \(tojson)"' "$folder/batch")
    for messages in "$folder"/key-*; do [ ! -e "$messages" ] || send "$messages"; done
  fi
  # The status of `read` is 1 at the end of the input, and more than 128 after a time-out.
  [ "$status" -gt 128 ] || break
  if [ -s "$folder/again" ]; then attempt=$((attempt < 9 ? attempt + 1 : 9)) && sleep $((1 << (attempt - 1))); else attempt=0; fi
done
