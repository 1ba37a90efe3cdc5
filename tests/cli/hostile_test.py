#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Hundreds of hostile calls of sturm (hostile.py): each ends within ten seconds with the exit code and the words that it
should, never with 1 or a signal, and leaves no file behind. Every numeric flag of every command is among them, read from
the program's own help."""
import concurrent.futures
import json
import os
import queue
import re
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import hostile
import numpy as np
from study import STURM, write_table

LIMIT = 10  # seconds that end a hang; a call takes a small part of one
NOBODY = 65534
AT_ONCE = max(2, os.cpu_count() or 2)
SHAPE = (3, 4, 3)
SAMPLES = 24


def numeric_flags():
    """(command, flag, whole) of every flag whose value is a number, as the help says."""
    text = subprocess.run([STURM, "help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  ([a-z]+) ", text.split("Commands:")[1].split("\n\n")[0], re.M)
    for command in commands:
        page = subprocess.run([STURM, "help", command], capture_output=True, text=True, check=True,
                              env=os.environ | {"COLUMNS": "200"}).stdout
        for flag, kind in re.findall(r"^  (?:-\w, )?(--[\w-]+) (N|NUMBER|auto\|NUMBER|FLOAT|INT|UINT)\b", page, re.M):
            yield command, flag, kind in ("N", "INT", "UINT")


def write_nifti(path, values):
    header = bytearray(352)
    header[0:4] = (348).to_bytes(4, "little")
    header[40:56] = np.array([3, *values.shape, 1, 1, 1, 1], "<i2").tobytes()
    header[70:74] = np.array([16, 32], "<i2").tobytes()
    header[76:108] = np.array([1, 2, 2, 2, 1, 1, 1, 1], "<f4").tobytes()
    header[108:112] = np.array([352], "<f4").tobytes()
    header[254:256] = np.array([1], "<i2").tobytes()
    header[280:328] = np.array([[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0]], "<f4").tobytes()
    header[344:348] = b"n+1\0"
    path.write_bytes(bytes(header) + values.astype("<f4").tobytes(order="F"))


CONFIGS = {
    "bad/no-value.toml": "seed = 1\ntau =\n", "bad/twice.toml": "tau = 1\ntau = 2\n", "bad/flag.toml": "tua = 1\n",
    "bad/section.toml": "[nonsense]\ntau = 1\n", "bad/word.toml": "tau = 'word'\n", "bad/empty.toml": "tau = ''\n",
    "bad/nan.toml": "tau = nan\n", "bad/table.toml": "[fit.tau]\na = 1\n", "bad/list.toml": "tau = [1, 2]\n",
    "bad/no-list.toml": "site = []\n", "bad/comma.toml": "site = ['a,b', 'c']\n", "bad/nested.toml": "site = [['a'], ['b']]\n",
    "bad/switch.toml": "no-intercept = 'true'\n", "bad/yes.toml": "no-intercept = 1\n", "bad/true.toml": "tau = true\n",
    "bad/config.toml": "config = 'a'\n", "bad/help.toml": "help = true\n", "bad/date.toml": "tau = 2026-01-31\n",
    "bad/huge.toml": "seed = 99999999999999999999\n", "bad/negative.toml": "seed = -1\n", "bad/zero.toml": "tau = 1\0\n",
    "bad/deep.toml": "site = " + "[" * 5000 + "]" * 5000 + "\n", "bad/quote.toml": 'site = "never closed\n',
    "good/underscore.toml": "seed = 1_000\n", "good/escape.toml": 'site = "\\u006eone"\n',
    "good/bom.toml": "\ufeffseed = 1\n", "good/long-quote.toml": 'site = """none"""\n', "good/literal.toml": "site = '''none'''\n",
    "good/crlf.toml": "seed = 1\r\n# words\r\n", "good/sections.toml": "seed = 1\n[cv]\nmethods = 'nope'\n[fit]\nstrength = 0.2\n",
    "good/inline.toml": "fit = {strength = 0.2, seed = 3}\n", "good/empty.toml": "", "good/off.toml": "no-intercept = false\n",
    "good/cv-list.toml": "methods = ['svm', 'dummy']\n[cv]\ntop = [1, 5.5]\nconfounds = ['score']\n",
}


def make_place(folder):
    """All that the calls need, in a folder of its own."""
    random = np.random.default_rng(7)
    x = random.standard_normal((SAMPLES, *SHAPE)).astype(np.float32)
    label = np.arange(SAMPLES) % 2
    x[:, 1, 1:3, 1] += label[:, None]
    np.save(folder / "X.npy", x)
    ids = [f"s{m:02}" for m in range(SAMPLES)]
    columns = {"group": ["ab"[value] for value in label], "score": x.sum((1, 2, 3)), "part": [f"p{m // 2 % 3}" for m in range(SAMPLES)]}
    write_table(folder / "y.tsv", participant_id=ids, **columns)
    for name in ("volumes", "folder", "full", "bad", "good", "odd", "locked", "made"):
        (folder / name).mkdir()
    (folder / "full/precious.doc").write_text("precious")
    for m, name in enumerate(ids):
        write_nifti(folder / f"volumes/{name}.nii", x[m])
    write_table(folder / "samples.tsv", participant_id=ids, path=[f"volumes/{name}.nii" for name in ids], **columns)
    write_table(folder / "broken.tsv", participant_id=ids[:2], path=["absent.nii", "y.tsv"], group=["a", "b"])
    for name in ("pipe", "folder", "socket", "loop", "empty", "absent.nii", "y.tsv", "locked/X.npy"):
        write_table(folder / "odd" / (name.split(".")[0].split("/")[0] + ".tsv"), path=[f"../{name}"] + [f"../volumes/{name}.nii" for name in ids[1:]],
                    score=columns["score"])
    os.mkfifo(folder / "pipe")
    (folder / "empty").write_text("")
    (folder / "loop").symlink_to("loop")
    (folder / "dangling").symlink_to("nowhere")
    here = os.getcwd()
    try:  # the name of a socket is short: made from inside
        os.chdir(folder)
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("socket")
    finally:
        os.chdir(here)
    for name, text in CONFIGS.items():
        (folder / name).write_bytes(text.encode())
    (folder / "bad/utf16.toml").write_bytes("tau = 1\n".encode("utf-16"))
    for name in ("X.npy", "y.tsv", "samples.tsv"):
        shutil.copy(folder / name, folder / "locked" / name)
    (folder / "locked/a.toml").write_text("")
    (folder / "locked/fit").mkdir()
    (folder / "locked").chmod(0o700)
    folder.chmod(0o755)


def listing(folder):
    """Names, kinds and sizes of all that is in a folder."""
    out = {}
    for path, folders, files in os.walk(folder):
        for name in folders + files:
            whole = os.path.join(path, name)
            facts = os.lstat(whole)
            out[os.path.relpath(whole, folder)] = (facts.st_mode, None if name in folders else facts.st_size)
    return out


class Caller:
    """Makes calls in a folder of its own and compares what is there before and after."""

    def __init__(self, folder, sturm):
        self.folder, self.sturm = folder, sturm
        make_place(folder)
        for arguments in ("fit --array X.npy --labels y.tsv --target score --method ridge --l2 1 --no-report -o made/fit",):
            subprocess.run([sturm, *shlex.split(arguments)], cwd=folder, check=True, capture_output=True, timeout=60)
        (folder / "made/cv.work").mkdir()
        self.before = listing(folder)

    def complaint(self, codes, words, arguments, options):
        """What is wrong with the end of a call; None where nothing is."""
        if options.get("nobody") and os.geteuid() != 0:
            return None  # who is not root cannot be somebody else
        command = [self.sturm, *shlex.split(arguments)]
        if "how" in options:
            call = 'exec "$0" "$@"'
            command = ["bash", "-c", options["how"].replace("{}", call).replace("{{", "{").replace("}}", "}"), *command]
        environment = os.environ | {"LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "2"} | options.get("env", {})
        who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if options.get("nobody") else {}
        start = time.monotonic()
        try:
            result = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, timeout=LIMIT,
                                    stdin=subprocess.DEVNULL, **who)
        except subprocess.TimeoutExpired:
            self.clean(())
            return f"did not end within {LIMIT} s"
        seconds = time.monotonic() - start
        said = result.stderr.decode(errors="replace")
        wrong = []
        if result.returncode not in codes or result.returncode in (0, 4) and codes != (0,) and 0 not in codes:
            wrong.append(f"exit code {result.returncode}, not {codes}")
        if not re.search(words, said, re.S):
            wrong.append(f"does not say '{words}'")
        if options.get("json"):
            for line in said.splitlines():
                try:
                    assert "event" in json.loads(line) and "time" in json.loads(line)
                except (ValueError, AssertionError):
                    wrong.append(f"not a line of JSON: {line}")
            if not said or json.loads(said.splitlines()[-1]).get("status") != result.returncode:
                wrong.append("the last line is not how it ended")
        elif result.returncode in (2, 3) and "2>" not in options.get("how", ""):
            ends = [line for line in said.splitlines() if line.startswith("sturm: ")]
            if not ends or not said.endswith(".\n"):
                wrong.append("does not end with a sentence of ours")
            if re.search(r"terminate called|what\(\)|std::|CLI::|bug of ours", said):
                wrong.append("speaks of its insides")
        if re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", result.stderr.replace(b"\r\x1b[K", b"")):
            wrong.append("control characters on stderr")
        if left := self.clean(options.get("leaves", ())):
            wrong.append(f"left behind or changed: {sorted(left)[:5]}")
        if wrong:
            return f"{'; '.join(wrong)} ({seconds:.1f} s)\n    {said.strip()[:400]}"
        return None

    def clean(self, allowed):
        """Removes what was not there before; the names that may not be there."""
        now = listing(self.folder)
        new = {name for name in now if name not in self.before}
        changed = {name for name, facts in self.before.items() if now.get(name) != facts}
        for name in sorted(new):
            if os.path.lexists(self.folder / name):
                path = self.folder / name
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        return changed | {name for name in new if not any(name == a or name.startswith(a + "/") for a in allowed)}


class Hostile(unittest.TestCase):
    def test_every_call_ends_as_it_should(self):
        numeric = list(hostile.numeric_rows(numeric_flags()))
        rows = hostile.rows() + numeric
        self.assertGreater(len(hostile.rows()), 300)
        self.assertGreater(len({arguments.split()[-2] for _, _, arguments, _ in numeric}), 25, "numeric flags found")
        with tempfile.TemporaryDirectory(prefix="sturm-hostile-") as scratch:
            root = Path(scratch)
            root.chmod(0o755)
            program = root / "sturm"  # where nobody may reach it too
            shutil.copy(STURM, program)
            callers = queue.Queue()
            for n in range(AT_ONCE):
                folder = root / f"place{n}"
                folder.mkdir()
                callers.put(Caller(folder, program))

            def call(row):
                caller = callers.get()
                try:
                    return caller.complaint(*row)
                finally:
                    callers.put(caller)
            with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
                complaints = list(pool.map(call, rows))
        wrong = [f"sturm {row[2]}  {row[3]}\n  {complaint}" for row, complaint in zip(rows, complaints) if complaint]
        print(f"{len(rows)} calls, {len(numeric)} of them about numbers", flush=True)
        self.assertEqual(len(wrong), 0, "\n" + "\n".join(wrong))


if __name__ == "__main__":
    unittest.main()
