# SPDX-License-Identifier: BSD-3-Clause
"""Both doors of the README: its lines of shell and of Python end with the number that it names, and leave the same files."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
SECTION = README.split("\n## Both doors\n")[1].split("\n## ")[0]


def lines_of(language):
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", SECTION, re.M | re.S)
    return block


def number_after(arguments, folder, **environment):
    folder.mkdir(exist_ok=True)
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=False, env=os.environ | environment)
    assert done.returncode == 0, done.stderr
    (last,) = re.findall(r"\d+\.\d+", done.stdout.strip().splitlines()[-1])
    return float(last)


def test_both_doors_end_with_the_same_number(tmp_path):
    path = os.environ.get("STURM")
    if not path or not shutil.which(path):
        pytest.skip("STURM does not name the program")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/sturm").symlink_to(Path(shutil.which(path)).resolve())
    search = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    shell = number_after(["bash", "-e", "-c", lines_of("sh")], tmp_path / "shell", PATH=search)
    python = number_after([sys.executable, "-c", lines_of("python")], tmp_path / "python")
    assert shell == python == float(re.search(r"end with the number ([\d.]+):", SECTION)[1])
    names = sorted(p.name for p in (tmp_path / "shell/cv").iterdir())
    assert names == sorted(p.name for p in (tmp_path / "python/cv").iterdir())
    for name in names:
        assert (tmp_path / "shell/cv" / name).read_bytes() == (tmp_path / "python/cv" / name).read_bytes(), name


def test_each_door_has_five_lines():
    assert len(lines_of("sh").splitlines()) == len(lines_of("python").splitlines()) == 5
