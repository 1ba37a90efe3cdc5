#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# install_test.sh [--root FOLDER] [PYTHON]: what `pip install` makes of a checkout on a machine with a C++ compiler and
# Python's headers and nothing else, and without a network: pip finds in one folder what pyproject.toml asks for and
# LIBSVM's source archive. The folder is filled first, which needs a network. CMake is told to look in none of the system's
# folders; with --root everything happens in a folder that
#   debootstrap --variant=minbase --include=g++,python3-dev,python3-venv bookworm FOLDER
# has made (as root). Takes 5 to 10 minutes on 2 processors, nearly all of it to compile.
set -euo pipefail
source="$(cd "$(dirname "$0")/../.." && pwd)"
root=
[[ "${1:-}" == --root ]] && { root="$2"; shift 2; }
python="${1:-python3}"
scratch="$(mktemp -d ${root:+-p "$root/tmp"})"
trap 'rm -rf "$scratch"' EXIT
inside="${scratch#"$root"}" # what it is called where pip runs
hide=(-C cmake.define.CMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -C cmake.define.CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF)

# bare COMMAND...: with none of our environment but the choice of kernels, and in the root folder.
bare() {
  local run=(env -i "HOME=$inside" "PATH=/usr/bin:/bin" "CXX=/usr/bin/g++" LC_ALL=C.UTF-8 PIP_CONFIG_FILE=/dev/null
    PIP_NO_INDEX=1 "PIP_FIND_LINKS=$inside/house" PIP_DISABLE_PIP_VERSION_CHECK=1 ${CORETYPE:+"OPENBLAS_CORETYPE=$CORETYPE"} "$@")
  if [[ -n "$root" ]]; then
    unshare --mount sh -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"' "$root" "${run[@]}"
  else
    "${run[@]}"
  fi
}

[[ -n "$root" ]] && hide=() || python="$(readlink -f "$(command -v "$python")")"
version="$(bare "$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
readarray -t needs < <(python3 -c 'import sys, tomllib; print(*tomllib.load(open(sys.argv[1], "rb"))["build-system"]["requires"], sep="\n")' \
  "$source/pyproject.toml")
python3 -m venv "$scratch/fetch"
"$scratch/fetch/bin/pip" download -qq --dest "$scratch/house" --only-binary=:all: --python-version "$version" \
  "${needs[@]}" cmake ninja setuptools numpy scipy 'scikit-learn>=1.6'
"$scratch/fetch/bin/pip" download -qq --dest "$scratch/house" --no-deps --no-binary=libsvm-official -r "$source/python/libsvm.txt"

mkdir "$scratch/source"
git -C "$source" ls-files -z --cached --others --exclude-standard | tar -C "$source" --null -T - -c | tar -C "$scratch/source" -x
begin=$SECONDS
bare "$python" -m venv "$inside/try"
bare "$inside/try/bin/pip" install --verbose "$inside/source" "${hide[@]}" >"$scratch/log" 2>&1 || { tail -n 60 "$scratch/log"; exit 1; }
grep -h 'left out\|was not found' "$scratch/log" | sed 's/^ *-* */  /'
echo "installed in $((SECONDS - begin)) s"

cat >"$scratch/check.py" <<'END'
import ctypes
import numpy
import scipy.linalg
import sturm

a = numpy.ones((300, 300), numpy.float32)
assert (a @ a).max() == 300 and scipy.linalg.svdvals(a)[0] > 299  # beside the libraries that NumPy and SciPy bring
(blas,) = {line.split()[-1] for line in open("/proc/self/maps") if "/sturm/lib/libscipy_openblas" in line}
library = ctypes.CDLL(blas)
library.scipy_openblas_get_corename.restype = ctypes.c_char_p
print("Python", sturm.__version__, "with the kernels", library.scipy_openblas_get_corename().decode())
END
wanted="$(sed -n 's/^project(sturm VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")"
for CORETYPE in '' Haswell; do
  bare "$inside/try/bin/python" "$inside/check.py" | tee "$scratch/said"
  grep -q "^Python $wanted " "$scratch/said"
done
# The command is there with or without the program.
bare "$inside/try/bin/sturm" --version | tee "$scratch/said" || true
[[ -e "$scratch/try/lib/python$version/site-packages/sturm/py.typed" ]]
[[ -z "$(find "$scratch/try" -path '*sturm*' -name '*.h')" ]] || { echo "headers were installed"; exit 1; }
echo "install_test: passed"
