#!/usr/bin/env bash
# Installs what the tests need beyond Rust, a C compiler, make and Node: only what is missing, so that a second run
# costs nothing and needs no network.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
clients=$root/tests/clients
venv=${CARGO_TARGET_DIR:-$root/target}/clients/venv

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

debian_packages() {
  local missing=()
  compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
  python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
  command -v npm >/dev/null || missing+=(npm)
  [ ${#missing[@]} -gt 0 ] || return 0
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

test_runner() { cargo nextest --version >/dev/null 2>&1 || cargo install --locked cargo-nextest --version 0.9.143; }

# npm writes the inner lock file last: newer than ours, it says that the installation is complete and current.
npm_packages() {
  local folder=$1
  [ "$folder/node_modules/.package-lock.json" -nt "$folder/package-lock.json" ] || npm --prefix "$folder" ci
}

# The copy of the requirements is made last, for the same reason.
python_packages() {
  cmp -s "$clients/python/requirements.txt" "$venv/requirements.txt" && return
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install --quiet --requirement "$clients/python/requirements.txt"
  cp "$clients/python/requirements.txt" "$venv/requirements.txt"
}

debian_packages
test_runner
npm_packages "$clients/typescript"
# The suite wants a newer Node than most distributions have: it comes as one of its packages.
npm_packages "$root/tests/conformance"
python_packages
