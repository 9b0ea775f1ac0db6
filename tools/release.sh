#!/usr/bin/env bash
# Builds rail for every system into a folder, with the site in it, and writes
# SHA256SUMS. TARGETS names fewer systems. The same commit gives the same bytes:
# --check builds them again in a copy of the tree elsewhere, with nothing
# compiled before, and compares.
set -euo pipefail
cd "$(dirname "$0")/.."

out="$1"
targets="${TARGETS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64}"

if [ "${2:-}" = --check ]; then
  copy="$(mktemp -d)"
  trap 'chmod -R u+w "$copy"; rm -rf "$copy"' EXIT
  git clone -q . "$copy/elsewhere"
  GOCACHE="$copy/cache" "$copy/elsewhere/tools/release.sh" "$copy/release"
  diff "$out/SHA256SUMS" "$copy/release/SHA256SUMS"
  echo "The release is the same when it is built again."
  exit
fi

mkdir -p "$out"
rm -f "$out"/rail-* "$out/SHA256SUMS"
go run ./tools/rail build --archive tools/rail/site.zip
for target in $targets; do
  name="rail-${target%/*}-${target#*/}"
  if [ "${target%/*}" = windows ]; then name="$name.exe"; fi
  GOOS="${target%/*}" GOARCH="${target#*/}" CGO_ENABLED=0 \
    go build -trimpath -tags embedsite -ldflags="-s -w" -o "$out/$name" ./tools/rail
  echo "$out/$name"
done
cd "$out"
if command -v sha256sum >/dev/null; then sha256sum rail-* >SHA256SUMS; else shasum -a 256 rail-* >SHA256SUMS; fi
