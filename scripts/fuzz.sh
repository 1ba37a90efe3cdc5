#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# fuzz.sh [SECONDS [TARGET ...]]: fuzzes each reader for that long (30), or with FUZZ_RUNS=N for N inputs, JOBS readers at a
# time, under the address and undefined-behaviour sanitizers (the preset asan). Starts from the files of ../shared, where there
# are any, and from what earlier runs learnt (build/fuzz/corpus). An input that fails is kept in build/fuzz/found: mend the
# reader, then keep the input in tests/fuzz/regressions/TARGET. Needs clang.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds="${1:-30}"
shift || true
targets=("${@:-header}")
[[ $# -gt 0 ]] || targets=(header gzip extensions table model journal cache config)
shared="${STURM_SHARED:-../shared}"
programs=build/asan/tests/fuzz

mkdir -p build/fuzz
cmake --preset asan >build/asan.log 2>&1 || {
  cat build/asan.log >&2
  exit 1
}
wanted=(make_seeds)
for target in "${targets[@]}"; do wanted+=("fuzz_$target"); done
cmake --build build/asan -j "${JOBS:-$(nproc)}" --target "${wanted[@]}"

seeds=build/fuzz/seeds
rm -rf "$seeds"
"$programs/make_seeds" "$seeds"
# Small files alone: a fuzzer learns nothing from a large one that it would not from its beginning.
gather() { find "$shared" -type f -size -33k "$@" 2>/dev/null; }
number=0
while read -r file; do
  number=$((number + 1))
  cp "$file" "$seeds/header/shared-$number"
  [[ "$file" == *.gz ]] && cp "$file" "$seeds/gzip/shared-$number"
done < <(gather '(' -name '*.nii' -o -name '*.nii.gz' -o -name '*.hdr' -o -name '*.hdr.gz' -o -name 'crash-*' ')')
while read -r file; do
  number=$((number + 1))
  cp "$file" "$seeds/table/shared-$number"
done < <(gather -name '*.tsv')

fuzz() {
  local target="$1" limit="-max_total_time=$seconds" corpus="build/fuzz/corpus/$1" found="build/fuzz/found/$1" log="build/fuzz/$1.log" old=()
  mkdir -p "$corpus" "$found"
  [[ -z "${FUZZ_RUNS:-}" ]] || limit="-runs=$FUZZ_RUNS"
  [[ ! -d "tests/fuzz/regressions/$target" ]] || old=("tests/fuzz/regressions/$target")
  # -detect_leaks stays on; memory is what the largest sound input needs many times over.
  if "$programs/fuzz_$target" "$limit" -max_len=32768 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="$found/" "$corpus" "$seeds/$target" "${old[@]}" >"$log" 2>&1; then
    local runs covered took
    runs="$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
    covered="$(grep -o 'cov: [0-9]*' "$log" | tail -n 1)"
    took="$(sed -n 's/^Done .* in \([0-9]*\) second.*/\1/p' "$log")"
    echo "fuzz: $target: $runs inputs in $took s, ${covered/cov: /} edges covered, nothing found"
  else
    grep -m 1 'SUMMARY\|ERROR' "$log" || true
    echo "fuzz: $target: FAILED, see $log and $found" >&2
    return 1
  fi
}
export -f fuzz
export programs seconds seeds
printf '%s\n' "${targets[@]}" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'fuzz "$1"' _ {}
