#!/bin/bash
# Installs the programs of `build.sh release` with all that belongs to them: `CLI/Packaging/install.sh ROOT PREFIX`.
#
# ROOT is the folder that takes the place of /, or empty. The configuration is in /etc if PREFIX is /usr, and otherwise
# in PREFIX/etc.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
built=$project/.build/package/release
root=$1
prefix=$2
to=$root$prefix
[ "$prefix" = /usr ] && settings=/etc/waypost || settings=$prefix/etc/waypost

# $1: the folder; the rest: files.
put() {
  install -D --mode=644 --target-directory="$@"
}

install -d "$to/bin"
for program in waypost waypost-gateway waypost-agent; do
  install --strip "$built/$program" "$to/bin/$program"
done
# `waypost version` reads it, and `make demo` compares it.
mkdir --parents "$to/share/waypost"
"$here/commit.sh" >"$to/share/waypost/commit"

"$to/bin/waypost" manual "$to/share/man/man1" --quiet
gzip --best --no-name --force "$to"/share/man/man1/waypost*.1

mkdir --parents "$to/share/bash-completion/completions" "$to/share/zsh/vendor-completions" \
  "$to/share/fish/vendor_completions.d"
"$to/bin/waypost" completions bash >"$to/share/bash-completion/completions/waypost"
"$to/bin/waypost" completions zsh >"$to/share/zsh/vendor-completions/_waypost"
"$to/bin/waypost" completions fish >"$to/share/fish/vendor_completions.d/waypost.fish"

put "$root$settings" "$here/gateway.yaml"
mkdir --parents "$to/lib/systemd/system"
for unit in "$here"/*.service; do
  sed "s|/usr/bin|$prefix/bin|; s|/etc/waypost|$settings|" "$unit" >"$to/lib/systemd/system/${unit##*/}"
done

# With the folders of the repository, so that links lead somewhere.
(cd "$project" && find README.md docs -type f \( -name '*.md' -o -name '*.yaml' -o -name '*.svg' -o -path 'docs/examples/*' \) \
  ! -path 'docs/decisions/*' ! -path '*/.build/*' ! -name '*.html' \
  -exec install -D --mode=644 {} "$to/share/doc/waypost/{}" ';')
put "$to/share/waypost" "$project/Core/WaypostSchema/schema-v1.json" "$project/Agent/Scenarios/scenario-schema.json"
# The clients for tests (docs/testing.md).
for language in bash junit node; do
  put "$to/share/waypost/clients/$language" "$project/docs/examples/$language"/*
done
chmod 755 "$to"/share/waypost/clients/bash/*.sh
# Their examples use the devices of Clown Town.
(cd "$project/docs/examples" && find town -type f -exec install -D --mode=644 {} "$to/share/waypost/clients/{}" ';')
(cd "$project/Agent/Python" && find README.md pyproject.toml src -type f ! -path '*/__pycache__/*' ! -path '*.egg-info/*' \
  -exec install -D --mode=644 {} "$to/share/waypost/clients/python/{}" ';')
put "$to/share/waypost/clients" "$here/clients.md"
