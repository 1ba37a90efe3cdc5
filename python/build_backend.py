# SPDX-License-Identifier: BSD-3-Clause
"""What pip calls: scikit-build-core, and before a source distribution is packed, what a build from it could not make for
itself: the page of reports (where npm is there), LIBSVM's sources, and the revision of git."""
import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from scikit_build_core.build import *  # noqa: F403  the other hooks stay as they are
from scikit_build_core.build import build_sdist as pack_sdist
from scikit_build_core.build import get_requires_for_build_sdist as requires_for_packing

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(Path(__file__).parent))


def say(sentence):
    print(sentence, file=sys.stderr)


def get_requires_for_build_sdist(config_settings=None):
    needs = requires_for_packing(config_settings)
    return needs if any(need.startswith("cmake") for need in needs) else [*needs, "cmake>=3.25"]


def build_page():
    """web/dist/index.html, in the way of the ordinary build."""
    page = ROOT / "web/dist/index.html"
    npm = shutil.which("npm", path=f"{ROOT / '.node/bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}")
    if npm and (ROOT / "web/package.json").exists():
        page.parent.mkdir(exist_ok=True)
        subprocess.run(["cmake", f"-DWEB={ROOT / 'web'}", f"-DNPM={npm}", "-P", ROOT / "cmake/build_page.cmake"], check=True)
    if not page.exists() or page.stat().st_size == 0:
        say("The page of reports is left out of the source distribution: npm was not found, or could not build it.")


def fetch_libsvm():
    from fetch_libsvm import fetch
    folder = ROOT / "third_party/libsvm"
    try:
        fetch(folder)
    except subprocess.CalledProcessError:
        if not (folder / "svm.cpp").exists():
            say("LIBSVM's sources are left out of the source distribution: pip could not fetch them.")


@contextlib.contextmanager
def revision_file():
    """REVISION, which a build outside git reads; it would be wrong in a working tree."""
    path = ROOT / "REVISION"
    if path.exists():  # a source distribution that is packed once more
        yield
        return
    with contextlib.suppress(FileNotFoundError):  # no git
        found = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty", "--exclude=*"], capture_output=True, text=True)
        if found.returncode == 0:
            path.write_text(found.stdout)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def build_sdist(sdist_directory, config_settings=None):
    build_page()
    fetch_libsvm()
    with revision_file():
        return pack_sdist(sdist_directory, config_settings)
