#!/usr/bin/env bash
# Installs what `make test` needs besides Go: Node with npm, and Chromium.
# On Debian and its relatives with apt-get; elsewhere it says what to install.
set -euo pipefail

have() { command -v "$1" >/dev/null 2>&1; }

# The browser may be given, or have one of the names that distributions use.
have_browser() {
  [ -x "${CHROMIUM:-}" ] || have chromium || have chromium-browser || have google-chrome || have google-chrome-stable
}

missing=()
have node || missing+=(nodejs)
have npm || missing+=(npm)
have_browser || missing+=(chromium)

if [ ${#missing[@]} -eq 0 ]; then
  echo "Node, npm and Chromium are there."
  exit 0
fi

if ! have apt-get; then
  echo "Please install: ${missing[*]}" >&2
  echo "Node 20 or later, with npm: https://nodejs.org, or your system's packages." >&2
  echo "Chromium or Chrome: your system's packages; where it has another name, set CHROMIUM=/path/to/it." >&2
  exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  as_root=(sudo)
fi
echo "Installing ${missing[*]}"
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
