#!/usr/bin/env bash
# Installs the peers of the bench, pinned: only what is missing, so that a second run costs nothing and needs no
# network.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
peers=$root/bench/peers
venv=${CARGO_TARGET_DIR:-$root/target}/bench/venv

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

b3sum_package() {
  command -v b3sum >/dev/null && return
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends b3sum
}

# npm writes the inner lock file last: newer than ours, it says that the installation is complete and current.
npm_packages() {
  local folder=$peers/typescript
  [ "$folder/node_modules/.package-lock.json" -nt "$folder/package-lock.json" ] || npm --prefix "$folder" ci
}

# The copy of the requirements is made last, for the same reason.
python_packages() {
  cmp -s "$peers/requirements.txt" "$venv/requirements.txt" && return
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install --quiet --requirement "$peers/requirements.txt"
  cp "$peers/requirements.txt" "$venv/requirements.txt"
}

b3sum_package
npm_packages
python_packages
"$root/bench/corpus/fetch.sh" "${CARGO_TARGET_DIR:-$root/target}/bench/corpus"
