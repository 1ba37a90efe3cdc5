# SPDX-License-Identifier: BSD-3-Clause
"""The command `sturm`: starts the program that lies in the package `sturm`, in place of Python. It stands outside that
package, whose beginning imports more than a program should wait for."""
import importlib.util
import os
import sys
from pathlib import Path


def main():
    for folder in importlib.util.find_spec("sturm").submodule_search_locations:
        program = Path(folder) / "bin" / "sturm"
        if program.exists():
            os.execv(program, sys.argv)
    sys.exit("sturm: this installation has the Python package alone: CLI11 was not there when it was built (Debian package "
             "libcli11-dev). Install CLI11 and then sturm again.")
