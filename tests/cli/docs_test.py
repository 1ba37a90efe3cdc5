#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the documents show is what there is: help texts as the program prints them, code as it stands in the tree."""
import os
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def help_of(command):
    arguments = [os.environ["STURM"], *command.split()[1:], "--help"]
    text = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    return [line.rstrip() for line in text.strip().splitlines()]


class Documents(unittest.TestCase):
    def test_help_texts(self):
        """`python3 tests/cli/docs_test.py --write` renews them."""
        text = (ROOT / "docs/commands.md").read_text()
        shown = re.findall(r"^## (sturm.*)\n((?:    .*\n|\n)+)", text, re.M)
        self.assertGreaterEqual(len(shown), 6)
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
