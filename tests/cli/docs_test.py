#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the documents show is what there is: help texts as the program prints them, code as it stands in the tree."""
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def help_of(command):
    arguments = [os.environ["STURM"], *command.split()[1:], "--help"]
    text = subprocess.run(arguments, capture_output=True, text=True, check=True, env=os.environ | {"COLUMNS": "100"}).stdout
    return [line.rstrip() for line in text.strip().splitlines()]


def numbers_of(text):
    """What `sturm fit` says, as {words before a number: the number}; times are left out."""
    text = re.sub(r" in [\d.]+ s\b", "", " ".join(text.split()))
    return {words.strip(" ,:"): float(number) for words, number in re.findall(r"([^\d,;]*?)(-?\d[\d.]*(?:e-?\d+)?)", text)}


class Documents(unittest.TestCase):
    def test_help_texts(self):
        """`python3 tests/cli/docs_test.py --write` renews them."""
        text = (ROOT / "docs/commands.md").read_text()
        shown = re.findall(r"^## (sturm.*)\n((?:    .*\n|\n)+)", text, re.M)
        commands = re.findall(r"^  ([a-z]+) ", "\n".join(help_of("sturm")).split("Commands:")[1].split("\n\n")[0], re.M)
        self.assertEqual({"sturm", *(f"sturm {name}" for name in commands)}, {command for command, _ in shown})
        for command, block in shown:
            lines = [line[4:].rstrip() for line in block.rstrip().splitlines()]
            self.assertEqual(lines, help_of(command), command)

    def test_code_is_in_the_tree(self):
        """Each block stands in one source as it is, but for how far it is indented."""
        def stripped(text):
            return "\n" + "\n".join(line.strip() for line in text.strip().splitlines()) + "\n"
        sources = [stripped(path.read_text()) for folder in ("src", "tests", "examples")
                   for path in (ROOT / folder).rglob("*") if path.suffix in (".h", ".cpp")]
        for name in ("add-a-loss.md", "add-a-model.md", "add-a-penalty.md"):
            blocks = re.findall(r"^ *```cpp\n(.*?)^ *```", (ROOT / "docs" / name).read_text(), re.M | re.S)
            self.assertTrue(blocks, name)
            for block in blocks:
                self.assertTrue(any(stripped(block) in source for source in sources),
                                f"{name} shows what no source has:\n{block}")

    def test_the_example_of_the_readme(self):
        """Its commands print the numbers it shows, and the explanation speaks of the gap that it shows."""
        readme = (ROOT / "README.md").read_text()
        calls = re.findall(r"^    \$ (sturm (?:phantom|fit) .*)\n((?:    [^$].*\n)*)", readme, re.M)
        self.assertEqual([call.split()[1] for call, _ in calls], ["phantom", "fit"])
        with tempfile.TemporaryDirectory() as folder:
            for call, _ in calls:
                done = subprocess.run([os.environ["STURM"], *call.split()[1:], "--progress", "none"], cwd=folder,
                                      capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
        shown, printed = (numbers_of(text[text.index("converged:"):text.index("written to")]) for text in (calls[1][1], done.stderr + done.stdout))
        self.assertEqual(shown.keys(), printed.keys())
        self.assertGreaterEqual(len(shown), 9)
        for words, number in shown.items():
            # Other processors round sums in another order, which can move the end by a few iterations; the gap then lies
            # anywhere below 1e-3, and the digits of the solution agree to about that.
            most = {"converged: relative gap": 5e-4, "after": 10, "tubal rank": 1}.get(words, 0.02 * abs(number))
            self.assertAlmostEqual(printed[words], number, delta=most, msg=words)
        gap, percent = re.search(r"A relative\s+gap of ([\d.e-]+) says that no other map can be more than ([\d.]+) % better",
                                 " ".join(readme.split())).groups()
        self.assertIn(f"relative gap {gap} after", calls[1][1])
        self.assertAlmostEqual(float(percent), 100 * float(gap), delta=1e-9)


    def test_the_proof_in_numpy_is_the_example(self):
        block = re.search(r"^```python\n(.*?)^```", (ROOT / "docs/proof.md").read_text(), re.M | re.S)[1]
        code = (ROOT / "examples/verify.py").read_text()
        self.assertEqual(block, code[code.index("import csv"):])


def write():
    path = ROOT / "docs/commands.md"

    def renewed(match):
        block = "".join(f"    {line}".rstrip() + "\n" for line in help_of(match[1]))
        return f"## {match[1]}\n{block}\n"
    path.write_text(re.sub(r"^## (sturm.*)\n((?:    .*\n|\n)+)", renewed, path.read_text(), flags=re.M))


if __name__ == "__main__":
    import sys
    write() if "--write" in sys.argv else unittest.main()
