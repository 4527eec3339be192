#!/bin/bash
# Tries the image of `make image` as a container's user does: `Tests/Packages/image.sh [FOLDER-OF-PACKAGES]`.
#
# buildah loads the file as Docker does; the script runs it with the settings in the image. The container runs with
# a read-only root and without privileges, in a network namespace of its own; the clients are in another one, as other
# containers or machines are. Debian needs buildah, curl, iproute2, jq, procps
# and python3; the script must run as root.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/../../.build/package}
archive=$(echo "$folder"/waypost-*-image-*.tar.gz)
[ -e "$archive" ] || { echo "$folder has no image; run 'make image' first" >&2; exit 2; }
[ "$(id --user)" -eq 0 ] || { echo "This script makes network namespaces, so it must run as root" >&2; exit 2; }

scratch=$(mktemp --directory)
host=waypost-$$
client=client-$$
address=10.77.0.2
container= slow=

leave() {
  stop_container
  [ -z "$slow" ] || kill "$slow" 2>/dev/null || true
  [ -z "${root:-}" ] || umount --lazy "$root/proc" 2>/dev/null || true
  ip netns delete "$host" 2>/dev/null || true
  ip netns delete "$client" 2>/dev/null || true
  "${buildah[@]}" umount --all >/dev/null 2>&1 || true
  rm --recursive --force --one-file-system "$scratch"
}

# Ends the first process of a container, and so all of them.
stop_container() {
  [ -z "$container" ] || { pkill --signal KILL --parent "$container" || true; wait "$container" 2>/dev/null || true; }
  container=
}

buildah=(buildah --storage-driver vfs --root "$scratch/storage" --runroot "$scratch/run")
trap leave EXIT
fail() { echo "✗ $*" >&2; [ ! -e "$scratch/log" ] || tail "$scratch/log" >&2; exit 1; }
step() { printf '\n== %s (%ds)\n' "$1" "$SECONDS"; }

step "The image"
size=$(stat --format=%s "$archive")
[ "$size" -le 100000000 ] || fail "the image has $size bytes"
gzip --decompress --stdout "$archive" >"$scratch/image.tar"
name=$("${buildah[@]}" from "docker-archive:$scratch/image.tar")
"${buildah[@]}" inspect --type container "$name" | jq '.Docker.config' >"$scratch/config.json"
jq --compact-output '[.Entrypoint, .Cmd, .User, .WorkingDir, .Volumes, .Healthcheck.Test]' "$scratch/config.json"
jq --exit-status '.Healthcheck.Test[0] == "CMD" and .User == "10001:10001" and .Labels["org.opencontainers.image.version"] != ""' \
  "$scratch/config.json" >/dev/null || fail "the settings of the image are not complete"
root=$("${buildah[@]}" mount "$name")
echo "$archive: $((size / 1000)) KB, $(du --summarize --apparent-size --block-size=1000 "$root" | cut --fields=1) KB unpacked"

ip netns add "$host"
ip netns add "$client"
ip link add "veth-$$" netns "$host" type veth peer name "peer-$$" netns "$client"
ip -netns "$host" address add "$address/24" dev "veth-$$"
ip -netns "$client" address add 10.77.0.3/24 dev "peer-$$"
for pair in "$host lo" "$host veth-$$" "$client lo" "$client peer-$$"; do ip -netns "${pair% *}" link set "${pair#* }" up; done

# Becomes the process of a container: with the image's settings, an ordinary user, and a root that it cannot write to.
cat >"$scratch/become.py" <<'PYTHON'
import json, os, shutil, sys
root, config, variables, arguments = sys.argv[1], json.load(open(sys.argv[2])), sys.argv[3].split(), sys.argv[4:]
os.chroot(root)
os.chdir(config["WorkingDir"])
os.setgroups([])
user, group = map(int, config["User"].split(":"))
os.setgid(group)
os.setuid(user)
environment = dict(each.split("=", 1) for each in ["PATH=/usr/bin", *config["Env"], *variables])
command = config["Entrypoint"] + (arguments or config["Cmd"])
os.execve(shutil.which(command[0], path=environment["PATH"]), command, environment)
PYTHON

