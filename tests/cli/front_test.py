#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What stands between sturm and whoever is at the keyboard: help, completion, the bar on a terminal, JSON, the log, and a
dry run that reads no voxel."""
import fcntl
import gzip
import json
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import termios
import time
import unittest

from cv_study import CvStudy
from hostile_test import write_nifti
from study import STURM, Study, write_table

import numpy as np


def help_of(*arguments, columns=80):
    result = subprocess.run([STURM, *arguments], env=os.environ | {"COLUMNS": str(columns)}, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, ""), (arguments, result)
    return result.stdout


COMMANDS = re.findall(r"^  ([a-z]+) ", help_of("help").split("Commands:")[1].split("\n\n")[0], re.M)


class Help(unittest.TestCase):
    def test_every_command_has_help_that_fits(self):
        self.assertLessEqual({"check", "cv", "fit", "predict", "report", "phantom", "info", "help"}, set(COMMANDS))
        for command in COMMANDS:
            page = help_of("help", command)
            self.assertEqual(page, help_of(command, "--help"))
            self.assertEqual(page, help_of(command, "-h"))
            self.assertEqual(len(re.findall("^  sturm ", page, re.M)), 2, f"{command}: two examples")
            for columns in (60, 80, 100, 140):
                lines = help_of("help", command, columns=columns).split("Examples:")[0].splitlines()
                words = [line for line in lines if not line.startswith("  -")]  # a flag's name and value are never cut
                self.assertLessEqual(max(map(len, words)), columns, command)
        self.assertEqual(help_of("help"), help_of("--help"))
        self.assertIn("(default: 1e-3)", help_of("help", "fit").replace("0.001", "1e-3"))

    def test_examples_are_understood(self):
        """Their words are ones that the program knows: what they name is not there, so input is what is missing."""
        for command in COMMANDS:
            for line in re.findall("^  (sturm .*)", help_of("help", command), re.M):
                if command in ("help", "phantom") or line.startswith("sturm info --methods"):
                    continue
                with self.subTest(line):
                    result = subprocess.run([STURM, *line.split()[1:]], capture_output=True, text=True, cwd="/", timeout=30)
                    self.assertEqual(result.returncode, 3, result.stderr)

    def test_completion_in_bash(self):
        script = help_of("help", "--completion", "bash")

        def complete(*words):
            test = script + 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sturm; printf "%s\\n" "${COMPREPLY[@]}"'
            result = subprocess.run(["bash", "-c", test, "bash", "sturm", *words], capture_output=True, text=True, cwd="/")
            self.assertEqual(result.stderr, "")
            return result.stdout.split()
        self.assertEqual(complete("ph"), ["phantom"])
        self.assertLessEqual(set(COMMANDS), set(complete("")))
        self.assertEqual(complete("fit", "--stren"), ["--strength"])
        self.assertEqual(complete("fit", "--solver", ""), ["certified", "paper"])
        self.assertEqual(complete("fit", "--tau", ""), [])
        self.assertIn("usr", complete("fit", "--samples", "us"))
        for command in COMMANDS:
            flags = set(complete(command, "--"))
            lines = re.findall(r"^  ((?:-\w, )?--[\w-]+(?:, --[\w-]+)*)", help_of("help", command), re.M)
            shown = set(re.findall(r"--[\w-]+", " ".join(lines)))
            self.assertEqual(flags, shown, command)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed: SKIPPED, its completion is not read by it")
    def test_zsh_reads_its_completion(self):
        subprocess.run(["zsh", "-n", "/dev/stdin"], input=help_of("help", "--completion", "zsh"), text=True, check=True)

    def test_man_page(self):
        page = help_of("help", "--man")
        for command in COMMANDS:
            self.assertIn(f".SH STURM {command.upper()}\n", page)
        if shutil.which("man"):
            shown = subprocess.run(["man", "--warnings", "-l", "-"], input=page, capture_output=True, text=True,
                                   env=os.environ | {"MANWIDTH": "80", "LC_ALL": "C"})
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))
            self.assertIn("--permutations", shown.stdout)


class Terminal(Study):
    """A fit that does not end by itself, on a terminal of its own."""

    LONG = ("--solver", "paper", "--iterations", "2000000000")

    def on_terminal(self, columns, *arguments, **variables):
        """The process and the descriptor of a terminal of that many columns."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
        process = subprocess.Popen(self.command(*arguments), cwd=self.folder, stderr=theirs, stdout=subprocess.DEVNULL,
                                   env=environment | {"TERM": "xterm"} | variables)
        os.close(theirs)
        self.addCleanup(os.close, ours)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process, ours

    def read(self, terminal, until):
        said = b""
        while until not in said:
            try:
                said += os.read(terminal, 4096)
            except OSError:  # the other side has gone
                break
        return said.decode()

    def test_a_bar_fits_and_ctrl_c_takes_it_away(self):
        for columns, variables in [(60, {}), (30, {}), (12, {}), (200, {"COLUMNS": "50"})]:
            process, terminal = self.on_terminal(columns, "fit", "--array", "X.npy", "--labels", "one.tsv", "-o", "out",
                                                 *self.LONG, **variables)
            said = self.read(terminal, b"%" if columns > 20 else b"\r\x1b[K")
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            said += self.read(terminal, b"nothing was written.")
            self.assertEqual(process.wait(30), 75)
            width = int(variables.get("COLUMNS", columns))
            *bars, last = said.split("\r\x1b[K")
            for bar in bars:
                self.assertLessEqual(len(bar), width - 1, repr(bar))
                self.assertNotIn("\n", bar)
            self.assertTrue(last.startswith("sturm: stopped"), repr(last))
            self.assertEqual(self.listing(), self.before)


