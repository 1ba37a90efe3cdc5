# SPDX-License-Identifier: BSD-3-Clause
"""fetch_libsvm.py FOLDER: puts svm.cpp, svm.h and LICENSE of LIBSVM there, out of the source archive of the Python package
libsvm-official. pip fetches it, so pip's settings hold (PIP_INDEX_URL, PIP_NO_INDEX, PIP_FIND_LINKS, pip.conf), and checks
it against python/libsvm.txt."""
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

WANTED = ("cpp-source/svm.cpp", "cpp-source/svm.h", "LICENSE")


def fetch(folder):
    requirements = Path(__file__).with_name("libsvm.txt")
    # Whoever calls our build backend leaves word of it in the environment, and a second pip would take it for its own.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("_PYPROJECT_HOOKS_", "PEP517_"))}
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                        "--no-binary=libsvm-official", f"--dest={scratch}", f"--requirement={requirements}"], check=True, env=environment)
        (archive,) = Path(scratch).glob("libsvm*.tar.gz")
        folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(archive) as files:
            for member in files:
                if member.name.partition("/")[2] in WANTED:
                    (folder / Path(member.name).name).write_bytes(files.extractfile(member).read())


if __name__ == "__main__":
    try:
        fetch(Path(sys.argv[1]))
    except subprocess.CalledProcessError:
        sys.exit(1)