# $@: the arguments after the name of the image; without any, the image runs its default command. Runs a container, with the variables
# in $variables and the folder $mounted at /waypost, and waits until its gateway answers.
run_container() {
  stop_container
  # A new volume has the content and the owner of the image's folder.
  rm --recursive --force "$scratch/volume"
  cp --recursive --preserve "$root/var/lib/waypost" "$scratch/volume"
  # shellcheck disable=SC2016
  ip netns exec "$host" unshare --mount --pid --fork --kill-child bash -euc '
    root=$1 volume=$2 mounted=$3; shift 3
    mount --bind "$root" "$root"
    mount --options remount,ro,bind "$root"
    mount --bind "$volume" "$root/var/lib/waypost"
    [ -z "$mounted" ] || mount --bind "$mounted" "$root/waypost"
    mount --types proc proc "$root/proc"
    exec python3 "$@"
  ' bash "$root" "$scratch/volume" "${mounted:-}" "$scratch/become.py" "$root" "$scratch/config.json" "${variables:-}" "$@" \
    >"$scratch/output" 2>"$scratch/log" &
  container=$!
}

# $@: a command on another machine.
elsewhere() { ip netns exec "$client" "$@"; }

# $1: a port and a path; the rest: options of curl. Prints the status of the answer.
status() {
  local place=$1
  shift
  elsewhere curl --silent --output /dev/null --write-out '%{http_code}' "$@" "http://$address:$place"
}

wait_until_healthy() {
  elsewhere curl --silent --fail --retry 100 --retry-delay 1 --retry-connrefused "http://$address:7330/health/ready" \
    >"$scratch/health.json" || fail "the gateway does not answer"
}

# $1: what is expected; the rest: a command whose output it must be.
expect() {
  local expected=$1 actual
  shift
  actual=$("$@") || true
  [ "$actual" = "$expected" ] || fail "expected $expected, got $actual: $*"
}

step "A gateway that other machines reach"
start=${EPOCHREALTIME/./}
variables='WAYPOST_GATEWAY_ALLOWED_HOST=waypost'
run_container
wait_until_healthy
expect https://waypost:7332 jq --raw-output .provider "$scratch/health.json"
jq --compact-output '{courier, provider, providerPlaintext, trustsNetwork, store}' "$scratch/health.json"
expect "http://$address:7331 true" jq --raw-output '"\(.courier) \(.trustsNetwork)"' "$scratch/health.json"
device=$(elsewhere curl --silent --fail --json '{"name":"iPad","topics":["com.example.clowntown"]}' "http://$address:7330/v1/devices")
token=$(jq --raw-output .token <<<"$device")
push=(--http2-prior-knowledge --header 'apns-topic: com.example.clowntown' --data '{"aps":{"alert":"Crusty is near"}}')
expect 200 status "7333/3/device/$token" "${push[@]}"
echo "from nothing to a push from another machine: $(((${EPOCHREALTIME/./} - start) / 1000)) ms"
elsewhere curl --silent --no-buffer --max-time 3 --header "Authorization: Bearer $(jq --raw-output .secret <<<"$device")" \
  "http://$address:7331/v1/events" >"$scratch/events" || true
grep --quiet '^data:.*Crusty is near' "$scratch/events" || fail "the device did not get the notification"
expect 200 status 7330/
grep --quiet 'the network is trusted' "$scratch/log" || fail "the log does not say that the network is trusted"
grep 'network ' "$scratch/output"

step "TLS with the gateway's own authority"
elsewhere curl --silent --fail --output "$scratch/ca.pem" "http://$address:7330/v1/ca.pem"
code=$(elsewhere curl --silent --output /dev/null --write-out '%{http_code} %{http_version}' --cacert "$scratch/ca.pem" \
  --resolve "waypost:7332:$address" --header 'apns-topic: com.example.clowntown' --data '{"aps":{"alert":"x"}}' \
  "https://waypost:7332/3/device/$token")
[ "$code" = '200 2' ] || fail "the provider API with TLS answered $code"

step "Pages of other sites, rebound names, oversized and slow requests"
# The gateway must close a connection whose request does not go on, and meanwhile serve others.
elsewhere python3 - "$address" >"$scratch/slow" <<'PYTHON' &
import socket, sys
for port in (7330, 7331, 7333):
    connection = socket.create_connection((sys.argv[1], port))
    connection.settimeout(120)
    connection.sendall(b"POST /v1/batches HTTP/1.1\r\nHost: waypost\r\nContent-Le")
    while connection.recv(4096):
        pass
print("closed")
PYTHON
slow=$!
for place in 7330/health 7330/ 7331/v1/events "7333/3/device/$token"; do
  for foreign in 'Host: rebound.example' 'Origin: http://evil.example' 'Sec-Fetch-Site: cross-site' 'Host: 10.77.0.2.example'; do
    expect 403 status "$place" --header "$foreign"
  done
