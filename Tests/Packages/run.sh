#!/bin/bash
# Tries the Debian package of `make package` as a user does: `Tests/Packages/run.sh [FOLDER-OF-PACKAGES]`.
#
# In a root that debootstrap makes, without a compiler, the script
# - installs the wheel of `make wheel` beside Python alone, and runs the test of the README,
# - installs the package,
# - runs the demo, a scenario, a load test and the clients for bash,
# - checks the manual, the completions and the units,
# - upgrades an older version whose gateway has data in the format of version 0.1.0,
# - removes and purges the package, and compares the files with those before the installation.
#
# Programs run in a network namespace of their own. Debian needs debootstrap, iproute2, python3 and systemd; the script
# must run as root.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
packages=${1:-$project/.build/package}
package=$(echo "$packages"/waypost_*.deb)
tarball=$(echo "$packages"/waypost-*-linux-*.tar.gz)
[ -e "$package" ] || { echo "$packages has no Debian package; run 'make package' first" >&2; exit 2; }
wheel=$(echo "$packages"/waypost_testing-*.whl)
[ -e "$wheel" ] || { echo "$packages has no wheel; run 'make wheel' first" >&2; exit 2; }
. "$here/root.sh"

# $1: a script that runs in the root, without a network but loopback.
offline() {
  unshare --net bash -c 'ip link set lo up && exec "$@"' bash \
    chroot "$root" /usr/bin/env --ignore-environment PATH=/usr/bin:/bin HOME=/root LANG=C.UTF-8 bash -euo pipefail -c "$1"
}

# $1: a command inside; prints what it prints, and how long it took.
timed() {
  local start=${EPOCHREALTIME/./}
  printf '$ %s\n' "$1"
  offline "$1"
  took=$(((${EPOCHREALTIME/./} - start) / 1000))
  echo "(${took} ms)"
}

files() {
  inside find / -xdev \( -path /proc -o -path /tmp -o -path /var/cache -o -path /var/lib/apt -o -path /var/log \
    -o -path /var/lib/dpkg -o -path /run \) -prune -o -print | sort
}

# Prints the package with another version, which stands for an older one.
repack() {
  dpkg-deb --raw-extract "$package" "$scratch/older" >&2
  sed --in-place "s/^Version: .*/Version: $1/" "$scratch/older/DEBIAN/control"
  dpkg-deb --root-owner-group -Zgzip -z1 --build "$scratch/older" "$scratch/waypost_$1.deb" >&2
  echo "$scratch/waypost_$1.deb"
}

# $1: a package, which is installed with its dependencies.
install_package() {
  cp "$1" "$root/tmp/waypost_tried.deb"
  apt_inside install /tmp/waypost_tried.deb
  rm "$root/tmp/waypost_tried.deb"
}

step "A bare Debian root"
make_root
compilers=$(inside sh -c 'command -v swift; command -v gcc; true')
[ -z "$compilers" ] || fail "the root has a compiler"
apt_inside install adduser

step "The wheel, with nothing but Python"
# pytest comes from where the machine's pip finds it.
"$project/.build/wheel/bin/pip" download --quiet --dest "$root/opt/wheels" pytest
cp "$wheel" "$root/opt/wheels/"
apt_inside update
apt_inside install python3-venv
! grep waypost <<<"$(inside sh -c 'ls /usr/bin /usr/local/bin')" || fail "a program is installed already"
mkdir --parents "$root/opt/tests"
sed --quiet '/^```python$/,/^```$/{/^```/!p; /^```$/q}' "$project/README.md" >"$root/opt/tests/test_clowns.py"
timed 'cd /opt/tests && python3 -m venv .venv && . .venv/bin/activate
pip install --quiet --disable-pip-version-check --no-index --find-links /opt/wheels /opt/wheels/waypost_testing-*.whl pytest
waypost demo --write-files town
printf "[pytest]\nwaypost_devices = town/devices/ipad.yaml\n" >pytest.ini
pytest -q'
timed '. /opt/tests/.venv/bin/activate && waypost version && waypost-gateway --version && waypost demo | tail -1'
offline '. /opt/tests/.venv/bin/activate && ! waypost-gateway --store postgres://waypost@localhost/waypost' 2>&1 \
  | grep 'apt-get install libpq5'
rm --recursive "$root/opt/tests" "$root/opt/wheels"
apt_inside purge --autoremove python3-venv
# apt keeps what other packages recommend.
files >"$scratch/before"

