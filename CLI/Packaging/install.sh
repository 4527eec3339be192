#!/bin/bash
# Installs the programs of `build.sh release` with all that belongs to them: `CLI/Packaging/install.sh ROOT PREFIX`.
#
# ROOT is the folder that takes the place of /, or empty. The configuration is in /etc if PREFIX is /usr, and otherwise
# in PREFIX/etc.
set -euo pipefail
umask 022
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
built=$project/.build/package/release
root=$1
prefix=$2
to=$root$prefix
checkouts=$project/.build/package/checkouts
# Without them, the licenses of the Swift packages would be missing.
[ -n "$(ls "$checkouts" 2>/dev/null)" ] || {
  echo "install.sh: $checkouts has no Swift packages; run CLI/Packaging/build.sh release first" >&2
  exit 1
}
[ "$prefix" = /usr ] && settings=/etc/waypost || settings=$prefix/etc/waypost

# $1: the folder; the rest: files.
put() {
  install -D --mode=644 --target-directory="$@"
}

# $1: the folder of the files; $2: the folder to which they are copied, with their paths; the rest: arguments of find.
copy() {
  local from=$1 target=$2
  shift 2
  mkdir --parents "$target"
  (cd "$from" && find "$@" -type f -exec cp --parents --no-preserve=mode --target-directory="$target" {} +)
}

install -d "$to/bin"
install --strip "$built/waypost" "$to/bin/waypost"
for program in waypost-gateway waypost-agent; do ln --symbolic --force waypost "$to/bin/$program"; done
# `waypost version` reads it, and `make demo` compares it.
mkdir --parents "$to/share/waypost"
"$here/commit.sh" >"$to/share/waypost/commit"

"$to/bin/waypost" manual "$to/share/man/man1" --quiet
gzip --best --no-name --force "$to"/share/man/man1/waypost*.1

# Debian's zsh reads its packages' completions from another folder than others'.
[ "$prefix" = /usr ] && zsh=$to/share/zsh/vendor-completions || zsh=$to/share/zsh/site-functions
mkdir --parents "$to/share/bash-completion/completions" "$zsh" \
  "$to/share/fish/vendor_completions.d"
"$to/bin/waypost" completions bash >"$to/share/bash-completion/completions/waypost"
"$to/bin/waypost" completions zsh >"$zsh/_waypost"
"$to/bin/waypost" completions fish >"$to/share/fish/vendor_completions.d/waypost.fish"

# Settings that exist are the administrator's.
[ -e "$root$settings/gateway.yaml" ] || put "$root$settings" "$here/gateway.yaml"
mkdir --parents "$to/lib/systemd/system"
for unit in "$here"/*.service; do
  sed "s|/usr/bin|$prefix/bin|; s|/etc/waypost|$settings|" "$unit" >"$to/lib/systemd/system/${unit##*/}"
done

# With the folders of the repository, so that links between pages lead somewhere.
copy "$project" "$to/share/doc/waypost" README.md CONTRIBUTING.md LICENSE docs \
  \( -name '*.md' -o -name '*.yaml' -o -name '*.svg' -o -name '*.png' -o -name LICENSE -o -path 'docs/examples/*' \) \
  ! -path '*/.build/*' ! -name '*.html'
# The licenses of the libraries inside of the program.
for library in libnghttp2-dev libsqlite3-dev libssl-dev; do
  [ ! -e "/usr/share/doc/$library/copyright" ] \
    || install -D --mode=644 "/usr/share/doc/$library/copyright" "$to/share/doc/waypost/licenses/$library/copyright"
done
swift=$(dirname "$(dirname "$(realpath "$(command -v swift)")")")/share/swift/LICENSE.txt
[ ! -e "$swift" ] || install -D --mode=644 "$swift" "$to/share/doc/waypost/licenses/swift/copyright"
# Those of the Swift packages, with their notices and with the licenses of what they contain.
for checkout in "$checkouts"/*/; do
  licenses=$to/share/doc/waypost/licenses/$(basename "$checkout")
  mkdir --parents "$licenses"
  find "$checkout" \( -name 'LICENSE*' -o -name 'NOTICE*' \) \( -path "${checkout}Sources/*" -o -path "$checkout[LN]*" \) \
    -type f -print0 | sort --zero-terminated | xargs --null cat >"$licenses/copyright"
done
install -D --mode=644 "$here/licenses/libyaml" "$to/share/doc/waypost/licenses/libyaml/copyright"
put "$to/share/waypost" "$project/Core/WaypostSchema/schema-v1.json"
# The schemas of the files that people write, for editors.
"$to/bin/waypost" schema --write-files "$to/share/waypost/schemas"
# The clients for tests (docs/testing.md).
for language in bash junit node; do
  put "$to/share/waypost/clients/$language" "$project/docs/examples/$language"/*
done
chmod 755 "$to"/share/waypost/clients/bash/*.sh
# Their examples use the devices of Clown Town.
copy "$project/docs/examples" "$to/share/waypost/clients" town
copy "$project/Agent/Python" "$to/share/waypost/clients/python" README.md pyproject.toml src \
  ! -path '*/__pycache__/*' ! -path '*.egg-info/*'
put "$to/share/waypost/clients" "$here/clients.md"
