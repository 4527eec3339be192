#!/bin/bash
# Prints the commit of the checkout, with "-modified" if a file differs from it; nothing outside of a checkout.
cd "$(dirname "$0")/../.." && commit=$(git rev-parse HEAD 2>/dev/null) || exit 0
[ -z "$(git status --porcelain --untracked-files=no)" ] || commit+=-modified
echo "$commit"
