#!/usr/bin/env bash
# Fuzzes each target (or those named) from its kept seeds, for FUZZ_SECONDS each (60). What was found on the way is kept
# in the target folder, so that the next run goes on from there. A finding ends the target and is printed with its
# file: copy that into fuzz/seeds/TARGET once it is fixed, and write a test of its kind beside the code.
#
#   fuzz.sh [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."

version=0.13.2
build=$(realpath -m "${CARGO_TARGET_DIR:-target}")/fuzz
seconds=${FUZZ_SECONDS:-60}

# The build flags of the sanitizers are unstable.
cargo +nightly --version >/dev/null || { echo "fuzz: rustup toolchain install nightly" >&2; exit 1; }
[ "$(cargo fuzz --version 2>/dev/null)" = "cargo-fuzz $version" ] && status=0 || status=${PIPESTATUS[0]}
  env -u CARGO_TARGET_DIR cargo install --locked cargo-fuzz --version "$version"

targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(cargo +nightly fuzz list)
cargo +nightly fuzz build --target-dir "$build"

# One input may take 10 s and 2 GB: far beyond what any should.
limits=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 -print_final_stats=1)
failed=()
for target in "${targets[@]}"; do
  corpus=$build/corpus/$target log=$build/$target.log
  mkdir -p "$corpus"
  if cargo +nightly fuzz run --target-dir "$build" "$target" "$corpus" "fuzz/seeds/$target" -- "${limits[@]}" \
    >"$log" 2>&1; then
    echo "fuzz: $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, no finding"
  else
    tail -n 60 "$log"
    failed+=("$target")
  fi
done
[ ${#failed[@]} -eq 0 ] || { echo "fuzz: findings in ${failed[*]}" >&2; exit 1; }
