#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# schema.sh [--check]: prints web/src/schema.ts from the descriptions in the program; with --check, says whether it is as
# printed.
set -euo pipefail
cd "$(dirname "$0")/.."
print="${PRINT_SCHEMA:-build/dev/tests/print_schema}"
if [[ "${1:-}" == --check ]]; then
  "$print" | diff -u web/src/schema.ts - || {
    echo "web/src/schema.ts is not what the program writes: run scripts/schema.sh" >&2
    exit 1
  }
else
  "$print" > web/src/schema.ts
fi
