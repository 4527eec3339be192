# Waypost for tests in bash. Source this file; it needs bash 4.4 or later, jq, and curl for a running gateway.
# docs/stdio.md describes the protocol, and docs/scenarios.md the steps.
#
#   run_tests FUNCTION...   runs functions as tests, prints the results as TAP, and returns 1 if a test fails,
#                           and 69 if the running gateway cannot be reached
#   start FILE...           starts devices, which end with the test. All tests share a gateway
#   step JSON               performs a step, and checks what it expects. The answer is in $answer
#   token DEVICE            prints the token that a device has now
#   uninstall DEVICE APP [AFTER]        removes an app, whose own tokens answer 410, or 200 until the time is over
#   reinstall DEVICE APP                installs an app again as it was, with new tokens
#   update DEVICE APP                   installs an app over itself; its tokens stay
#   rotate_token DEVICE [APP [KIND]]    gives a device, or an app, another token; $answer has it, and the previous one
#   restore_backup DEVICE SOURCE        restores the backup of a device on another one; all its tokens are new
#   standing DEVICE STATE [APP [KIND]]  changes the answer to senders: active, unregistered, expired or wrongEnvironment
#   key [FILE ID TEAM]      lets the gateway know a key for provider tokens: a new one, or your own. It is in $key_file,
#                           $key_id and $key_team
#   gateway NAME            prints a URL of the gateway: service, courier, provider or providerPlaintext; or the path of
#                           the certificate of its provider listener: ca
#
# Tests start a gateway, or use the one whose URL is in the environment variable WAYPOST_GATEWAY. They start
# waypost-agent, or the command in WAYPOST_AGENT_COMMAND, such as: docker exec -i waypost waypost agent
# With WAYPOST_GATEWAY_AUTHENTICATION=token or apns, a back end needs tokens that a key of the gateway has signed.
#
# After a step that fails, the other steps of the test do nothing. A test also fails if its last command does.
# $namespace is the namespace of the test.

# The longest wait for an answer, in seconds. It must be longer than 'within' of any step.
waypost_time_limit=60

run_tests() {
  local test name number=0 result=0
  waypost_prepare_gateway || { result=$?; echo "Bail out! $waypost_problem"; return $result; }
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
  if [ -z "${WAYPOST_GATEWAY:-}" ]; then
    exec {waypost_gateway}>&-
    wait "$waypost_gateway_process"
  fi
  rm -r "$waypost_folder"
  return $result
}

start() {
  local program command options=() file
  # The device files; and the files and steps that were sent, each after the folder to which its paths are relative.
  waypost_files=() waypost_sent_folders=() waypost_sent_texts=()
  if [ -n "${WAYPOST_AGENT_COMMAND:-}" ]; then
    read -r -a command <<<"$WAYPOST_AGENT_COMMAND"
    command+=(--request-files)
  else
    waypost_find waypost-agent || return
    command=("$program")
  fi
  for file; do
    file=$(realpath --no-symlinks --canonicalize-missing "$file")
    waypost_files+=("$file") options+=(--device "$file")
  done
  namespace=test-$(</proc/sys/kernel/random/uuid)
  # The agent must not hold the standard input of the gateway open.
  coproc WAYPOST {
    [ -z "${waypost_gateway:-}" ] || exec {waypost_gateway}>&-
    exec "${command[@]}" --stdio --namespace "$namespace" "${waypost_agent_options[@]}" "${options[@]}" \
      2>"$waypost_folder/$namespace.log"
  }
  # The variables of a coprocess are unset when it ends.
  waypost_agent=$WAYPOST_PID waypost_output=${WAYPOST[0]} waypost_input=${WAYPOST[1]} waypost_lines=0
  waypost_read 'has("ready")' && waypost_devices=$answer
}

step() {
  [ -z "$waypost_problem" ] || return 1
  local id=$((waypost_lines += 1)) line place frame=1
  # Other functions of this file call this one.
  while [ "${BASH_SOURCE[frame]:-}" = "${BASH_SOURCE[0]}" ] && [ "${FUNCNAME[frame]}" != run_tests ]; do
    frame=$((frame + 1))
  done
  place="${BASH_SOURCE[frame]:-}, line ${BASH_LINENO[frame - 1]}"
  [ "${FUNCNAME[frame]:-}" != run_tests ] || place='at the end of the test'
  if ! line=$(jq -cn --argjson id $id 'input + {id: $id}' <<<"$1" 2>&1); then
    waypost_problem="$place: $line"$'\n'$1
    return 1
  fi
  waypost_sent_folders+=("$PWD") waypost_sent_texts+=("$line")
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
  jq -r --arg place "$place" 'select(.warning) | "# \($place): \(.warning)"' <<<"$answer" >&2
  [ -z "$waypost_problem" ]
}

