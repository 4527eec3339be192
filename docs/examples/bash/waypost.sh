# Waypost for tests in bash. Source this file; it needs bash 4.4 or later, and jq.
# docs/stdio.md describes the protocol, and docs/scenarios.md the steps.
#
#   run_tests FUNCTION...   runs functions as tests, prints the results as TAP, and returns 1 if a test fails
#   start FILE...           starts devices, which end with the test. All tests share a gateway
#   step JSON               performs a step, and checks what it expects. The answer is in $answer
#   token DEVICE            prints the token of a device
#   gateway NAME            prints a URL of the gateway: service, courier or providerPlaintext
#
# After a step that fails, the other steps of the test do nothing. A test also fails if its last command does.
# $namespace is the namespace of the test.

# The longest wait for an answer, in seconds. It must be longer than 'within' of any step.
waypost_time_limit=60
waypost_namespaces=0

run_tests() {
  local test name number=0 result=0
  waypost_start_gateway || { echo "Bail out! $waypost_problem"; return 1; }
  echo "1..$#"
  for test; do
    name=${test//_/ } number=$((number + 1)) waypost_problem='' waypost_agent=''
    if "$test" && step '{"finish": true}'; then
      echo "ok $number - ${name^}"
    else
      echo "not ok $number - ${name^}"
      sed 's/^/# /' <<<"${waypost_problem:-a command failed}"
      result=1
    fi
    waypost_end
  done
  exec {waypost_gateway}>&-
  wait "$waypost_gateway_process"
  rm -r "$waypost_folder"
  return $result
}

start() {
  local program options=() file
  waypost_find waypost-agent || return
  for file; do options+=(--device "$file"); done
  namespace=test-$((waypost_namespaces += 1))
  # The agent must not hold the standard input of the gateway open.
  coproc WAYPOST {
    exec "$program" --stdio --clock gateway --namespace "$namespace" \
      --gateway-ready-file "$waypost_folder/gateway.json" "${options[@]}" \
      {waypost_gateway}>&- 2>"$waypost_folder/$namespace.log"
  }
  # The variables of a coprocess are unset when it ends.
  waypost_agent=$WAYPOST_PID waypost_output=${WAYPOST[0]} waypost_input=${WAYPOST[1]} waypost_lines=0
  waypost_read 'has("ready")' && waypost_devices=$answer
}

step() {
  [ -z "$waypost_problem" ] || return 1
  local id=$((waypost_lines += 1)) line place="${BASH_SOURCE[1]}, line ${BASH_LINENO[0]}"
  [ "${FUNCNAME[1]}" != run_tests ] || place='at the end of the test'
  if ! line=$(jq -cn --argjson id $id 'input + {id: $id}' <<<"$1" 2>&1); then
    waypost_problem="$place: $line"$'\n'$1
    return 1
  fi
  # Not 'echo': a shell that writes to a program that has ended is ended too.
  cat <<<"$line" >&"$waypost_input"
  waypost_read "has(\"outcome\") and .id == $id" || { waypost_problem="$place: $waypost_problem"; return 1; }
  waypost_problem=$(jq -r --arg place "$place" --arg line "$line" '
    if .outcome == "passed" then empty else
      "\($place): \(.message)",
      (select(.differences | length > 1) | .differences[] | "  \(.field): expected \(.expected), got \(.actual)"),
      (select(.explanation) | "", .explanation),
      (select(.outcome == "refused") | $line)
    end' <<<"$answer")
  [ -z "$waypost_problem" ]
}

token() { jq -r --arg name "$1" '.devices[] | select(.name == $name).token' <<<"$waypost_devices"; }

gateway() { jq -r --arg name "$1" '.[$name]' "$waypost_folder/gateway.json"; }

# Reads lines of the agent until one meets a condition of jq, and keeps it in $answer.
waypost_read() {
  local limit=$((SECONDS + waypost_time_limit)) status=142
  while ((SECONDS < limit)); do
    IFS='' read -r -t $((limit - SECONDS)) -u "$waypost_output" answer 2>/dev/null
    status=$?
    ((status == 0)) || break
    if jq -e "$1" <<<"$answer" >/dev/null; then return 0; fi
  done
  if ((status == 1)); then
    waypost_problem=$(echo 'waypost-agent has ended'; cat "$waypost_folder/$namespace.log")
  else
    waypost_problem="no answer within $waypost_time_limit seconds"
  fi
  return 1
}

# Ends the devices of a test.
waypost_end() {
  [ -n "$waypost_agent" ] || return 0
  { exec {waypost_input}>&-; } 2>/dev/null
  [ -z "$waypost_problem" ] || kill "$waypost_agent" 2>/dev/null || true
  wait "$waypost_agent" || true
}

# Starts the gateway of all tests. It ends when its standard input does, so also if this shell is killed.
waypost_start_gateway() {
  local program
  waypost_find waypost-gateway || return
  waypost_folder=$(mktemp -d -t waypost-XXXXXX)
  exec {waypost_gateway}> >(
    exec "$program" --store memory --clock manual --exit-on-eof --ready-file "$waypost_folder/gateway.json" \
      --service 127.0.0.1:0 --courier 127.0.0.1:0 --provider-plaintext 127.0.0.1:0 \
      >/dev/null 2>"$waypost_folder/gateway.log"
  )
  waypost_gateway_process=$!
  until [ -s "$waypost_folder/gateway.json" ]; do
    if ! kill -0 "$waypost_gateway_process" 2>/dev/null; then
      waypost_problem="waypost-gateway has ended: $(<"$waypost_folder/gateway.log")"
      return 1
    fi
    sleep 0.02
  done
}

# Finds a program, and keeps its path in $program.
waypost_find() {
  program=$(PATH=${WAYPOST_BIN:+$WAYPOST_BIN:}$PATH type -P "$1") && return
  waypost_problem="$1 is not ${WAYPOST_BIN:+in WAYPOST_BIN ($WAYPOST_BIN) or }on the PATH;"
  waypost_problem+=" run 'make programs' in a clone of Waypost, and set WAYPOST_BIN to its folder .build/bin"
  return 1
}
