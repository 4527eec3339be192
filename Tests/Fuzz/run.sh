#!/bin/bash
# Runs the fuzzer on each target, and prints a table: target, executions, findings. Fails if there is a finding.
#
# usage: Tests/Fuzz/run.sh [--seconds N | --runs N] PROGRAM FOLDER [TARGET...]
#
# PROGRAM is the built fuzzer. FOLDER gets the grown corpus of each target (corpus/TARGET), the inputs that broke a
# promise (findings/TARGET) and what the fuzzer wrote (logs/TARGET). Without TARGET, all targets run.
# To run one input again: WAYPOST_FUZZ_TARGET=TARGET PROGRAM FILE
set -euo pipefail

usage() {
    sed --quiet 's/^# usage: //p' "$0" >&2
    exit 2
}

limit=-max_total_time=60
while [[ ${1-} == --* ]]; do
    [[ ${2-} =~ ^[0-9]+$ ]] || usage
    case $1 in
        --seconds) limit=-max_total_time=$2 ;;
        --runs) limit=-runs=$2 ;;
        *) usage ;;
    esac
    shift 2
done
(( $# >= 2 )) || usage
program=$1 folder=$2
shift 2
sources=$(dirname "$(realpath "$0")")
export SWIFT_BACKTRACE=enable=no

mapfile -t all < <(ASAN_OPTIONS=detect_leaks=0 WAYPOST_FUZZ_TARGET='' "$program" | cut --fields 1)
targets=("$@")
(( $# > 0 )) || targets=("${all[@]}")

# The maximum length of an input. Long inputs make the fuzzer slow, and find little that short ones do not.
maximum_length() {
    case $1 in
        pictures | saved-states | *-files) echo 16384 ;;
        *) echo 4096 ;;
    esac
}

# The leak checker does not see pointers that Swift keeps in the payload of an enum, so it checks only what is C.
detects_leaks() {
    case $1 in
        frames | client-frames | inflate) echo 1 ;;
        *) echo 0 ;;
    esac
}

# Prints the value of a final statistic of the fuzzer, or 0.
statistic() {
    awk -v name="stat::$2:" '$1 == name { value = $2 } END { print value + 0 }' "$1"
}

table=$(mktemp)
trap 'rm --force "$table"' EXIT
printf 'target\texecutions\tper second\tfindings\n' >"$table"
total=0
for target in "${targets[@]}"; do
    if [[ " ${all[*]} " != *" $target "* ]]; then
        echo "There is no target $target; the targets are: ${all[*]}" >&2
        exit 2
    fi
    grown=$folder/corpus/$target findings=$folder/findings/$target log=$folder/logs/$target
    mkdir --parents "$grown" "$findings" "$folder/logs"
    before=$(find "$findings" -type f ! -name 'slow-unit-*' | wc --lines)
    leaks=$(detects_leaks "$target")
    options=("$limit" -timeout=10 -verbosity=0 -print_final_stats=1 "-max_len=$(maximum_length "$target")"
        "-detect_leaks=$leaks" "-artifact_prefix=$findings/")
    [[ ! -e $sources/dictionaries/$target.dict ]] || options+=("-dict=$sources/dictionaries/$target.dict")
    status=0
    WAYPOST_FUZZ_TARGET=$target ASAN_OPTIONS=detect_leaks=$leaks "$program" "${options[@]}" \
        "$grown" "$sources/corpus/$target" >"$log" 2>&1 || status=$?
    after=$(find "$findings" -type f ! -name 'slow-unit-*' | wc --lines)
    found=$((after - before))
    # A finding has the name of its contents, so the same input may have been found before.
    (( status == 0 || found > 0 )) || found=1
    if (( found > 0 )); then
        echo "$target: $(grep --max-count 1 --extended-regexp 'Fatal error|ERROR: ' "$log" || echo "status $status")"
        echo "$target: the whole output is $log, the inputs are in $findings" >&2
    fi
    printf '%s\t%s\t%s\t%s\n' "$target" "$(statistic "$log" number_of_executed_units)" \
        "$(statistic "$log" average_exec_per_sec)" "$found" >>"$table"
    total=$((total + found))
done
column --table --separator $'\t' --table-right 2,3,4 "$table"
(( total == 0 ))