token() { jq -r --arg name "$1" '.devices[] | select(.name == $name).token' <<<"$waypost_devices"; }

uninstall() { waypost_perform uninstall device "$1" app "$2" after "${3:-}"; }
reinstall() { waypost_perform reinstall device "$1" app "$2" && waypost_read_tokens "$1"; }
update() { waypost_perform update device "$1" app "$2"; }
rotate_token() {
  waypost_perform rotate-token device "$1" app "${2:-}" token "${3:-}" && waypost_read_tokens "$1"
}
restore_backup() { waypost_perform restore-backup device "$1" from "$2" && waypost_read_tokens "$1"; }
standing() { waypost_perform standing device "$1" state "$2" app "${3:-}" token "${4:-}"; }

# Performs an action; the keys and their values follow it, and those with an empty value are left out.
waypost_perform() {
  step "$(jq -cn --arg action "$1" '$ARGS.positional as $all
    | [range(0; $all | length; 2) | select($all[. + 1] != "") | {($all[.]): $all[. + 1]}]
    | {($action): add}' --args "${@:2}")"
}

# Reads the tokens of the devices, of which a step may have changed one; $answer stays that of the step.
waypost_read_tokens() {
  local changed=$answer
  step "$(jq -cn --arg device "$1" '{call: {at: $device, path: "/v1/devices"}}')" || return
  waypost_devices=$(jq -c '{devices: .answer}' <<<"$answer")
  answer=$changed
}

key() {
  local program command=(import "${1:-}")
  waypost_find waypost || return
  key_file=${1:-} key_id=${2:-} key_team=${3:-TEAM123456}
  if [ -z "$key_file" ]; then
    key_id=$(tr --complement --delete 0-9a-f </proc/sys/kernel/random/uuid | tr a-f A-F | head --bytes=10)
    key_file=$waypost_folder/AuthKey_$key_id.p8
    command=(create --out "$key_file")
  fi
  waypost_problem=$("$program" keys "${command[@]}" --id "$key_id" --team "$key_team" --gateway "$(gateway service)" \
    2>&1 >/dev/null) || return
  # The program has said where the key is.
  waypost_problem=
}

gateway() { jq -r --arg name "$1" '.[$name]' "$waypost_folder/gateway.json"; }

# Reads lines of the agent until one meets a condition of jq, and keeps it in $answer.
waypost_read() {
  local limit=$((SECONDS + waypost_time_limit)) status=142
  while ((SECONDS < limit)); do
    IFS='' read -r -t $((limit - SECONDS)) -u "$waypost_output" answer 2>/dev/null
    status=$?
    ((status == 0)) || break
    if jq -e "$1" <<<"$answer" >/dev/null; then return 0; fi
    if jq -e 'has("file")' <<<"$answer" >/dev/null; then waypost_send_file "$(jq -r .file <<<"$answer")"; fi
  done
  if ((status == 1)); then
    waypost_problem=$(echo 'waypost-agent has ended'; cat "$waypost_folder/$namespace.log")
  else
    waypost_problem="no answer within $waypost_time_limit seconds"
  fi
  return 1
}

# Sends the agent a file that it has requested.
waypost_send_file() {
  local file problem=
  file=$(realpath --no-symlinks --canonicalize-missing "$1")
  if ! waypost_names_file "$file"; then
    problem='the test does not name it, so the agent does not get it'
  elif ! [ -f "$file" ] || ! [ -r "$file" ]; then
    problem='there is no such file'
  fi
  if [ -n "$problem" ]; then
    jq -cn --arg file "$1" --arg problem "$problem" '{file: $file, problem: $problem}' >&"$waypost_input"
  else
    waypost_sent_folders+=("$(dirname "$file")") waypost_sent_texts+=("$(<"$file")")
    jq -cn --arg file "$1" --rawfile text "$file" '{file: $file, text: $text}' >&"$waypost_input"
  fi
}

