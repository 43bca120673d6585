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

# The instrumentation is an unstable flag of the compiler.
cargo +nightly --version >/dev/null || { echo "fuzz: rustup toolchain install nightly" >&2; exit 1; }
[ "$(cargo fuzz --version 2>/dev/null || true)" = "cargo-fuzz $version" ] ||
  env -u CARGO_TARGET_DIR cargo install --locked cargo-fuzz --version "$version"

# No sanitizer: our code has nothing unsafe, and panics, time and memory show without one. So every input is tried
# some times faster, memory is counted as it is in production, and no C library is built anew. Nor is anything told
# that it is being fuzzed: what is tried is what is served.
cargo +nightly fuzz build --sanitizer none --no-cfg-fuzzing --codegen-units 16 --target-dir "$build"
binaries=$build/$(rustc +nightly -vV | sed -n 's/^host: //p')/release

targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(cargo +nightly fuzz list)

# What a worker has to read a document with: 10 s, 512 MiB (the fuzzer needs some itself) and 64 MiB of stack.
# Whatever needs no worker needs less.
limits=(-timeout=10 -rss_limit_mb=600 -max_len=32768)
ulimit -S -s $((64 * 1024))
ulimit -S -c 0

# Folders of targets that are ended are removed by nobody else.
TMPDIR=$(mktemp -d)
export TMPDIR FUZZ_LAST=$TMPDIR/last
trap 'rm -rf "$TMPDIR"' EXIT

failed=()
for target in "${targets[@]}"; do
  corpus=$build/corpus/$target findings=$build/findings/$target log=$build/$target.log
  mkdir -p "$corpus" "$findings"
  : >"$FUZZ_LAST"
  if nice "$binaries/$target" "${limits[@]}" -max_total_time="$seconds" -print_final_stats=1 \
    -artifact_prefix="$findings/" "$corpus" "fuzz/seeds/$target" >"$log" 2>&1; then
    echo "fuzz: $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, no finding"
  else
    tail -n 60 "$log"
    # One that used up its stack could not be written down by libFuzzer.
    grep -q 'Test unit written to' "$log" || cp -v "$FUZZ_LAST" "$findings/last"
    failed+=("$target")
  fi
done
[ ${#failed[@]} -eq 0 ] || { echo "fuzz: findings in ${failed[*]}" >&2; exit 1; }
