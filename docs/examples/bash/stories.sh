#!/usr/bin/env bash
# Run with: WAYPOST_BIN=$PWD/.build/bin docs/examples/bash/stories.sh

folder=$(dirname "${BASH_SOURCE[0]}")
source "$folder/waypost.sh"
iPad=$folder/../town/devices/ipad.yaml

crusty_opens_in_his_own_window() {
  start "$iPad"
  step '{"send": {"to": "iPad", "topic": "com.example.clowntown", "title": "Crusty is near",
    "target-content-id": "https://clowntown.example/clowns/crusty"}}'
  step '{"open": {"device": "iPad", "notification": "Crusty is near"},
    "expect": {"scene": "crusty-detail", "reason": "prefers"}}'
}

a_link_is_an_option_if_the_scene_connects() {
  start "$iPad"
  step '{"open": {"device": "iPad", "url": "https://tv.example/shows/lasso"},
    "expect": {"visible": ["watch-now"], "deliveries": ["scene(_:continue:) userActivity.webpageURL"]}}'
  step '{"callbacks": {"device": "iPad", "app": "com.example.tv", "cause": "universalLink", "state": "notRunning"},
    "expect": {"deliveries": ["scene.willConnect"], "notCalled": ["scene.continueUserActivity"], "findings": []}}'
}

a_link_needs_a_pin() {
  local lasso=https://tv.example/shows/lasso
  start "$iPad"
  step '{"contact": {"device": "iPad", "id": "enrique", "givenName": "Enrique", "handles": ["+14085550101"]}}'
  step '{"message": {"device": "iPad", "from": "Enrique", "text": "'$lasso'"}, "expect": {"shelf": []}}'
  step '{"pin": {"device": "iPad", "link": "'$lasso'"},
    "expect": {"shelf": ["'$lasso'"], "attribution": "Enrique"}}'
}

a_notification_expires_while_the_iPad_is_offline() {
  local id=$(</proc/sys/kernel/random/uuid)
  start "$iPad"
  step '{"network": {"device": "iPad", "state": "off"}}'
  send_for_an_hour "$id" 'Crusty is near' || return
  step '{"expect": {"device": "iPad", "never": {"notification": "Crusty is near"}}}'
  step '{"advance": "2h"}'
  step '{"network": {"device": "iPad", "state": "on"}}'
  step '{"expect": {"device": "iPad", "notification": {"title": "'$id'", "state": "expired"}}}'
}

tokens_end_and_are_replaced() {
  local app=com.example.bakery first
  start "$iPad"
  step '{"event": {"device": "iPad", "type": "appInstalled",
    "app": {"bundleIdentifier": "'$app'", "tokens": ["app"], "scenes": []}}}'
  uninstall iPad $app 1h
  step '{"send": {"to": "iPad", "topic": "'$app'", "title": "Lost"}, "expect": {"notification": "dropped"}}'
  reinstall iPad $app
  step '{"send": {"to": "iPad", "topic": "'$app'", "title": "Bread"}, "expect": {"notification": "acknowledged"}}'
  rotate_token iPad $app
  step '{"send": {"to": "iPad", "topic": "'$app'", "previous": true}, "expect": {"rejected": "Unregistered"}}'
  standing iPad expired $app
  update iPad $app
  step '{"send": {"to": "iPad", "topic": "'$app'"}, "expect": {"rejected": "ExpiredToken"}}'
  first=$(token iPad)
  restore_backup iPad iPad
  step '{"send": {"to": "iPad", "topic": "'$app'", "title": "Bread"}, "expect": {"notification": "acknowledged"}}'
  [ "$(token iPad)" != "$first" ]
}

# Prints a provider token, which a key of the gateway has signed.
provider_token() {
  local head claims
  head=$(printf '{"alg":"ES256","kid":"%s"}' "$key_id" | base64url)
  claims=$(printf '{"iss":"%s","iat":%d}' "$key_team" "$(date +%s)" | base64url)
  printf %s "$head.$claims.$(printf %s "$head.$claims" | openssl dgst -binary -sha256 -sign "$key_file" | base64url)"
}

base64url() { openssl base64 -e -A | tr -- '+/' '-_' | tr -d =; }

# Sends a notification to APNs, as your back end does.
send_for_an_hour() {
  key || return
  curl --silent --show-error --fail-with-body --http2-prior-knowledge \
    "$(gateway providerPlaintext)/3/device/$(token iPad)" \
    --header "authorization: bearer $(provider_token)" --header "apns-id: $1" \
    --header 'apns-topic: com.example.clowntown' --header 'apns-push-type: alert' \
    --header "apns-expiration: $(($(date +%s) + 3600))" --data '{"aps": {"alert": {"title": "'"$2"'"}}}'
}

run_tests crusty_opens_in_his_own_window a_link_is_an_option_if_the_scene_connects a_link_needs_a_pin \
  a_notification_expires_while_the_iPad_is_offline tokens_end_and_are_replaced
