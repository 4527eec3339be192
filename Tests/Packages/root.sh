# A bare Debian root for run.sh and source.sh, which source this file. Sets $scratch and $root, and removes them at the
# end. debootstrap uses the sources of apt on this machine.

[ "$(id --user)" -eq 0 ] || { echo "This script makes a Debian root, so it must run as root" >&2; exit 2; }

scratch=$(mktemp --directory)
root=$scratch/root
leave() {
  findmnt --raw --noheadings --output TARGET | { grep --extended-regexp "^$root(/|\$)" || true; } | sort --reverse | xargs --no-run-if-empty umount --lazy
  rm --recursive --force --one-file-system "$scratch"
}
trap leave EXIT

fail() { echo "✗ $*" >&2; exit 1; }
step() { printf '\n== %s (%ds)\n' "$1" "$SECONDS"; }

# $@: a command that runs in the root.
inside() {
  chroot "$root" /usr/bin/env --ignore-environment PATH="${inside_path:-/usr/sbin:/usr/bin:/sbin:/bin}" HOME=/root \
    LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

# $@: a command of apt-get with its arguments.
apt_inside() {
  inside apt-get --quiet=2 --yes --no-install-recommends "$@" >"$scratch/apt.log" 2>&1 \
    || { tail "$scratch/apt.log"; fail "apt-get $*"; }
}

make_root() {
  local sources mirror VERSION_CODENAME
  VERSION_CODENAME=$(. /etc/os-release && echo "$VERSION_CODENAME")
  sources=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Identifier: Packages' \
    | awk -v name="$VERSION_CODENAME" 'index($2, name) == 1 && $3 == "main" { print $1, $2 }')
  mirror=$(awk -v name="$VERSION_CODENAME" '$2 == name { print $1; exit }' <<<"$sources")
  [ -n "$mirror" ] || fail "apt has no source of $VERSION_CODENAME"
  debootstrap --variant=minbase "$VERSION_CODENAME" "$root" "$mirror" >"$scratch/debootstrap.log" \
    || { tail "$scratch/debootstrap.log"; fail "debootstrap failed"; }
  awk '{ print "deb", $1, $2, "main" }' <<<"$sources" >"$root/etc/apt/sources.list"
  { grep --no-messages --recursive --files-with-matches Acquire /etc/apt/apt.conf.d || true; } \
    | xargs --no-run-if-empty cp --target-directory="$root/etc/apt/apt.conf.d"
  mount -t proc proc "$root/proc"
  apt_inside update
}