class Log(CvStudy):
    methods = "svm,dummy"

    def lines(self, name="log"):
        return [json.loads(line) for line in (self.folder / name).read_text().splitlines()]

    def test_it_has_times_results_and_the_end(self):
        self.results("--log-json", "log", "-q", "--no-report")
        lines = self.lines()
        self.assertEqual([lines[0]["event"], lines[-1]["event"], lines[-1]["status"]], ["start", "exit", 0])
        self.assertEqual(lines[0]["command"], "cv")
        for before, after in zip(lines, lines[1:]):
            self.assertRegex(after["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
            self.assertLessEqual(before["time"], after["time"])
        [end] = [line for line in lines if line["event"] == "end"]
        written = json.loads((self.folder / "out/results.json").read_text())
        self.assertEqual(end["methods"], written["methods"])

    def test_it_has_what_went_wrong_and_goes_on(self):
        self.assertEqual(self.run_cv("--log-json", "log", "--target", "nope").returncode, 3)
        wrong, end = self.lines()[-2:]
        self.assertEqual((wrong["event"], end["event"], end["status"]), ("error", "exit", 3))
        self.assertIn("'nope'", wrong["text"])
        self.results("--log-json", "log")
        self.assertEqual([line["status"] for line in self.lines() if line["event"] == "exit"], [3, 0])

    def test_a_signal_is_in_it(self):
        process = subprocess.Popen(self.command("--log-json", "log", "--permutations", 300, methods="sturm"),
                                   cwd=self.folder, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        while not (self.folder / "out.work").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 75)
        self.assertEqual((self.lines()[-1]["event"], self.lines()[-1]["status"]), ("exit", 75))


class Corrected(CvStudy):
    methods = "svm"

    def test_a_study_that_failed_at_once_does_not_refuse_the_corrected_one(self):
        wrong = self.run_cv("--inner", 30)
        self.assertEqual(wrong.returncode, 3, wrong.stderr)
        self.results("--inner", 3)
        shutil.rmtree(self.folder / "out")
        again = self.run_cv("--inner", 2)
        self.assertEqual(again.returncode, 3, "but what is done is kept")
        self.assertIn("--inner 3, now 2", again.stderr)


class DryRun(CvStudy):
    def volumes(self, count, write):
        names = [f"v{m}.nii.gz" for m in range(count)]
        for name in names:
            write(self.folder / name)
        write_table(self.folder / "samples.tsv", participant_id=[f"s{m}" for m in range(count)], path=names,
                    group=[["patient", "control"][m % 2] for m in range(count)])
        return ("--samples", "samples.tsv", "--target", "group", "--positive", "patient", "--methods", "svm", "-o", "out",
                "--outer", "3", "--inner", "3")

    def test_it_reads_headers_and_no_voxel(self):
        """Volumes that break off behind their headers: a run cannot read them, and a dry run does not try."""
        def broken(path):
            write_nifti(path.with_suffix(""), np.zeros((181, 217, 181), np.float32)[:1, :1, :1])
            whole = bytearray(path.with_suffix("").read_bytes())
            path.with_suffix("").unlink()
            whole[40:56] = np.array([3, 181, 217, 181, 1, 1, 1, 1], "<i2").tobytes()
            path.write_bytes(gzip.compress(bytes(whole)) + bytes(40000))  # as long as such a file may be
        arguments = self.volumes(131, broken)
        before = sorted(self.folder.iterdir())
        result = subprocess.run([STURM, "cv", *arguments, "--dry-run"], cwd=self.folder, capture_output=True, text=True,
                                timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("131 samples, 3 outer folds, 0 permutations: 4 tasks, 4 of them to do", result.stdout)
        self.assertIn("at most 3.5 GiB", result.stdout)
        self.assertEqual(sorted(self.folder.iterdir()), before)
        result = subprocess.run([STURM, "cv", *arguments], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 3, result.stderr)

    def test_what_is_done_counts(self):
        self.results(methods="svm")
        shutil.rmtree(self.folder / "out")
        self.assertIn("4 tasks, 0 of them to do", self.run_cv("--dry-run", methods="svm").stdout)


if __name__ == "__main__":
    unittest.main()
