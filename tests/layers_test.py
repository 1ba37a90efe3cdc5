#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the house rules that a compiler does not: every #include against cmake/layers.txt, BLAS, LAPACK and CUDA
named in linalg/ alone, no conditional compilation outside linalg/ and study/, no file over 500 lines."""
import argparse
import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINE_LIMIT = 500
CODE_SUFFIXES = {".h", ".inl", ".cpp", ".cu", ".cuh"}
SOURCE_SUFFIXES = CODE_SUFFIXES | {".py", ".sh", ".cmake", ".ts"}
SOURCE_FOLDERS = ["src", "python", "web/src", "tests", "bench", "examples", "cmake", "scripts"]
CONDITIONAL_LAYERS = {"linalg", "study"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
CONDITIONAL = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif)\b")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
BACKEND_HEADER = re.compile(r"(cblas|lapack|f77blas|openblas|mkl|cuda|cublas|cusolver|cufft|device_launch)", re.IGNORECASE)
BACKEND_SYMBOL = re.compile(
    r"\b([sdcz]{1,2}(ge|sy|he|tr|po|or|un|st)[a-z0-9]{2,5}_|[sdcz](dot|axpy|scal|nrm2|copy)[uc]?_|i[sdcz]amax_"
    r"|cblas_\w+|LAPACKE_\w+|openblas_\w+|cu(blas|solver|fft)\w+|cuda[A-Z]\w*|__global__|__device__)\b")


def read_layers(path):
    """Layer -> every layer it may include, itself among them. A line may only name layers of earlier lines."""
    allowed = {}
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        layer, below = (part.split() for part in line.split(":"))
        unknown = [name for name in below if name not in allowed]
        if unknown:
            raise ValueError(f"{path}: {layer[0]} stands on {unknown[0]}, which no earlier line describes")
        allowed[layer[0]] = {layer[0]}.union(*(allowed[name] for name in below))
    return allowed


def layer_of(relative):
    return "python" if relative.parts[0] == "python" else relative.parts[2]


def check_code(path, relative, layers, root):
    """Rules for one C++ file of the library, the program or the Python module."""
    layer = layer_of(relative)
    if layer not in layers:
        yield f"{relative}: {layer} is not a layer of cmake/layers.txt"
        return
    code = COMMENT.sub(lambda match: "\n" * match.group().count("\n"), path.read_text())
    for number, line in enumerate(code.splitlines(), 1):
        where = f"{relative}:{number}"
        include = INCLUDE.match(line)
        if include:
            quote, target = include.groups()
            if target.startswith("sturm/"):
                if target.split("/")[1] not in layers[layer]:
                    yield f"{where}: {layer} may not include {target}"
                elif not (root / "src" / target).exists():
                    yield f"{where}: there is no {target}"
            elif layer == "python" and target.startswith("python/"):
                if not (root / target).exists():
                    yield f"{where}: there is no {target}"
            elif quote == '"':
                yield f'{where}: write the whole path, "sturm/...", not "{target}"'
            if layer != "linalg" and quote == "<" and BACKEND_HEADER.search(target):
                yield f"{where}: only linalg may include <{target}>"
        elif layer != "linalg" and (symbol := BACKEND_SYMBOL.search(line)):
            yield f"{where}: only linalg may name {symbol.group()}"
        if layer not in CONDITIONAL_LAYERS and CONDITIONAL.match(line):
            yield f"{where}: choose a source file in CMake instead of {line.strip()}"


def check_tree(root):
    """Every broken rule of a source tree, one line each."""
    layers = read_layers(root / "cmake/layers.txt")
    for folder in SOURCE_FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCE_SUFFIXES or "node_modules" in path.parts or not path.is_file():
                continue
            relative = path.relative_to(root)
            lines = len(path.read_text().splitlines())
            if lines > LINE_LIMIT and "// Printed by " not in path.read_text()[:200]:
                yield f"{relative}: {lines} lines; a file over {LINE_LIMIT} wants to be two"
            if path.suffix in CODE_SUFFIXES and folder in ("src", "python"):
                yield from check_code(path, relative, layers, root)


class TheCheckItself(unittest.TestCase):
    """A small tree with one fault must give one complaint; a sound tree none."""

    def complaints(self, file, text):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            files = {"cmake/layers.txt": (ROOT / "cmake/layers.txt").read_text(),
                     "src/sturm/core/error.h": "#pragma once\n", "src/sturm/tensor/tnn.h": "#pragma once\n", file: text}
            for name, content in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(content)
            return list(check_tree(root))

    def assert_caught(self, file, text, words):
        found = self.complaints(file, text)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_sound_files_pass(self):
        self.assertEqual(self.complaints("src/sturm/solver/admm.cpp", '#include "sturm/tensor/tnn.h"\n'), [])
        self.assertEqual(self.complaints("src/sturm/linalg/blas.cpp", "#ifdef A\nvoid sgemm_();\n#endif\n"), [])
        self.assertEqual(self.complaints("src/sturm/tensor/a.cpp", "// sgemm_ is called below us\n"), [])

    def test_a_lower_layer_may_not_include_a_higher_one(self):
        self.assert_caught("src/sturm/core/a.h", '#include "sturm/tensor/tnn.h"\n', "core may not include")

    def test_side_branches_do_not_meet(self):
        self.assert_caught("src/sturm/imaging/a.h", '#include "sturm/tensor/tnn.h"\n', "imaging may not include")
        self.assert_caught("src/sturm/report/a.h", '#include "sturm/study/plan.h"\n', "report may not include")

    def test_includes_name_existing_files_by_their_whole_path(self):
        self.assert_caught("src/sturm/core/a.h", '#include "sturm/core/nothing.h"\n', "there is no")
        self.assert_caught("src/sturm/core/a.h", '#include "error.h"\n', "whole path")

    def test_only_linalg_knows_blas_and_cuda(self):
        for text in ("void dgesdd_();\n", "  cblas_sgemm(a);\n", "cudaMalloc(&p, 1);\n", "openblas_get_corename();\n"):
            self.assert_caught("src/sturm/tensor/a.cpp", text, "only linalg may name")
        self.assert_caught("src/sturm/tensor/a.cpp", "#include <cblas.h>\n", "only linalg may include")

    def test_conditional_compilation(self):
        self.assert_caught("src/sturm/tensor/a.cpp", "#ifdef __AVX2__\n#endif\n", "choose a source file")

    def test_long_files_and_unknown_layers(self):
        self.assert_caught("tests/core/long_test.cpp", "\n" * (LINE_LIMIT + 1), "wants to be two")
        self.assert_caught("src/sturm/misc/a.h", "#pragma once\n", "not a layer")


class TheTree(unittest.TestCase):
    def test_every_rule_holds(self):
        found = list(check_tree(ROOT))
        self.assertEqual(found, [], "\n" + "\n".join(found))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quiet", action="store_true", help="say nothing unless a rule is broken")
    if parser.parse_args().quiet:
        broken = list(check_tree(ROOT))
        print("\n".join(broken), end="\n" if broken else "", file=sys.stderr)
        sys.exit(bool(broken))
    unittest.main(verbosity=2)
