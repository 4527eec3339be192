#!/bin/bash
# Runs tests with a sanitizer: `Tests/Sanitize/run.sh [address|thread]`; without a name, both.
#
# address  the tests of Core: no access beyond memory, none after it was freed.
# thread   the tests of Server and Agent that start no programs: no data race.
#
# Each has a build of its own in .build/sanitize, and the first one takes about as long as `make build`. The first finding
# ends the tests. Their output goes to .build/sanitize.
set -euo pipefail
cd "$(dirname "$0")/../.."

core='Attribution|BatchItems|Consent|Deflate|DeviceModel|FuzzTargets|Highlights|JSONScanning|PredicateFormat|PushRules'
core+='|SceneCallbacks|Targeting|TextBasics|UniversalLinks|WaypostSchema'
services='AssociationFetching|Cryptography|DeviceAgent|DeviceFiles|DeviceJournal|Fleets|Gateway|GatewayClient'
services+='|GatewaySettings|GatewayStore|HTTP2Sessions|LocalAuthority|LocalFiles|LocalService|PrometheusMetrics|Scenarios'

# A sanitized program needs several times as long, and the tests that begin at once share the processors.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4

# A library that tells the thread sanitizer about contended locks.
annotations=$PWD/.build/sanitize/mutex-annotations.so

# Builds the library. Checks with two programs without a data race that the library and the suppressions are needed, and
# that they are enough.
prepare_thread_sanitizer() {
  local tools name program
  tools=$(dirname "$(readlink --canonicalize "$(command -v swift)")")
  mkdir --parents .build/sanitize
  "$tools/clang" -shared -fPIC -O1 -Wall -Werror -o "$annotations" Tests/Sanitize/mutex-annotations.c
  for name in contended-mutex empty-array; do
    program=.build/sanitize/$name
    swiftc -swift-version 6 -sanitize=thread -o "$program" "Tests/Sanitize/$name.swift"
    if TSAN_OPTIONS= setarch --addr-no-randomize "$program" >"$program.log" 2>&1; then
      echo "This toolchain needs nothing for $name.swift; remove it, and what it shows the need of"
    fi
    LD_PRELOAD=$annotations setarch --addr-no-randomize "$program" >"$program.log" 2>&1 || {
      echo "✘ the thread sanitizer reports a data race that does not exist: $program.log" >&2
      exit 1
    }
  done
}

# $1: the sanitizer; $2: the modules whose tests run; $3: a library to preload, or nothing.
run() {
  local folder=.build/sanitize/$1 log=.build/sanitize/$1.log start=$SECONDS status=0
  mkdir --parents "$folder"
  echo "Building with the $1 sanitizer; the compiler's output is in $folder/build.log"
  swift build --build-tests --sanitize "$1" --scratch-path "$folder" >"$folder/build.log" 2>&1 || {
    cut --bytes=1-2000 "$folder/build.log" | grep --text 'error:' >&2
    exit 1
  }
  # The sanitizers reserve addresses that the system may have given to something else.
  LD_PRELOAD=${3:-} setarch --addr-no-randomize "$folder/debug/waypostPackageTests.xctest" --testing-library swift-testing \
    --filter "^($2)Tests[.]" >"$log" 2>&1 || status=$?
  if [ "$status" != 0 ]; then
    grep --text --max-count=1 --after-context=40 -E '(Thread|Address)Sanitizer:|^✘ .*recorded an issue' "$log" \
      | cut --bytes=1-400 >&2
    echo "✘ $1 sanitizer: the whole output is $log" >&2
    exit 1
  fi
  echo "✔ $1 sanitizer: $(sed --quiet 's/^.* Test run with \([0-9]* test[s]*\).*/\1/p' "$log") without a finding," \
    "$(((SECONDS - start) / 60)) min"
}

export ASAN_OPTIONS=detect_leaks=0
export TSAN_OPTIONS=halt_on_error=1:history_size=4:suppressions=$PWD/Tests/Sanitize/suppressions.txt
[ "${1:-address}" != address ] || run address "$core"
if [ "${1:-thread}" = thread ]; then
  prepare_thread_sanitizer
  run thread "$services" "$annotations"
fi
