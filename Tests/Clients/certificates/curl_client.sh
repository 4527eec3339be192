#!/bin/bash
# curl, which is no APNs client: a process for each message. A new provider token every 40 minutes, as Apple asks.
declare -A tokens times
base64url() { openssl base64 -e -A | tr -- '+/' '-_' | tr -d =; }

# $1: the team; $2: the key's identifier; $3: its file. Sets `tokens[$2]`.
sign() {
  local now head claims
  printf -v now '%(%s)T' -1
  [ $((now - ${times[$2]:-0})) -ge 2400 ] || return
  head=$(printf '{"alg":"ES256","kid":"%s"}' "$2" | base64url)
  claims=$(printf '{"iss":"%s","iat":%d}' "$1" "$now" | base64url)
  tokens[$2]=$head.$claims.$(printf %s "$head.$claims" | openssl dgst -binary -sha256 -sign "$3" | base64url)
  times[$2]=$now
}

declare -A gone
while read -r line; do
  mapfile -t values < <(jq -cr '.token, .topic, .pushType, .expiration // "", .teamID, .keyID, .keyFile,
    .registeredAt * 1000, .payload' <<<"$line")
  [ "${values[7]}" -gt "${gone[${values[0]}]:-0}" ] || continue
  sign "${values[4]}" "${values[5]}" "${values[6]}"
  more=()
  [ "${values[2]}" != background ] || more+=(--header 'apns-priority: 5')
  printf -v now '%(%s)T' -1
  [ "${values[3]}" != now ] || more+=(--header 'apns-expiration: 0')
  [ "${values[3]}" != hour ] || more+=(--header "apns-expiration: $((now + 3600))")
  answer=$(curl --silent --http2 --header "authorization: bearer ${tokens[${values[5]}]}" \
    --header "apns-topic: ${values[1]}" --header "apns-push-type: ${values[2]}" "${more[@]}" --write-out '\n%{http_code}' \
    --data "${values[8]}" "$WAYPOST_URL/3/device/${values[0]}" </dev/null)
  [ "${answer##*$'\n'}" != 410 ] || gone[${values[0]}]=$(jq '.timestamp // (now * 1000) | floor' <<<"${answer%$'\n'*}")
done