step "Installation"
start=$SECONDS
install_package "$package"
inside dpkg-query --show --showformat='${Package} ${Version}, ${Installed-Size} KB installed, depends on ${Depends}\n' waypost
echo "installed with its dependencies in $((SECONDS - start)) s"
offline 'waypost version; waypost-gateway --version; waypost-agent --version'
# The package only recommends the library of PostgreSQL.
offline '! waypost-gateway --store postgres://waypost@localhost/waypost' 2>&1 | grep 'apt-get install libpq5'
libraries=$(offline 'ldd /usr/bin/waypost*')
! grep --extended-regexp 'not found|libswift|Foundation' <<<"$libraries" || fail "a library is missing"

step "The demo, a scenario, a load test"
timed 'waypost demo --format table'
[ "$took" -lt "${DEMO_LIMIT:-10000}" ] || fail "the demo took $took ms"
timed 'cd /usr/share/doc/waypost/docs/examples && waypost scenario run crusty.yaml shelf.yaml --format story'
timed 'cd /tmp && waypost load --devices 100 --rate 200 --duration 3s --slo lost=0 --format table 2>/dev/null | grep -E "^(offered|lost|duplicated|reordered) "'

step "The manual, the completions, the units, the clients"
for page in waypost waypost-gateway waypost-agent waypost-scenario-run; do
  [ -s "$root/usr/share/man/man1/$page.1.gz" ] || fail "there is no manual page $page"
done
echo "$(find "$root/usr/share/man/man1" -name 'waypost*.1.gz' | wc --lines) manual pages"
for file in bash-completion/completions/waypost zsh/vendor-completions/_waypost fish/vendor_completions.d/waypost.fish; do
  grep --quiet waypost "$root/usr/share/$file" || fail "$file does not complete waypost"
done
offline '. /usr/share/bash-completion/completions/waypost && complete -p waypost'
# The program that a unit names must be there, so the units are checked with those of the root.
for unit in waypost-gateway.service waypost-agent@ipad.service; do
  problems=$(systemd-analyze --root="$root" --man=no verify "$unit" 2>&1 | grep waypost | grep --invert-match 'Unit .* not found' || true)
  [ -z "$problems" ] || fail "$unit: $problems"
  echo "$unit: $(systemd-analyze --root="$root" --offline=true security "$unit" | tail --lines=1)"
done
apt_inside update
apt_inside install curl jq
timed 'WAYPOST_BIN=/usr/bin /usr/share/waypost/clients/bash/stories.sh'
apt_inside purge --autoremove curl jq

step "An upgrade over data of version 0.1.0"
apt_inside purge waypost
older=$(repack 0.1.0)
install_package "$older"
inside mkdir --parents /var/lib/waypost
python3 - "$root/var/lib/waypost/waypost.sqlite" "$here/data-of-0.1.0.sql" <<'PYTHON'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    database.executescript(open(sys.argv[2], encoding="utf-8").read())
PYTHON
inside chown --recursive waypost:waypost /var/lib/waypost
echo '# A line of the administrator.' >>"$root/etc/waypost/gateway.yaml"
install_package "$package"
grep --quiet 'A line of the administrator' "$root/etc/waypost/gateway.yaml" || fail "the settings were replaced"
version=$(inside dpkg-query --show --showformat='${Version}' waypost)
[ "$version" = "$(dpkg-deb --field "$package" Version)" ] || fail "the version is $version"
echo "upgraded to $version"
# As the unit starts it.
timed 'cd /var/lib/waypost
exec 3< <(exec setpriv --reuid waypost --regid waypost --clear-groups waypost-gateway --config /etc/waypost/gateway.yaml)
gateway=$!
sed "/store/q" <&3
waypost tokens list --format table
waypost inbox list old-ipad --format table
waypost send --to old-ipad --topic com.example.clowntown --title "After the upgrade" --format table
kill "$gateway"
wait "$gateway" || true'

step "Removal and purge"
apt_inside remove waypost
! [ -e "$root/usr/bin/waypost" ] || fail "the programs are still there"
[ -e "$root/var/lib/waypost/waypost.sqlite" ] || fail "removing the package removed the data"
apt_inside purge --autoremove waypost
files >"$scratch/after"
left=$(comm -13 "$scratch/before" "$scratch/after" | grep --invert-match --extended-regexp '^/etc/(passwd|group|shadow|gshadow|subuid|subgid)-?$' || true)
[ -z "$left" ] || fail "the package left: $left"
! grep waypost "$root/etc/passwd" || fail "the user is still there"
echo "Nothing is left"

step "The tarball"
mkdir "$root/opt/unpacked"
tar --extract --gzip --file="$tarball" --directory="$root/opt/unpacked" --strip-components=1
apt_inside update
# shellcheck disable=SC2046
apt_inside install $(dpkg-deb --field "$package" Depends | sed 's/([^)]*)//g; s/,//g')
timed '/opt/unpacked/bin/waypost demo --format table 2>&1 | tail -1; /opt/unpacked/bin/waypost version'

printf '\n✓ The packages work (%ds)\n' "$SECONDS"
