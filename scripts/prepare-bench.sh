#!/usr/bin/env bash
# Installs the peers of the bench, pinned.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/install.sh"
peers=$root/bench/peers
target=${CARGO_TARGET_DIR:-$root/target}

command -v b3sum >/dev/null || debian_packages b3sum
npm_packages "$peers/typescript"
python_packages "$peers/requirements.txt" "$target/bench/venv"
