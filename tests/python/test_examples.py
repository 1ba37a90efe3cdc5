# SPDX-License-Identifier: BSD-3-Clause
"""The scripts of the gallery run to their end and leave nothing behind; so does the code of each page of the guide."""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("nilearn")
pytest.importorskip("pandas")
ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "examples/python").glob("*.py"))
GUIDE = [ROOT / "docs/site/index.md", *sorted((ROOT / "docs/site/guide").glob("*.md"))]
CODE = {page: re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S) for page in GUIDE}


def run(arguments, folder):
    place = folder / "temporary"
    place.mkdir()
    environment = os.environ | {"MPLBACKEND": "Agg", "TMPDIR": str(place), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    place.rmdir()  # which only an empty folder allows
    return done.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_runs(script, tmp_path):
    assert re.search(r"\d", run([str(script)], tmp_path)), "it prints no number"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("page", [page for page, code in CODE.items() if code], ids=lambda page: page.stem)
def test_the_code_of_a_page_runs(page, tmp_path):
    run(["-c", "\n".join(CODE[page])], tmp_path)


def test_there_are_five_scripts_and_a_guide():
    assert len(SCRIPTS) == 5 and sum(map(bool, CODE.values())) >= 5
