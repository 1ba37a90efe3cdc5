#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the solver leaves its numbers on the device: the processor's backend is named in one place outside
linalg/, addresses of a device's memory are followed in linalg/ alone, numbers come from the device at known places, and
loops over the voxels in the host's memory stand in solver/ and penalty/ only where listed here, with the reason. And that
below cli/ nothing prints or exits, or knows how the command line writes an option;
and above models/ no method is known by its name. Every source of the layers below has a test of its name, and cli/ is
small."""
import argparse
import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE_SUFFIXES = {".h", ".inl", ".cpp", ".cu", ".cuh"}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)

# The one place that chooses a device.
NAMES_THE_CPU = {"app/run_settings.cpp"}

# Files of solver/ and penalty/ that may loop over voxels on the host.
HOST_LOOPS = {
    "penalty/penalty.h": "copies on the host for a proof",
    "penalty/used.h": "layouts, once per study",
    "solver/certificate.cpp": "the proof in double",
    "solver/lasso_path.cpp": "what a pass over X found comes to the host to choose the next voxels",
    "solver/lasso_problem.cpp": "the proof of the lasso in double",
    "solver/paper.cpp": "the algorithm as printed, for replication",
    "solver/problem.cpp": "scale and mask of a view, once per fold",
    "solver/stagewise.cpp": "SURF runs on the host",
    "solver/stagewise_term.h": "SURF runs on the host",
}

# One line of a file that is not on the list above.
HOST_LINES = {
    ("solver/zero_point.cpp", "std::ranges::transform(v.flat(), scaled"): "V, once per training set",
    ("solver/batch.cpp", "const bool zero = std::ranges::all_of(out.w.flat()"): "a solution that is done and on the host",
}

# Where numbers of voxels come from the device to the host, and at how many places: no other loop can be about them.
DOWNLOADS = {
    "solver/batch.cpp": (2, "a solution, when it is done"),
    "solver/batch_check.cpp": (2, "the points that a proof is about"),
    "solver/enet_newton.cpp": (1, "the voxels of a solution, when it is done"),
    "solver/lasso_path.cpp": (1, "what a pass over X found, to choose the next voxels"),
    "solver/paper.cpp": (2, "the algorithm as printed, for replication"),
}

# Words go to whoever called: the command line alone prints and ends the process.
PRINTS = re.compile(r"\b(std::)?(fprintf|printf|puts|fputs|perror|exit|_exit|quick_exit|abort)\s*\(|\bstd::(cout|cerr|clog)\b|\bfmt::print\b")

# The layers of the program sturm itself.
FRONT_DOOR = {"cli", "terminal"}

# Below cli/ an option is named as core/sentence.h says.
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
FLAG = re.compile(r'(?<!<!)--[a-zA-Z]|^"--"$')  # "<!--" begins a comment of a page

# Methods describe themselves: above models/ none is known by its name. `sturm` is also the program's name, and what a fit
# takes unless told.
METHOD = re.compile(r'"(remurs|lasso|enet|svm|svm-rbf|mmk|dusk|surf|ridge|dummy|[a-z]+\+svm|\+svm)"')
ABOVE_MODELS = {"eval", "study", "report", "app", "cli"}

# A source file of these layers has its test in tests/<layer>/, or in a folder there: <name>_test.cpp or <name>_test.py.
TESTED_BY_NAME = ("core", "linalg", "solver", "models", "eval", "study")

# Of sources that stand in for each other CMake builds one, and one test is for all.
SAME_TEST = {
    "core/heap_glibc.cpp": "heap",
    "core/heap_other.cpp": "heap",
    "linalg/cpu/lanes/available_other.cpp": "available",
    "linalg/cpu/lanes/available_x86.cpp": "available",
}

# Flags, words and progress: what is more than that belongs to app/.
CLI_LINES = 2000

FOR = re.compile(r"\bfor\s*\(")
# How many voxels there are, in the words of the code: of a design or region, of a copy, of a tensor.
VOXELS = (r"\bvoxels_?\b(?!\s*\.)|\bvoxels\(\)|\bcolumns\(\)|\bregion_?(\(\))?(\.|->)size\(\)|(\.|->)shape\(\)\.size\(\)"
          r"|\bshape_?\.size\(\)|\bbox_?(\(\))?\.size\(\)|\bsize\((k|t|term)\)|\bpositions\b|(\.|->)flat\(\)"
          r"|\b(scale|mask)_?\.size\(\)")
BOUND = re.compile(r"(<|<=|!=|>|:|\bmin\(|\bmax\()[^;]*(" + VOXELS + ")")
# Loops without the word: algorithms over what belongs to the voxels.
ALGORITHM = re.compile(r"\b(std::ranges::|std::)(transform|for_each|copy|fill|count_if|count|all_of|any_of|none_of|accumulate|"
                       r"reduce|inner_product|max_element|min_element|generate|iota)(_n)?\s*\(")
OF_VOXELS = re.compile(r"(\.|->)flat\(\)|\bvoxels_?\b|\bvoxels\(\)|\b(scale|mask)\.begin\(\)")


def code_of(path):
    return COMMENT.sub(lambda match: "\n" * match.group().count("\n"), path.read_text())


def parentheses(code, start):
    """What stands between the parenthesis that opens at `start` and its counterpart."""
    depth = 0
    for at in range(start, len(code)):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        if depth == 0:
            return code[start + 1:at]
    return code[start + 1:]


def header_condition(header):
    """What bounds a loop: the middle of `init; condition; step`, or `: range`."""
    parts = header.split(";")
    return parts[1] if len(parts) == 3 else ":" + header.split(":", 1)[-1] if ":" in header else header


def host_loops(code):
    """Line numbers of loops over voxels."""
    for match in FOR.finditer(code):
        header = parentheses(code, match.end() - 1)
        # A counter of devices, problems or terms may stand beside a size that only an operation is given.
        if BOUND.search(header_condition(header)):
            yield code.count("\n", 0, match.start()) + 1
    for match in ALGORITHM.finditer(code):
        if OF_VOXELS.search(parentheses(code, match.end() - 1)):
            yield code.count("\n", 0, match.start()) + 1


def check_names_of_tests(root):
    """Sources without a test of their name."""
    for layer in TESTED_BY_NAME:
        tests = {path.name for path in (root / "tests" / layer).rglob("*_test.*")}
        for path in sorted((root / "src/sturm" / layer).rglob("*.cpp")):
            name = path.relative_to(root / "src/sturm").as_posix()
            stem = SAME_TEST.get(name, path.stem)
            tested = not tests.isdisjoint({f"{stem}_test.cpp", f"{stem}_test.py"})
            if not tested:
                yield f"{name}: there is no tests/{layer}/{stem}_test.cpp"


def check_tree(root, allowed=None, downloads=None):
    """Every broken rule, one line each."""
    yield from check_names_of_tests(root)
    lines = sum(len(path.read_text().splitlines()) for path in (root / "src/sturm/cli").glob("**/*") if path.is_file())
    if lines >= CLI_LINES:
        yield f"cli/ has {lines} lines, and {CLI_LINES} are too many: what is not flags, words or progress belongs to app/"
    allowed = HOST_LOOPS if allowed is None else allowed
    downloads = DOWNLOADS if downloads is None else downloads
    source = root / "src/sturm"
    namings, needed = 0, set()
    for path in sorted(source.rglob("*")):
        if path.suffix not in CODE_SUFFIXES or not path.is_file():
            continue
        relative = path.relative_to(source)
        layer, name = relative.parts[0], relative.as_posix()
        code = code_of(path)
        for number, line in enumerate(code.splitlines(), 1):
            if layer in ABOVE_MODELS and METHOD.search(line):
                yield f"{name}:{number}: a method by its name; ask the method instead (models/method.h)"
        if layer not in FRONT_DOOR:
            for number, line in enumerate(code.splitlines(), 1):
                if any(FLAG.search(text) for text in LITERAL.findall(line)):
                    yield f"{name}:{number}: the name of a flag; write the option between backticks, as core/sentence.h says"
                if PRINTS.search(line):
                    yield f"{name}:{number}: the library prints nothing and never exits; return a sentence or throw"
        if layer == "linalg":
            continue
        for number, line in enumerate(code.splitlines(), 1):
            if "cpu_backend" in line:
                namings += 1
                if name not in NAMES_THE_CPU:
                    yield f"{name}:{number}: take the backend from the caller; app/run_settings.cpp alone chooses one"
            if re.search(r"(\.|->)address\(\)", line):
                yield f"{name}:{number}: addresses of a device's memory are followed in linalg/ alone"
        if layer in ("solver", "penalty"):
            lines = code.splitlines()
            found, expected = len(re.findall(r"\bdownload\s*[<(]", code)), downloads.get(name, (0, ""))[0]
            if found != expected:
                yield f"{name}: numbers come from the device at {found} places, and {expected} are known here"
            for number in host_loops(code):
                needed.add(name)
                known = any(name == file and text in lines[number - 1] for file, text in HOST_LINES)
                if name not in allowed and not known:
                    yield f"{name}:{number}: a loop over voxels in the host's memory; make it an operation of the backend"
    if namings > 1:
        yield f"cpu_backend is named {namings} times outside linalg/, and one is enough"
    for name in sorted(set(allowed) - needed):
        yield f"{name} has no loop over voxels any more: take it off the list of tests/structure_test.py"


class TheCheckItself(unittest.TestCase):
    """One fault in a small tree must give one complaint; what the code does all day none."""

    def complaints(self, file, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "src/sturm" / file
            path.parent.mkdir(parents=True)
            path.write_text(text)
            test = Path(folder) / "tests" / Path(file).parts[0] / f"{path.stem}_test.cpp"
            test.parent.mkdir(parents=True)
            test.write_text("")
            return list(check_tree(Path(folder), {}, {}))

    def assert_caught(self, text, file="solver/batch.cpp"):
        self.assertEqual(len(self.complaints(file, text)), 1, text)

    def assert_passes(self, text, file="solver/batch.cpp"):
        self.assertEqual(self.complaints(file, text), [], text)

    def test_loops_over_voxels_are_found(self):
        for text in ("for (Index v = 0; v < voxels_; ++v) w[v] = 0;",
                     "for (Index v = 0; v < x.voxels(); ++v) {}",
                     "for (Index v = 0; v < x_.region().size(); ++v) {}",
                     "for (Index c = 0; c < region.size(); ++c) {}",
                     "for (Index v = 0; v != penalty_->size(k); ++v) {}",
                     "for (Index v = first; v < std::min(voxels, first + 64); ++v) {}",
                     "for (std::size_t v = 0; v < w.flat().size(); ++v) {}",
                     "for (Index v = 0;\n     v < voxels_;\n     ++v) {}",
                     "for (Real& v : w.flat()) v = 0;",
                     "for (const Index p : penalty.layout(0).positions) {}",
                     "for (Index v = view.scale.size(); v-- > 0 && v < voxels_;) {}",
                     "for (std::size_t v = 0; v < view.mask.size(); ++v) {}",
                     "std::ranges::fill(w.flat(), 0);",
                     "std::transform(w.flat().begin(), w.flat().end(), out, f);",
                     "std::fill_n(out, voxels_, 0);"):
            self.assert_caught(text)
            for file in ("solver/newton.cpp", "solver/zero_point.cpp", "penalty/tubal.cpp", "penalty/overlapped.cpp"):
                self.assert_caught(text, file)

    def test_what_the_solver_does_is_not(self):
        for text in ("for (int k = 0; k < terms_; ++k) b.push_back(backend.make<Real>(penalty_->size(k)));",
                     "for (auto& columns : columns_) columns = backend_.make<Real>(count * voxels_);",
                     "for (const State<Real>* s : list) sizes.push_back({.a = s->newton.w});",
                     "for (std::size_t m = 0; m < theta.size(); ++m) {}",
                     "backend_.upload(out.w.flat(), s.w.whole());",
                     "// for (Index v = 0; v < voxels_; ++v) is what a backend does"):
            self.assert_passes(text)
        self.assert_passes("for (Index v = 0; v < voxels_; ++v) {}", "linalg/cpu/columns.cpp")

    def test_what_comes_from_the_device_is_counted(self):
        self.assert_caught("backend_.download(s.w.whole(), out.w.flat());")
        self.assert_caught("backend.download<double>(a, host);", "penalty/tubal.cpp")

    def test_devices_are_chosen_once(self):
        self.assert_caught("f(linalg::cpu_backend());", "models/a.cpp")
        self.assert_passes("return linalg::cpu_backend();", "app/run_settings.cpp")
        self.assertEqual(len(self.complaints("app/run_settings.cpp", "f(cpu_backend());\ng(cpu_backend());\n")), 1)
        self.assert_passes("Backend& cpu_backend();", "linalg/backend.h")

    def test_the_library_prints_nothing(self):
        for text in ('std::fprintf(stderr, "a");', 'std::cerr << 1;', 'fmt::print("{}", 1);', "std::exit(3);", "abort();"):
            self.assert_caught(text, "linalg/cpu/a.cpp")
            self.assert_passes(text, "cli/a.cpp")
        for text in ("std::snprintf(text, 3, f);", "next_exit(3);", "// std::cerr is for cli/"):
            self.assert_passes(text, "core/a.cpp")

    def test_flags_are_named_in_cli_alone(self):
        for text in ('throw Error("raise --memory");', 'f("a", "--" + name);', 'f("\\"--C");'):
            self.assert_caught(text, "models/a.cpp")
            self.assert_passes(text, "cli/a.cpp")
        for text in ('throw Error("raise `memory`");', "--count;", "// --memory is a flag", 'f("a -- b");', 'f("a"); --i; g("b");',
                     'f("<!--PLACE-->");'):
            self.assert_passes(text, "models/a.cpp")

    def test_methods_are_named_in_models_alone(self):
        for text in ('if (name == "dummy") {}', 'cost["sturm+svm"] = 1;', 'name.ends_with("+svm");'):
            self.assert_caught(text, "report/a.cpp")
            self.assert_passes(text, "models/a.cpp")
        self.assert_passes('std::string method = "sturm";', "app/a.h")

    def test_sources_have_a_test_of_their_name(self):
        def complaints(source, test):
            with tempfile.TemporaryDirectory() as folder:
                for path in (Path(folder) / "src/sturm" / source, Path(folder) / "tests" / test):
                    path.parent.mkdir(parents=True)
                    path.write_text("")
                return len(list(check_tree(Path(folder), {}, {})))

        for source, test in (("core/a.cpp", "core/a_test.cpp"), ("linalg/cpu/a.cpp", "linalg/a_test.cpp"),
                             ("models/b/a.cpp", "models/b/a_test.cpp"), ("study/a.cpp", "study/a_test.py"),
                             ("core/heap_other.cpp", "core/heap_test.cpp"), ("report/a.cpp", "core/b_test.cpp"),
                             ("core/a.h", "core/b_test.cpp")):
            self.assertEqual(complaints(source, test), 0, source)
        for source, test in (("core/a.cpp", "linalg/a_test.cpp"), ("core/a.cpp", "core/aa_test.cpp"),
                             ("solver/a.cpp", "solver/a.cpp")):
            self.assertEqual(complaints(source, test), 1, test)

    def test_the_command_line_is_small(self):
        self.assert_passes("\n" * (CLI_LINES - 1), "cli/a.cpp")
        self.assertEqual(len(self.complaints("cli/a.cpp", "\n" * CLI_LINES)), 1)

    def test_addresses_are_followed_in_linalg_alone(self):
        self.assert_caught("*part.address() = 1;")
        self.assert_caught("read(array->address());", "models/a.cpp")
        self.assert_passes("*part.address() = 1;", "linalg/cpu/a.cpp")


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