# Returns whether a path is that of a device file, or a sent file or a step names it.
waypost_names_file() {
  local number relative each
  for each in "${waypost_files[@]}"; do [ "$each" != "$1" ] || return 0; done
  for number in "${!waypost_sent_texts[@]}"; do
    relative=$(realpath --no-symlinks --canonicalize-missing --relative-to="${waypost_sent_folders[number]}" "$1")
    if [[ "${waypost_sent_texts[number]}" == *"$1"* || "${waypost_sent_texts[number]}" == *"$relative"* ]]; then return 0; fi
  done
  return 1
}

# Ends the devices of a test.
waypost_end() {
  [ -n "$waypost_agent" ] || return 0
  { exec {waypost_input}>&-; } 2>/dev/null
  # It first performs the steps that it has read.
  for _ in {1..100}; do
    kill -0 "$waypost_agent" 2>/dev/null || break
    sleep 0.1
  done
  kill "$waypost_agent" 2>/dev/null || true
  wait "$waypost_agent" || true
  # The gateway keeps running. If it does not, the result of the test is what counts.
  [ -z "${WAYPOST_GATEWAY:-}" ] || waypost_call 0 "/v1/namespaces/$namespace" -X DELETE --max-time 30 >/dev/null 2>&1 || true
}

# Starts a gateway, or uses the running one.
waypost_prepare_gateway() {
  if [ -z "${WAYPOST_GATEWAY:-}" ]; then
    waypost_start_gateway
    return
  fi
  local health clock source=system status=0
  waypost_folder=$(mktemp -d -t waypost-XXXXXX)
  { health=$(waypost_call 10 /health) && clock=$(waypost_call 10 /v1/clock); } 2>"$waypost_folder/errors" || status=$?
  if ((status != 0)); then
    waypost_problem="the gateway $WAYPOST_GATEWAY cannot be used: $(<"$waypost_folder/errors") ${clock:-$health}"
    rm -r "$waypost_folder"
    # The host is not known, or nothing answers there: the status of a gateway that cannot be reached.
    if [[ " 6 7 28 52 56 " == *" $status "* ]]; then return 69; fi
    return 1
  fi
  local ca=$waypost_folder/ca.pem
  waypost_call 10 /v1/ca.pem >"$ca" 2>/dev/null || ca=
  jq --arg service "${WAYPOST_GATEWAY%/}" --arg ca "$ca" '. + {service: $service, ca: $ca}' <<<"$health" \
    >"$waypost_folder/gateway.json" 2>/dev/null || { waypost_problem="$WAYPOST_GATEWAY is not a gateway"; return 1; }
  if [ "$(jq -r .clock <<<"$clock")" = manual ]; then source=gateway; fi
  waypost_agent_options=(--gateway "${WAYPOST_GATEWAY%/}" --clock "$source")
}

# Calls the gateway's service API; $1: the seconds for a gateway that does not answer yet; $2: a path; the rest: options
# of curl.
waypost_call() {
  local seconds=$1 path=$2 options=(--silent --show-error --fail-with-body --noproxy '*' --max-time 5) status
  shift 2
  [ -z "${WAYPOST_ADMIN_TOKEN:-}" ] || options+=(--header "Authorization: Bearer $WAYPOST_ADMIN_TOKEN")
  local end=$((SECONDS + seconds))
  while true; do
    curl "${options[@]}" "$@" "${WAYPOST_GATEWAY%/}$path"
    status=$?
    # Refused, too slow, or ended without an answer: it may not have started yet.
    if [[ " 7 28 52 56 " != *" $status "* ]] || ((SECONDS >= end)); then return $status; fi
    sleep 0.2
  done
}

# Starts the gateway of all tests. It ends when its standard input does, so also if this shell is killed.
waypost_start_gateway() {
  local program
  waypost_find waypost-gateway || return
  # The gateway requires it only with authentication.
  local uuid=/proc/sys/kernel/random/uuid
  export WAYPOST_ADMIN_TOKEN=${WAYPOST_ADMIN_TOKEN:-$(cat $uuid $uuid | tr --complement --delete 0-9a-f)}
  waypost_folder=$(mktemp -d -t waypost-XXXXXX)
  waypost_agent_options=(--gateway-ready-file "$waypost_folder/gateway.json" --clock gateway)
  exec {waypost_gateway}> >(
    exec "$program" --store memory --clock manual --exit-on-eof --ready-file "$waypost_folder/gateway.json" \
      --service 127.0.0.1:0 --courier 127.0.0.1:0 --provider 127.0.0.1:0 --provider-plaintext 127.0.0.1:0 \
      --ca "$waypost_folder/ca" \
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
  waypost_problem+=" install the package of Waypost, or set WAYPOST_BIN to the folder of its programs"
  return 1
}
