#!/bin/bash
# Collects all files of a version, so that publishing is copying: `CLI/Packaging/release.sh [FOLDER]`.
#
# FOLDER (.build/publish) gets the package, the tarball, the image and the wheel of .build/package, with SHA256SUMS, and
# NOTES.md: the section of docs/CHANGELOG.md about the version.
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
packages=$project/.build/package
folder=${1:-$project/.build/publish}

number=$("$packages/release/waypost" version --format jsonl | sed --quiet 's/.*"version":"\([^"]*\)".*/\1/p')
mkdir --parents "$folder"
rm --force "$folder"/{waypost_*.deb,waypost-*.tar.gz,waypost_testing-*.whl,NOTES.md,SHA256SUMS}
cp "$packages"/waypost_*.deb "$packages"/waypost-*.tar.gz "$packages"/waypost_testing-*.whl "$folder/"

# The links of the changelog lead to pages that are not here.
awk -v version="$number" '/^## / { inside = ($2 == version || $2 == version ",") } inside' \
  "$project/docs/CHANGELOG.md" | sed --regexp-extended 's/\[([^]]*)\]\(([^h)]|h[^t)])[^)]*\)/\1/g' >"$folder/NOTES.md"
[ -s "$folder/NOTES.md" ] || { echo "docs/CHANGELOG.md has no section about $number" >&2; exit 1; }

(cd "$folder" && sha256sum -- *.deb *.tar.gz *.whl NOTES.md >SHA256SUMS)
echo "Waypost $number is in $folder:"
(cd "$folder" && du --apparent-size --human-readable -- *)
