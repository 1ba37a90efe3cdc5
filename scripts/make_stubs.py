#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the stubs of what Python makes at run time: estimators.pyi from the signatures, _native.pyi by nanobind.

    PYTHONPATH=build/py/python python scripts/make_stubs.py [--check]
"""
import inspect
import subprocess
import sys
import tempfile
from pathlib import Path

from sturm import estimators
from sturm._parameters import TYPES

HEAD = '''# SPDX-License-Identifier: BSD-3-Clause
# Made by scripts/make_stubs.py.
from typing import Any

from ._base import ChoosingMixin, SturmClassifierMixin, SturmEstimator, SturmRegressorMixin

class _Given(SturmEstimator):
    def fit(self, X: Any, y: Any, sample_weight: Any = ...) -> Any: ...

class _Chosen(ChoosingMixin, SturmEstimator):
    def fit(self, X: Any, y: Any, sample_weight: Any = ..., groups: Any = ...) -> Any: ...

class _Selecting(_Given): ...
'''


def stub(cls) -> str:
    bases = ", ".join(base.__name__ for base in cls.__bases__)
    lines = [f"class {cls.__name__}({bases}):", "    def __init__(", "        self,"]
    keyword = False
    for name, parameter in list(inspect.signature(cls.__init__).parameters.items())[1:]:
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword:
            lines.append("        *,")
            keyword = True
        lines.append(f"        {name}: {TYPES.get(name, 'Any')} = ...,")
    return "\n".join([*lines, "    ) -> None: ..."])


def made() -> dict[str, str]:
    classes = "\n\n".join(stub(getattr(estimators, name)) for name in estimators.__all__)
    names = "\n".join(f'    "{name}",' for name in estimators.__all__)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "native.pyi"
        subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "sturm._native", "-o", str(out)], check=True)
        native = "# SPDX-License-Identifier: BSD-3-Clause\n# Made by scripts/make_stubs.py.\n" + out.read_text()
    return {"estimators.pyi": f"{HEAD}\n{classes}\n\n__all__ = [\n{names}\n]\n", "_native.pyi": native}


def main() -> int:
    package = Path(__file__).parent.parent / "python/sturm"
    stale = [name for name, text in made().items() if (package / name).read_text() != text] if "--check" in sys.argv else []
    if "--check" not in sys.argv:
        for name, text in made().items():
            (package / name).write_text(text)
    for name in stale:
        print(f"python/sturm/{name} is not what scripts/make_stubs.py makes; run it.", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
