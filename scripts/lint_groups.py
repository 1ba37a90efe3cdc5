#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""lint_groups.py BUILD: puts the sources of src/ that are compiled alike in groups of eight, each a file that includes them,
in BUILD/tidy/groups with compile commands of its own, and prints one line per group: the file, then its sources. A group is
analysed in little more time than one source, most of which goes to headers that they share."""
import json
import re
import sys
from pathlib import Path

build = Path(sys.argv[1]).resolve()
source = build.parents[1] / "src"
folder = build / "tidy/groups"
folder.mkdir(parents=True, exist_ok=True)

alike, seen = {}, set()
for entry in json.loads((build / "compile_commands.json").read_text()):
    path = Path(entry["file"])
    # A source that is compiled for several instruction sets is looked at for one.
    if path.is_relative_to(source) and path not in seen:
        seen.add(path)
        flags = re.sub(r" -o \S+ -c \S+", "", entry["command"])
        alike.setdefault((path.relative_to(source).parts[1], flags), []).append(str(path))

commands = []
for (layer, flags), files in sorted(alike.items()):
    for first in range(0, len(files), 8):
        members = files[first:first + 8]
        group = folder / f"{layer}_{len(commands)}.cpp"
        group.write_text("".join(f'#include "{file}"  // NOLINT(bugprone-suspicious-include)\n' for file in members))
        commands.append({"directory": str(build), "file": str(group), "command": f"{flags} -c {group}"})
        print(group, *members)
(folder / "compile_commands.json").write_text(json.dumps(commands, indent=1))
