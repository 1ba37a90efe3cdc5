#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# lint.sh [--quick]: format, layers, and clang-tidy of every file. Quick, which is what `make test` has time for: only src/,
# in groups of files, for what may be a bug, without the static analyser and the checks that take longest. `make lint` has
# all of them. Reads the compile commands of build/dev.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/sources.sh | xargs clang-format --dry-run -Werror
python3 tests/layers_test.py --quiet

# What passed is not checked again until it, a header, or the rules change.
stamps=build/dev/tidy
mkdir -p "$stamps"
less=
if [[ "${1:-}" == --quick ]]; then
  less='-clang-analyzer-*,-misc-*,-modernize-*,-performance-*,-readability-*,-bugprone-reserved-identifier'
  less+=',-bugprone-assert-side-effect,-bugprone-sizeof-expression,-bugprone-stringview-nullptr'
  less+=',-bugprone-suspicious-semicolon,-bugprone-suspicious-string-compare'
fi
rules="$( (echo "$less"; cat .clang-tidy build/dev/compile_commands.json; scripts/sources.sh | grep -v '\.cpp$' | xargs cat) | sha256sum)"
tidy() { clang-tidy --quiet --checks="$less" "$@" 2> >(grep -v 'warnings\? generated\|^Suppressed\|^Use -header' >&2); }
# check STAMPS RULES GROUP SOURCE...: a source by itself is a group without a name. Two sources that cannot be compiled
# as one, since both have something of the same name, are looked at one by one.
check() {
  local stamps="$1" rules="$2" group="$3" stamp
  shift 3
  stamp="$stamps/$( (echo "$rules"; cat "$@") | sha256sum | cut -c1-32)"
  [[ -e "$stamp" ]] && return
  if [[ "$group" != - ]] && tidy -p "$stamps/groups" "$group" >"$stamp.found"; then
    rm "$stamp.found"
  else
    rm -f "$stamp.found"
    tidy -p build/dev "$@"
  fi && touch "$stamp"
}
export -f check tidy
export less
if [[ "${1:-}" == --quick ]]; then
  python3 scripts/lint_groups.py build/dev
else
  sed -n "s|^ *\"file\": \"$PWD/\(.*\)\",\?|\1|p" build/dev/compile_commands.json | grep -v '^build/' | sort -u | sed 's/^/- /'
fi | xargs -P "${JOBS:-2}" -L 1 bash -c 'check "$@"' _ "$stamps" "$rules"
echo "lint: clean"
