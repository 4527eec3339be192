#!/bin/bash
# Runs the tests that `CLI/Packaging/build.sh all` has built: `Tests/run.sh [FILTER]`.
#
# Without FILTER, all tests run in parts, each in a process of its own, because all tests of a process share its few
# threads. The tests of durability and of programs mostly wait for other processes, so the other parts run beside them.
# The output of each part goes to .build/tests; failures are printed when their part ends.
set -euo pipefail
cd "$(dirname "$0")/.."

# Four tests begin at once. The time limit of a test counts from its beginning, so the others lose nothing meanwhile.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4

# The tests of each part, as a regular expression; the tests of no other part are computing.
stores='^GatewayStoreTests[.]'
sockets='^(AssociationFetching|DeviceAgent|Gateway|GatewayClient)Tests[.]'
programs='^EndToEndTests[.]'
durability='^DurabilityTests[.]'

logs=.build/tests
failed=

# $@: options of Swift Testing. `swift test` would lock the build folder, so that no other part could run beside it.
swift_testing() {
  .build/quick/debug/waypostPackageTests.xctest --testing-library swift-testing "$@"
}

duration() {
  printf '%d:%02d min' $(($1 / 60)) $(($1 % 60))
}

# $1: the name of a part; the rest: options that choose its tests. The status is that of the tests.
part() {
  local name=$1 start=$SECONDS status=0 count
  shift
  swift_testing "$@" --event-stream-output-path "$logs/$name.jsonl" >"$logs/$name.log" 2>&1 || status=$?
  count=$(sed --quiet 's/^.* Test run with \([0-9]*\) test.*/\1/p' "$logs/$name.log")
  if [ "$status" = 0 ]; then
    printf '✔ %-10s  %5d tests  %s\n' "$name" "$count" "$(duration $((SECONDS - start)))"
  else
    printf '✘ %-10s  %5d tests  %s; all of its output is %s\n' \
      "$name" "${count:-0}" "$(duration $((SECONDS - start)))" "$logs/$name.log"
    grep --text --extended-regexp '^✘ .* (recorded an issue|failed after)|error:|Fatal error' "$logs/$name.log" \
      | cut --bytes=1-600
  fi
  return "$status"
}

rm --recursive --force "$logs"
mkdir --parents "$logs"

if [ $# -gt 0 ]; then
  swift_testing --filter "$1"
  exit
fi

echo "Running all tests in 5 parts, which takes 6 minutes on 2 fast cores, and up to 20 on slow ones"
# A shell without job control lets its background jobs ignore Ctrl-C, so this ends them.
trap 'trap - TERM; kill -TERM 0' INT
(
  part durability --filter "$durability" || failed=yes
  part programs --filter "$programs" || failed=yes
  [ -z "$failed" ]
) &
beside=$!
part computing --skip "$stores" --skip "$sockets" --skip "$programs" --skip "$durability" || failed=yes
part stores --filter "$stores" || failed=yes
part sockets --filter "$sockets" || failed=yes
wait "$beside" || failed=yes
echo "Tests: $(duration $SECONDS)"
[ -z "$failed" ] || exit 1
exec Tests/summary.py docs/conformance.md "$logs"/*.jsonl
