#!/bin/bash
# Makes a Debian package and a tarball of the programs of `build.sh release`: `CLI/Packaging/package.sh [FOLDER]`.
#
# The files are written to FOLDER (.build/package). The tarball needs the libraries of the Debian package. It can be
# unpacked anywhere; its units for systemd expect it in /usr/local.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
folder=${1:-$project/.build/package}
built=$project/.build/package/release
umask 022

number=$("$built/waypost" version --format jsonl | sed --quiet 's/.*"version":"\([^"]*\)".*/\1/p')
architecture=$(dpkg --print-architecture)
# A commit without the tag of its version comes before that version; for dpkg, so does what follows a tilde.
version=$number
if ! git -C "$project" describe --tags --exact-match --match "v$number" >/dev/null 2>&1; then
  version+=~$(TZ=UTC git -C "$project" log -1 --format='git%cd.%h' --date=format-local:%Y%m%d%H%M)
fi

scratch=$(mktemp --directory)
trap 'rm --recursive --force "$scratch"' EXIT
root=$scratch/waypost

"$here/install.sh" "$root" /usr
mkdir --parents "$root/DEBIAN" "$scratch/debian"
cp "$here/debian/copyright" "$root/usr/share/doc/waypost/"
gzip --best --no-name --stdout "$project/docs/CHANGELOG.md" >"$root/usr/share/doc/waypost/changelog.gz"
(cd "$root" && find etc -type f -printf '/%p\n') >"$root/DEBIAN/conffiles"
install --mode=755 --target-directory="$root/DEBIAN" "$here"/debian/{postinst,prerm,postrm}

# dpkg-shlibdeps wants a folder like that of a source package.
touch "$scratch/debian/control"
libraries=$(cd "$scratch" && dpkg-shlibdeps -O "$root/usr/bin/waypost" 2>shlibdeps.log || { cat shlibdeps.log >&2; exit 1; })
libraries=$(sed --quiet 's/^shlibs:Depends=//p' <<<"$libraries")
size=$(du --summarize --apparent-size --block-size=1K "$root/usr" | cut --fields=1)
sed -e "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@SIZE@/$size/; s/@LIBRARIES@/$libraries/" \
  "$here/debian/control" >"$root/DEBIAN/control"
(cd "$root" && find usr -type f -print0 | sort --zero-terminated | xargs --null md5sum) >"$root/DEBIAN/md5sums"

rm --force "$folder"/waypost_*.deb "$folder"/waypost-*.tar.gz
package=$folder/waypost_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >/dev/null

name=waypost-$version-linux-$(uname --machine)
"$here/install.sh" "$scratch" /usr/local
mv "$scratch/usr/local" "$scratch/$name"
# A tarball that is unpacked over an older one must not replace settings.
mv "$scratch/$name/etc/waypost/gateway.yaml" "$scratch/$name/etc/waypost/gateway.yaml.example"
cp "$project/LICENSE" "$scratch/$name/"
tarball=$folder/$name.tar.gz
tar --create --directory="$scratch" --owner=0 --group=0 --numeric-owner --sort=name "$name" | gzip --no-name >"$tarball"

for file in "$package" "$tarball"; do
  printf '%s: %s KB, %s KB installed\n' "$file" $(($(stat --format=%s "$file") / 1000)) "$size"
done
echo "depends on: $libraries"
