#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# schema.sh [--check]: prints web/src/schema.ts, results.ts and palette.ts from the descriptions in the program; with --check, says
# whether they are as printed.
set -euo pipefail
cd "$(dirname "$0")/.."
print="${PRINT_SCHEMA:-build/dev/tests/print_schema}"
for name in schema results palette; do
  if [[ "${1:-}" == --check ]]; then
    "$print" "$name" | diff -u "web/src/$name.ts" - || {
      echo "web/src/$name.ts is not what the program writes: run scripts/schema.sh" >&2
      exit 1
    }
  else
    "$print" "$name" > "web/src/$name.ts"
  fi
done
