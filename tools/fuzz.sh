#!/usr/bin/env bash
# Runs each fuzz target for a while, one after the other. What one finds lies
# in testdata/fuzz of its package and is a test from then on.
set -euo pipefail
cd "$(dirname "$0")/.."

grep -rl --include='*_test.go' '^func Fuzz' core lessons tools wasm | sort | while read -r file; do
  sed -n 's/^func \(Fuzz[A-Za-z]*\).*/\1/p' "$file" | while read -r target; do
    echo "$(dirname "$file") $target"
    nice go test -run '^$' -fuzz "^$target\$" -fuzztime "$1" "./$(dirname "$file")"
  done
done
