# SPDX-License-Identifier: BSD-3-Clause
"""The command `sturm`: starts the program that lies in this package, in place of Python."""
import os
import sys
from pathlib import Path


def main():
    program = Path(__file__).with_name("bin") / "sturm"
    if not program.exists():
        sys.exit("sturm: this installation has the Python package alone: CLI11 was not there when it was built (Debian "
                 "package libcli11-dev). Install CLI11 and then sturm again.")
    os.execv(program, sys.argv)
