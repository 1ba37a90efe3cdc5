#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# lint.sh [--quick]: format, layers, and clang-tidy of every file. Quick, which is what `make test` has time for: of src/
# alone, for what may be a bug, without the static analyser and the checks that take longest. `make lint` has all of
# them. Reads the compile commands of build/dev.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/sources.sh | xargs clang-format --dry-run -Werror
python3 tests/layers_test.py --quiet

# A file that passed is not checked again until it, a header, or the rules change.
stamps=build/dev/tidy
mkdir -p "$stamps"
which='.' less=
if [[ "${1:-}" == --quick ]]; then
  which='^src/'
  less='-clang-analyzer-*,-misc-*,-modernize-*,-performance-*,-readability-*,-bugprone-reserved-identifier'
  less+=',-bugprone-assert-side-effect,-bugprone-sizeof-expression,-bugprone-stringview-nullptr'
  less+=',-bugprone-suspicious-semicolon,-bugprone-suspicious-string-compare'
fi
rules="$( (echo "$less"; cat .clang-tidy build/dev/compile_commands.json; scripts/sources.sh | grep -v '\.cpp$' | xargs cat) | sha256sum)"
check() {
  local stamp
  stamp="$2/$( (echo "$3"; cat "$1") | sha256sum | cut -c1-32)"
  [[ -e "$stamp" ]] && return
  clang-tidy -p build/dev --quiet --checks="$less" "$1" 2> >(grep -v 'warnings\? generated\|^Suppressed\|^Use -header' >&2) && touch "$stamp"
}
export -f check
export less
sed -n "s|^ *\"file\": \"$PWD/\(.*\)\",\?|\1|p" build/dev/compile_commands.json | grep -v '^build/' | grep "$which" | sort -u |
  xargs -P "${JOBS:-2}" -I{} bash -c 'check "$@"' _ {} "$stamps" "$rules"
echo "lint: clean"