done
for own in 'Host: waypost:7330' 'Host: localhost:7330' "Host: $address:7330"; do
  expect 200 status 7330/health --header "$own"
done
expect 413 status 7330/v1/batches --request POST --header 'Expect:' --header 'Content-Length: 70000000' --max-time 60 --data x
head --bytes=6000 /dev/zero | tr '\0' x >"$scratch/large"
expect 413 status "7333/3/device/$token" --http2-prior-knowledge --header 'apns-topic: com.example.clowntown' --data "@$scratch/large"
wait "$slow" || fail "a slow request kept its connection"
slow=
expect 200 status 7330/health

step "The end"
inside_check() { ip netns exec "$host" python3 "$scratch/become.py" "$root" "$scratch/config.json" "" health --quiet; }
mount --types proc proc "$root/proc"
inside_check || fail "the health check fails"
process=$(pgrep --parent "$container")
start=${EPOCHREALTIME/./}
kill -TERM "$process"
wait "$container" && result=0 || result=$?
took=$(((${EPOCHREALTIME/./} - start) / 1000))
container=
[ "$result" = 0 ] || fail "the gateway ended with status $result"
echo "ended in $took ms after SIGTERM"
[ "$took" -lt "${STOP_LIMIT:-3000}" ] || fail "the gateway took $took ms to end"
! inside_check 2>/dev/null || fail "the health check succeeds without a gateway"
umount "$root/proc"

step "The demo's devices"
run_container up
wait_until_healthy
expect "true https://waypost:7332 memory" jq --raw-output '"\(.trustsNetwork) \(.provider) \(.store)"' "$scratch/health.json"
for _ in $(seq 100); do
  elsewhere curl --silent "http://$address:7330/v1/devices" >"$scratch/devices.json"
  [ "$(jq '[.devices[]? | select(.connected and .device.purpose == null)] | length' "$scratch/devices.json")" -lt 3 ] || break
  sleep 0.2
done
jq --raw-output '.devices[].device | "\(.name)\t\(.token)"' "$scratch/devices.json"
token=$(jq --raw-output 'first(.devices[].device | select(.name == "iPad")).token' "$scratch/devices.json")
id=$(elsewhere curl --silent --fail "${push[@]}" --dump-header - "http://$address:7333/3/device/$token" | tr --delete '\r' \
  | sed --quiet 's/^apns-id: //p')
expect acknowledged sh -c "ip netns exec $client curl --silent 'http://$address:7330/v1/notifications/$id?wait=acknowledged&timeout=30s' | jq --raw-output .state"

step "Devices of one's own"
mkdir --parents "$scratch/mounted/devices"
echo '{name: Phone, apps: [{bundleIdentifier: com.example.one, scenes: []}]}' >"$scratch/mounted/devices/phone.yaml"
mounted=$scratch/mounted run_container up
wait_until_healthy
for _ in $(seq 100); do
  names=$(elsewhere curl --silent "http://$address:7330/v1/devices" | jq --raw-output '[.devices[]?.device.name] | join(",")')
  [ "$names" != Phone ] || break
  sleep 0.2
done
[ "$names" = Phone ] || fail "the devices are: $names"

step "Tests outside of the container, with its gateway and agents in it"
variables='WAYPOST_GATEWAY_CLOCK=manual'
run_container
wait_until_healthy
mount --types proc proc "$root/proc"
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check "$here/../../Agent/Python[pytest]"
# It stands for `docker exec --interactive waypost waypost agent`.
cat >"$scratch/agent" <<SHELL
#!/bin/sh
exec ip netns exec $host python3 $scratch/become.py $root $scratch/config.json '' agent "\$@"
SHELL
chmod +x "$scratch/agent"
(cd "$here/../../Agent/Python" && WAYPOST_BIN=/nowhere WAYPOST_GATEWAY="http://$address:7330" WAYPOST_AGENT_COMMAND="$scratch/agent" \
  PYTHONDONTWRITEBYTECODE=1 ip netns exec "$client" "$scratch/venv/bin/pytest" --quiet -p no:cacheprovider tests/test_stories.py)
expect '[]' sh -c "ip netns exec $client curl --silent http://$address:7330/v1/namespaces | jq --compact-output 'map(.name) - [\"default\"]'"
umount "$root/proc"

printf '\n✓ The image works (%ds)\n' "$SECONDS"
