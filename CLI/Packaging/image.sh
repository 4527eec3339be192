#!/bin/bash
# Makes an image for containers from the Debian package that `package.sh` made: `CLI/Packaging/image.sh [FOLDER]`.
#
# FOLDER (.build/package) has the package, and gets the image as a file for `docker load`. Its root is the program and the
# Debian packages that it needs, unpacked: there is no shell and no package manager. It must run as root, or as
# a user who may run buildah.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
folder=${1:-$project/.build/package}
umask 022

package=$(ls "$folder"/waypost_*.deb)
version=$(dpkg-deb --field "$package" Version)
scratch=$(mktemp --directory)
trap 'rm --recursive --force "$scratch"' EXIT
root=$scratch/context/root
mkdir --parents "$root" "$scratch/context/state" "$scratch/packages"

# $@: names of packages. Prints those of the libraries among them, and of all libraries that these need.
libraries() {
  apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances "$@" \
    | grep --only-matching '^\(lib\|zlib\)[a-z0-9.+-]*' | sort --unique
}

# The libraries of the program, and that of PostgreSQL. The other dependencies are for a system with services.
mapfile -t names < <(dpkg-deb --field "$package" Depends Recommends | tr ',' '\n' \
  | sed 's/^[A-Z][a-z]*://; s/ *\([a-z0-9.+-]*\).*/\1/' | grep '^\(lib\|zlib\)')
# The authorities that an agent trusts for association files are those of Debian, not of this machine.
mapfile -t names < <(libraries "${names[@]}" && echo ca-certificates)
(cd "$scratch/packages" && apt-get --option APT::Sandbox::User=root download --quiet=2 "${names[@]}")
for file in "$scratch"/packages/*.deb "$package"; do dpkg-deb --extract "$file" "$root"; done

find "$root/usr/share/ca-certificates" -name '*.crt' | sort | xargs cat >"$scratch/authorities.pem"

# A container needs no services, no pages for people, and no conversions of character sets.
rm --recursive --force "$root"/etc/* "$root"/usr/lib/systemd "$root"/lib/systemd "$root"/usr/lib/*/gconv \
  "$root"/usr/share/{bash-completion,bug,ca-certificates,fish,lintian,locale,man,zsh} "$root"/sbin "$root"/usr/sbin
find "$root/usr/share/doc" -mindepth 1 ! -name copyright ! -type d -delete
find "$root" -mindepth 1 -type d -empty -delete
mkdir --parents "$root"/etc/ssl/certs "$root/waypost" "$root/proc" "$root/dev"
install --directory --mode=1777 "$root/tmp"
echo 'waypost:x:10001:10001:Waypost:/var/lib/waypost:/usr/sbin/nologin' >"$root/etc/passwd"
echo 'waypost:x:10001:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
cp "$scratch/authorities.pem" "$root/etc/ssl/certs/ca-certificates.crt"

image=$folder/waypost-$version-image-$(dpkg --print-architecture).tar
rm --force "$folder"/waypost-*-image-*.tar*
buildah=(buildah --storage-driver vfs --root "$scratch/storage" --runroot "$scratch/run")
revision=$("$here/commit.sh")
"${buildah[@]}" bud --quiet --isolation chroot --format docker --file "$here/Dockerfile" --tag waypost:latest \
  --timestamp "$(git -C "$project" log -1 --format=%ct)" --build-arg VERSION="$version" --build-arg REVISION="$revision" \
  "$scratch/context" >/dev/null
"${buildah[@]}" push --quiet waypost:latest "docker-archive:$image:waypost:latest"
gzip --no-name "$image"
printf '%s: %s KB; load it with: docker load --input FILE\n' "$image.gz" $(($(stat --format=%s "$image.gz") / 1000))
