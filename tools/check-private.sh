#!/usr/bin/env bash
# Fails if a file of the tree names a folder of one machine, or the lock files an address of packages.
set -euo pipefail
cd "$(dirname "$0")/.."
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || exit 0 # a copy without git: nothing tells sources from the rest
if git grep --untracked -nIE "(^|[^[:alnum:]_./])($PWD|/root|/home/[a-z]+|/Users/[a-z]+)/" -- ':!tools/check-private.sh'; then
    echo "a path of one machine: make it relative" >&2
    exit 1
fi
if grep -nE '^ *(--(extra-)?index-url|--find-links)|://' requirements/*.txt; then
    echo "an address in a lock file: make lock" >&2
    exit 1
fi
