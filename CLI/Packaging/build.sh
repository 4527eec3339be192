#!/bin/bash
# Builds, and says how far that is: `CLI/Packaging/build.sh quick`, `... all` or `... release`.
#
# quick    the programs, without optimization, and without what debuggers need: the fastest build of a clean
#          clone. They are in .build/bin.
# all      the same, with benchmarks and tests.
# release  the programs, optimized, with all libraries inside but those that every distribution has. They are in
#          .build/package/release.
#
# The programs are one file: `waypost-gateway` and `waypost-agent` are links to `waypost`.
#
# The output of the compiler is in build.log in the build folder, with long lines cut. The first errors are printed.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=.build/quick
# SwiftPM finds tests in the index, but nobody needs the modules of others in it. One compiler process for each module
# reads it once, and the other processor has other modules to compile.
options=(
  -debug-info-format none
  -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules -Xswiftc -driver-batch-count -Xswiftc 1
)
case ${1:-} in
  quick)
    # The manifest leaves out tests and benchmarks.
    export WAYPOST_PROGRAMS=1
    options+=(--scratch-path "$folder")
    ;;
  all)
    options+=(--scratch-path "$folder" --build-tests --explicit-target-dependency-import-check error)
    ;;
  release)
    export WAYPOST_PROGRAMS=1
    folder=.build/package
    # A program that may be anywhere in memory would change 194,000 addresses at each start.
    options+=(--scratch-path "$folder" --configuration release --static-swift-stdlib -Xlinker -no-pie)
    ;;
  *)
    sed --quiet '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2
    exit 64
    ;;
esac

log=$folder/build.log
# The bytes of a line of the compiler that are read: a line about the expansion of a macro may have many megabytes.
line_limit=2000
# The number of lines with errors that are printed.
error_limit=50
mkdir --parents "$folder"

# The steps of a clean build, and the percentages of its time that have passed after each tenth of them. The compiler
# counts further steps while it builds, and the last ones take the longest, so their number alone says little.
steps=0
if [ ! -e "$folder/debug/waypost" ] && [ ! -e "$folder/release/waypost" ]; then
  case $1 in
    quick) steps=3000 shares=(0 14 21 29 44 58 67 74 81 89 100) ;;
    all) steps=4110 shares=(0 10 15 23 34 42 49 58 73 88 100) ;;
    release) steps=646 shares=(0 4 15 22 23 25 26 28 31 37 100) ;;
  esac
fi
: >"$log"

# $1: the number of steps that are done. Sets $left to the time that a clean build still needs, by the time until now.
estimate() {
  local tenth share
  left=
  ((steps > 0 && $1 * 10 >= steps && $1 < steps)) || return 0
  tenth=$(($1 * 10 / steps))
  share=$((100 * shares[tenth] + (shares[tenth + 1] - shares[tenth]) * ($1 * 1000 / steps - 100 * tenth)))
  left=", about $(((SECONDS * (10000 - share) / share + 30) / 60 + 1)) min left"
}

# Prints the progress in the lines of `swift build`: a line that changes on a terminal, or else one now and then.
progress() {
  local line text= shown=0 minutes left= errors=0
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    case $line in
      Fetching*) text='fetching packages' ;;
      'Creating working copy'*) text='unpacking packages' ;;
      *error:*)
        errors=$((errors + 1))
        if ((errors <= error_limit)); then
          [ ! -t 1 ] || printf '\r\e[K'
          printf '%s\n' "$line" >&2
        fi
        ;;
    esac
    # The plugins of packages are compiled before the number of steps is known.
    if [[ $line != *'Compiling plugin'* && $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
      text="${BASH_REMATCH[1]} of $((BASH_REMATCH[2] > steps ? BASH_REMATCH[2] : steps)) steps"
      estimate "${BASH_REMATCH[1]}"
    fi
    [ -n "$text" ] || continue
    minutes=$(printf '%d:%02d min' $((SECONDS / 60)) $((SECONDS % 60)))
    if [ -t 1 ]; then
      printf '\rBuilding: %s, %s%s \e[K' "$text" "$minutes" "$left"
    elif ((SECONDS >= shown)); then
      printf 'Building: %s, %s%s\n' "$text" "$minutes" "$left"
      shown=$((SECONDS + 20))
    fi
  done
  [ ! -t 1 ] || printf '\r\e[K'
  ((errors <= error_limit)) || echo "There are $((errors - error_limit)) more lines with errors." >&2
}

if [ "$1" = release ] && command -v dpkg-query >/dev/null; then
  # The linker takes the first library that it finds. pkg-config names a folder first that has only static ones. Without
  # Debian's packages, the program needs the libraries of its system.
  static=$PWD/$folder/static
  mkdir --parents "$static"
  for library in libnghttp2-dev:nghttp2 libsqlite3-dev:sqlite3 libssl-dev:crypto; do
    ln --symbolic --force "$(dpkg-query --listfiles "${library%:*}" | grep "/lib${library#*:}.a$")" "$static/"
  done
  for package in zlib libnghttp2 sqlite3 libcrypto; do
    sed "s|^libdir=.*|libdir=$static|" "$(dpkg-query --search "*/pkgconfig/$package.pc" | sed --quiet '1s/^[^/]* //p')" \
      >"$static/$package.pc"
  done
  export PKG_CONFIG_PATH=$static
fi

[ -e "$folder/debug/waypost" ] || [ -e "$folder/release/waypost" ] || echo "The first build takes minutes; its log is $log"
if ! swift build "${options[@]}" 2>&1 | stdbuf --output=L cut --bytes=-"$line_limit" | progress; then
  echo "The build failed; the whole log is $log." >&2
  exit 1
fi
case $1 in
  release)
    for program in waypost-gateway waypost-agent; do ln --symbolic --force waypost "$folder/release/$program"; done
    ;;
  *)
    ln --symbolic --force --no-dereference quick/debug .build/bin
    for program in waypost-gateway waypost-agent; do ln --symbolic --force waypost "$folder/debug/$program"; done
    ;;
esac
printf 'Built in %d:%02d min\n' $((SECONDS / 60)) $((SECONDS % 60))
