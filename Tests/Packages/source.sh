#!/bin/bash
# Follows the README from `git clone` in a bare Debian root with the Swift toolchain of this machine:
# `Tests/Packages/source.sh`.
#
# The root has what Swift's installation guide asks for, and what the README asks for. `make demo` installs the rest.
# Debian needs debootstrap; the script must run as root, and takes some minutes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
. "$here/root.sh"

# Makes a folder of this machine visible in the root, for reading.
share() {
  mkdir --parents "$root$2"
  mount --bind --options ro "$1" "$root$2"
}

step "A bare Debian root with Swift"
make_root
apt_inside install binutils ca-certificates libc6-dev libcurl4 libedit2 \
  libgcc-12-dev libncurses6 libpython3.11 libsqlite3-0 libstdc++-12-dev libxml2 libz3-4 pkg-config tzdata zlib1g-dev \
  git make procps
toolchain=$(dirname "$(dirname "$(readlink --canonicalize "$(command -v swift)")")")
home=$(dirname "$toolchain")
[ "$home" != / ] || fail "Swift is installed in /usr, which is more than a toolchain"
share "$home" "$home"
share "$project" /mnt/project
# If git here reads packages from a copy, it does so in the root.
if [ -e /etc/gitconfig ]; then
  cp /etc/gitconfig "$root/etc/gitconfig"
  { git config --file /etc/gitconfig --get-regexp '^url\./.*\.insteadof$' || true; } | sed 's/^url\.\(.*\)\.insteadof .*/\1/' | sort --unique \
    | while read -r folder; do share "$folder" "$folder"; done
fi
inside_path=$toolchain/bin:/usr/sbin:/usr/bin:/sbin:/bin
inside git config --global --add safe.directory '*'
inside swift --version 2>&1 | head -1

step "git clone, make demo"
inside bash -euo pipefail -c '
  cd /root
  git clone --quiet /mnt/project waypost
  cd waypost
  start=$SECONDS
  make demo
  echo "from the clone to the table: $((SECONDS - start)) s"
  start=$SECONDS
  make demo >/dev/null 2>&1
  echo "again: $((SECONDS - start)) s"'

step "The commands of the README"
# The blocks that are marked `sh`; a program of a block that is marked `background` goes on until the end.
awk '
  /^```sh background$/ { inside = background = 1; number++; print "{"; next }
  /^```sh$/ { inside = 1; background = 0; next }
  /^```$/ && inside {
    inside = 0
    if (background) print "} >/root/block." number " & until grep \"is ready\\|Ctrl-C ends\" /root/block." number "; do sleep 0.1; done"
    next
  }
  inside { print }' "$project/README.md" >"$root/root/readme.sh"
inside bash -c '
  cd /root/waypost
  export PATH=$PWD/.build/bin:$PATH
  trap "kill \$(jobs -p); wait" EXIT
  set -e -o pipefail
  set -x
  . /root/readme.sh'

printf '\n✓ The README works from a clone (%ds)\n' "$SECONDS"
