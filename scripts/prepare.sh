#!/usr/bin/env bash
# Installs what the tests need beyond Rust, a C compiler, make and Node.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/install.sh"
clients=$root/tests/clients

missing=()
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
command -v npm >/dev/null || missing+=(npm)
command -v openssl >/dev/null || missing+=(openssl)
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] || missing+=(chromium)
[ -x /usr/sbin/nginx ] || missing+=(nginx-light)
[ -x /usr/bin/caddy ] || missing+=(caddy)
debian_packages "${missing[@]}"

cargo nextest --version >/dev/null 2>&1 || cargo install --locked cargo-nextest --version 0.9.143
npm_packages "$clients/typescript"
# The suite wants a newer Node than most distributions have: it comes as one of its packages.
npm_packages "$root/tests/conformance"
npm_packages "$root/tests/browser"
python_packages "$clients/python/requirements.txt" "${CARGO_TARGET_DIR:-$root/target}/clients/venv"
