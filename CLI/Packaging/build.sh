#!/bin/bash
# Builds, and says how far that is: `CLI/Packaging/build.sh quick`, `... all` or `... release`.
#
# quick    the three programs, without optimization, and without what debuggers need: the fastest build of a clean
#          clone. They are in .build/bin.
# all      the same, with benchmarks and tests.
# release  the three programs, optimized, with Swift's runtime inside. They are in .build/package/release.
#
# The output of the compiler is in build.log in the build folder. Errors are printed.
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
    options+=(--scratch-path "$folder" --configuration release --static-swift-stdlib)
    ;;
  *)
    sed --quiet '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2
    exit 64
    ;;
esac

log=$folder/build.log
mkdir --parents "$folder"

# The compiler counts further steps while it builds. A clean quick build has about as many as this.
expected=0
[ "$1" != quick ] || [ -e "$folder/debug/waypost" ] || expected=3000
: >"$log"

# Prints the progress in the lines of `swift build`: a line that changes on a terminal, or else one now and then.
progress() {
  local line text= shown=0 minutes total
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    case $line in
      Fetching*) text='fetching packages' ;;
      'Creating working copy'*) text='unpacking packages' ;;
      *error:*)
        [ ! -t 1 ] || printf '\r\e[K'
        printf '%s\n' "$line" >&2
        ;;
    esac
    # The plugins of packages are compiled before the number of steps is known.
    if [[ $line != *'Compiling plugin'* && $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
      total=$((BASH_REMATCH[2] > expected ? BASH_REMATCH[2] : expected))
      text="${BASH_REMATCH[1]} of $total steps, $((100 * BASH_REMATCH[1] / total)) %"
    fi
    [ -n "$text" ] || continue
    minutes=$(printf '%d:%02d min' $((SECONDS / 60)) $((SECONDS % 60)))
    if [ -t 1 ]; then
      printf '\rBuilding: %s, %s \e[K' "$text" "$minutes"
    elif ((SECONDS >= shown)); then
      printf 'Building: %s, %s\n' "$text" "$minutes"
      shown=$((SECONDS + 20))
    fi
  done
  [ ! -t 1 ] || printf '\r\e[K'
}

[ -e "$folder/debug/waypost" ] || [ -e "$folder/release/waypost" ] || echo "The first build takes minutes; its log is $log"
if ! swift build "${options[@]}" 2>&1 | progress; then
  echo "The build failed; the whole log is $log." >&2
  exit 1
fi
[ "$1" = release ] || ln --symbolic --force --no-dereference quick/debug .build/bin
printf 'Built in %d:%02d min\n' $((SECONDS / 60)) $((SECONDS % 60))
