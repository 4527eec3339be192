#!/bin/bash
# Makes a wheel for Python that contains the programs: `CLI/Packaging/wheel.sh [FOLDER]`.
#
# It is the package of Agent/Python with the program of `build.sh release`. It needs only Python and the C library. The
# wheel is written to FOLDER (.build/package).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
folder=${1:-$project/.build/package}
tools=$project/.build/wheel
program=$project/.build/package/release/waypost
umask 022

# The oldest version of the C library with which the program starts. A platform tag names it.
glibc=$(objdump --dynamic-syms "$program" | grep --only-matching 'GLIBC_[0-9.]*' | sort --version-sort | tail --lines=1)
platform=manylinux_${glibc#GLIBC_}
platform=${platform//./_}_$(uname --machine)
libraries=$(objdump --private-headers "$program" | awk '$1 == "NEEDED" { print $2 }')
# PEP 600: a wheel may need these, which every distribution has.
forbidden=$(grep --invert-match --extended-regexp '^(lib(c|m|gcc_s|stdc\+\+|z)\.so|ld-linux)' <<<"$libraries" || true)
[ -z "$forbidden" ] || { echo "the program needs libraries that a wheel cannot have: $forbidden" >&2; exit 1; }

scratch=$(mktemp --directory)
trap 'rm --recursive --force "$scratch"' EXIT
package=$scratch/package
mkdir "$package"
cp --recursive "$project"/Agent/Python/{pyproject.toml,README.md,src} "$project/LICENSE" "$package/"
install -D --strip "$program" "$package/src/waypost_testing/bin/waypost"
# `waypost version` reads it.
mkdir --parents "$package/src/waypost_testing/share/waypost"
"$here/commit.sh" >"$package/src/waypost_testing/share/waypost/commit"
"$here/install.sh" "$scratch/installed" /usr
cp --recursive "$scratch/installed/usr/share/doc/waypost/licenses" "$package/src/waypost_testing/share/waypost/"
# The package alone has no programs, so only the wheel has commands for them.
cat >>"$package/pyproject.toml" <<'TOML'

[project.scripts]
waypost = "waypost_testing._program:run"
waypost-gateway = "waypost_testing._program:run"
waypost-agent = "waypost_testing._program:run"
TOML

[ -x "$tools/bin/python" ] || python3 -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check 'wheel>=0.40'
"$tools/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$scratch" "$package"
"$tools/bin/wheel" tags --remove --python-tag=py3 --abi-tag=none --platform-tag="$platform" "$scratch"/*.whl >/dev/null
rm --force "$folder"/waypost_testing-*.whl
mkdir --parents "$folder"
mv "$scratch"/*.whl "$folder/"
wheel=$(ls "$folder"/waypost_testing-*.whl)
printf '%s: %s KB; install it with: pip install FILE\n' "$wheel" $(($(stat --format=%s "$wheel") / 1000))
