#!/usr/bin/env bash
# Holds the hashes of logs against other machines than this one: builds the
# tests of core/run for each machine named and runs them. `v3` are the newer
# instructions of amd64, the others values of GOARCH; a machine that this one
# is not is emulated by qemu-user-static where that is installed. One that can
# be had in neither way is named, and is no failure.
set -euo pipefail
cd "$(dirname "$0")/.."

tmp="$(mktemp -d)"
trap 'rm -rf "$tmp"' EXIT
printf 'package main\n\nfunc main() {}\n' >"$tmp/empty.go"

# The settings of go for a machine, and what qemu calls it.
settings() {
  case "$1" in
    v3) echo GOARCH=amd64 GOAMD64=v3 ;;
    *) echo GOARCH="$1" ;;
  esac
}
emulator() {
  case "$1" in
    arm64) echo qemu-aarch64-static ;;
    v3 | 386) ;; # its i386 runs no program with threads
    *) echo "qemu-$1-static" ;;
  esac
}

# runner says how the empty program runs here: "directly", an emulator, or "".
runner() {
  local emulator
  if "$tmp/empty" 2>/dev/null; then
    echo directly
    return
  fi
  emulator="$(emulator "$1")"
  if [ -n "$emulator" ] && command -v "$emulator" >/dev/null && "$emulator" "$tmp/empty" 2>/dev/null; then
    echo "$emulator"
  fi
}

for machine in "$@"; do
  read -ra with <<<"$(settings "$machine")"
  env CGO_ENABLED=0 "${with[@]}" go build -o "$tmp/empty" "$tmp/empty.go"
  how="$(runner "$machine")"
  case "$how" in
    "") echo "hashes on $machine: not held, this machine does not run its programs" ;;
    directly) env CGO_ENABLED=0 "${with[@]}" go test -run Hash ./core/run ;;
    *) env CGO_ENABLED=0 "${with[@]}" go test -exec "$how" -run Hash ./core/run ;;
  esac
  if [ -n "$how" ]; then
    echo "hashes on $machine, $how: held"
  fi
done
