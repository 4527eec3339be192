#!/bin/bash
# Shows that the campaigns find planted bugs: `Tests/Campaigns/planted.sh [NAME...]`, such as `double-settle`;
# with `--check`, only checks that every patch can be applied.
#
# Each patch in Tests/Campaigns/planted is applied to a copy of the last commit, in .build/planted, and the programs are
# built there, optimized. The first line of a patch names campaigns. Their trials run one by one, with the seeds 0, 1, 2
# and so on, until one finds a violation. For each bug this prints the campaign, the seed, the seconds and the first
# violation; the folder of the trial stays. Fails if a bug is not found in 10 minutes. `make build` must have run.
set -euo pipefail
cd "$(dirname "$0")/../.."

# The seconds in which a bug must be found; they begin when the programs are built.
limit=600
patches=Tests/Campaigns/planted
copy=.build/planted
programs=$PWD/$copy/.build/package/release
campaigns=.build/quick/debug/campaigns

names=("$@")
if [ $# = 0 ] || [ "$1" = --check ]; then
  names=()
  for patch in "$patches"/*.patch; do names+=("$(basename "$patch" .patch)"); done
fi
for name in "${names[@]}"; do
  if ! grep --quiet '^campaigns: [a-z ]*$' <(head --lines=1 "$patches/$name.patch"); then
    echo "$patches/$name.patch must exist and begin with a line such as 'campaigns: crash disk'" >&2
    exit 2
  fi
  git apply --check "$patches/$name.patch"
done
[ "${1:-}" != --check ] || exit 0
if [ ! -x "$campaigns" ]; then
  echo "There is no $campaigns; run 'make build' first" >&2
  exit 2
fi

# $1: the name of a patch. Makes the copy the last commit with the patch; its build folder stays, so that only the
# changed modules are compiled.
plant() {
  local commit
  commit=$(git rev-parse HEAD)
  # Without a .git of its own, git would change the files of this clone.
  if [ ! -e "$copy/.git" ]; then
    git worktree prune
    git worktree add --quiet --force --detach "$copy" "$commit"
  fi
  git -C "$copy" checkout --quiet --force --detach "$commit"
  git -C "$copy" apply "$PWD/$patches/$1.patch"
  (cd "$copy" && CLI/Packaging/build.sh release)
}

# $1: the name of a patch. Runs trials of its campaigns until one finds a violation; the status is 1 if none does.
find_bug() {
  local name=$1 results=.build/trials/planted/$1 seed=0 start=$SECONDS left campaign found
  local -a list
  read -r -a list <<<"$(sed --quiet '1s/^campaigns: //p' "$patches/$name.patch")"
  rm --recursive --force "$results"
  mkdir --parents "$results"
  while true; do
    for campaign in "${list[@]}"; do
      left=$((limit - SECONDS + start))
      if ((left <= 0)); then
        echo "✘ $name: not found in $limit s by $((seed + 1)) seeds of ${list[*]}; the output is $results/log"
        return 1
      fi
      # The status of a trial that failed without a violation, such as one that was ended here, does not count.
      timeout --kill-after=10 "$left" "$campaigns" --programs "$programs" --seed "$seed" --trials 1 \
        --results "$results" "$campaign" >>"$results/log" 2>&1 || true
      found=$results/$campaign-$seed/violations.txt
      if [ -s "$found" ]; then
        echo "✔ $name: found by $campaign, seed $seed, in $((SECONDS - start)) s: $(head --lines=1 "$found" | cut --bytes=1-300)"
        return
      fi
    done
    seed=$((seed + 1))
  done
}

failed=
for name in "${names[@]}"; do
  plant "$name"
  find_bug "$name" || failed=yes
done
[ -z "$failed" ]
