#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sturm cv and fit killed, starved and shared out: whatever happens, the results are those of an undisturbed run.

CV_KILLS (default 6) random kills; CV_FAULT_STEP (default 9) takes every so-maniest system call for the faults that
strace injects, but every rename, so that no file is left out, with one of the faults each. `make soak` runs 200 and 1.
"""
import fcntl
import os
import random
import re
import shutil
import signal
import subprocess
import time
import unittest

from cv_study import CvStudy, contents
from study import Study

KILLS = int(os.environ.get("CV_KILLS", "6"))
STEP = int(os.environ.get("CV_FAULT_STEP", "9"))
FAULTS = ("error=ENOSPC", "signal=KILL", "error=EIO")
CALLS = ("write", "pwrite64", "writev", "fsync", "fdatasync", "rename", "renameat", "renameat2", "ftruncate")


def strace(log, calls, command, folder, *more):
    """The command with these system calls traced, or faults injected into them."""
    return subprocess.run(["strace", "-f", "--seccomp-bpf", "-qq", "-o", log, "-e", f"trace={calls}", *more, *command],
                          cwd=folder, capture_output=True, text=True, timeout=300)


def faults(case, command, folder, clean, step):
    """(call, n, fault, what the command said) for calls that change the disk, in an empty place each time."""
    log = folder / "calls"
    clean()
    case.assertEqual(strace(log, ",".join(CALLS), command, folder).returncode, 0)
    count = {}
    for line in log.read_text().splitlines():
        name = line.split(None, 1)[1].split("(")[0]
        if name in CALLS:
            count[name] = count.get(name, 0) + 1
    case.assertGreater(count.get("rename", 0) + count.get("renameat2", 0) + count.get("renameat", 0), 3)
    tried = 0
    for name, total in sorted(count.items()):
        every = step == 1 or not name.startswith("rename")
        for n in range(1 + tried % step, total + 1, step) if every else range(1, total + 1):
            for fault in FAULTS if every else [FAULTS[n % len(FAULTS)]]:
                tried += 1
                clean()
                result = strace("/dev/null", name, command, folder, "-e", f"inject={name}:{fault}:when={n}")
                if result.returncode != 0 and fault != "signal=KILL":
                    case.assertIn(result.returncode, (3, 75), f"{name} {n} {fault}: {result.stderr}")
                    case.assertRegex(result.stderr, r"sturm: [^\n]+", f"{name} {n} {fault}")
                yield name, n, fault, result
    print(f"{tried} faults", flush=True)


NEEDS_STRACE = unittest.skipUnless(shutil.which("strace"),
                                   "strace is not installed: SKIPPED, faults of the system are not tested")


class FitFaults(Study):
    def files(self):
        """What was written, but for the time it took."""
        return {name: re.sub(rb'("seconds": ?)[-+.e\d]+', rb"\1", text)
                for name, text in contents(self.folder / "out").items()}

    @NEEDS_STRACE
    def test_a_fit_is_whole_or_not_there(self):
        command = self.command("fit", "--array", "X.npy", "--labels", "one.tsv", "-o", "out", "--strength", 0.3, "-q",
                               "--threads", 1)
        self.assertEqual(subprocess.run(command, cwd=self.folder, capture_output=True).returncode, 0)
        truth = self.files()
        for name, n, fault, result in faults(self, command, self.folder,
                                             lambda: shutil.rmtree(self.folder / "out", ignore_errors=True), 1):
            if (self.folder / "out").exists():
                self.assertEqual(self.files(), truth, f"{name} {n} {fault}")
            else:
                self.assertNotEqual(result.returncode, 0, f"{name} {n} {fault}")


class Faults(CvStudy):
    methods = "svm,lasso,sturm"

    def setUp(self):
        super().setUp()
        start = time.monotonic()
        self.truth = self.results("--permutations", 3)
        self.seconds = time.monotonic() - start
        for name in ("", ".work"):  # made under the name of the others, since the report is called after its folder
            (self.folder / f"out{name}").rename(self.folder / f"truth{name}")

    def assert_true(self, output="out"):
        self.assertEqual(contents(self.folder / output), self.truth)

    def go_on(self, output="out"):
        result = self.run_cv("--permutations", 3, output=output)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_true(output)

    def clean(self):
        for name in ("out", "out.work"):
            shutil.rmtree(self.folder / name, ignore_errors=True)

    def start(self, *arguments):
        return subprocess.Popen(self.command("--permutations", 3, *arguments), cwd=self.folder,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def test_killed_at_random_moments(self):
        chance = random.Random(8)
        for _ in range(KILLS):
            self.clean()
            for _ in range(2):  # killed twice, then left alone
                process = self.start()
                time.sleep(chance.uniform(0, 1.1 * self.seconds))
                process.kill()
                process.wait()
            self.go_on()

    def test_asked_to_stop(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            self.clean()
            process = self.start()
            time.sleep(0.6 * self.seconds)
            process.send_signal(number)
            self.assertIn(process.wait(60), (0, 75))  # a task of a real study takes minutes: it is dropped
            self.go_on()

    def test_four_parts_in_any_order(self):
        for part in ("3/4", "1/4", "4/4"):
            self.assertEqual(self.run_cv("--permutations", 3, "--shard", part).returncode, 0)
            self.assertFalse((self.folder / "out").exists())
        process = self.start("--shard", "2/4")
        time.sleep(0.1 * self.seconds)
        process.kill()
        process.wait()
        self.assertEqual(self.run_cv("--permutations", 3, "--shard", "2/4").returncode, 0)
        self.assert_true()

    def test_parts_that_end_together(self):
        """Both find the study whole, and one of them writes it: the other waits, and both succeed."""
        (self.folder / "out.work").mkdir()
        with open(self.folder / "out.work" / "results.lock", "w") as lock:
            fcntl.lockf(lock, fcntl.LOCK_EX)
            processes = [subprocess.Popen(self.command("--permutations", 3, "--shard", f"{i}/2"), cwd=self.folder,
                                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for i in (1, 2)]
            waiting = [p for p in processes if any("waiting for it" in line for line in p.stderr)]
            self.assertFalse((self.folder / "out").exists())
            fcntl.lockf(lock, fcntl.LOCK_UN)
        self.assertGreater(len(waiting), 0)
        self.assertEqual([p.wait(300) for p in processes], [0, 0])
        for process in processes:
            process.stderr.close()
        self.assert_true()

    def test_parts_at_the_same_time(self):
        processes = [self.start("--shard", f"{i}/3") for i in (1, 2, 3)]
        self.assertEqual([p.wait(300) for p in processes], [0, 0, 0])
        self.assert_true()

    @NEEDS_STRACE
    def test_a_fault_at_every_call_that_changes_the_disk(self):
        """A kill, a full disk or a failing one at the n-th write, sync or rename: an error or a kill, then true results."""
        command = self.command("--permutations", 3, "-q", "--threads", 1)
        for name, n, fault, result in faults(self, command, self.folder, self.clean, STEP):
            if result.returncode == 0:
                self.assert_true()
            self.go_on()

    def test_every_damaged_journal_is_harmless(self):
        """A byte flipped or the end cut off, here and there: refused, or done again."""
        [journal] = (self.folder / "truth.work").glob("journal-*.bin")
        good = journal.read_bytes()
        chance = random.Random(9)
        places = [chance.randrange(len(good)) for _ in range(max(6, KILLS))]
        for place in places:
            for damaged in (good[:place] + bytes([good[place] ^ 1 << chance.randrange(8)]) + good[place + 1:], good[:place]):
                self.clean()
                (self.folder / "out.work").mkdir()
                (self.folder / "out.work" / journal.name).write_bytes(damaged)
                result = self.run_cv("--permutations", 3)
                if result.returncode == 0:
                    self.assert_true()
                else:
                    self.assertEqual(result.returncode, 3, result.stderr)
                    self.assertIn(journal.name, result.stderr)
                    self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main()
