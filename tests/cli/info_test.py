#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sturm info, the choice of BLAS kernels, and the program's exit codes. STURM names the program."""
import json
import os
import subprocess
import tempfile
import unittest

STURM = os.environ["STURM"]
FAKE_OPENBLAS = os.environ["FAKE_OPENBLAS"]
OURS = ("OPENBLAS_CORETYPE", "OPENBLAS_NUM_THREADS", "STURM_BLAS_KERNELS", "STURM_BLAS_RESTARTED_FROM")


def run(*arguments, **variables):
    environment = {key: value for key, value in os.environ.items() if key not in OURS} | variables
    return subprocess.run([STURM, *arguments], env=environment, capture_output=True, text=True, timeout=60)


def blas(**variables):
    return json.loads(run("info", "--json", **variables).stdout)["blas"]


class Program(unittest.TestCase):
    def test_alone_it_prints_help(self):
        result = run()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("info", result.stdout)

    def test_version_is_one_line(self):
        result = run("--version")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"^sturm \d+\.\d+\.\d+\n$")

    def test_wrong_usage_is_exit_2_and_one_sentence(self):
        for arguments in (["nonsense"], ["info", "--nonsense"], ["--nonsense"]):
            result = run(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertRegex(result.stderr, r"^sturm: [^\n]+\n$")


class Info(unittest.TestCase):
    def test_json_has_every_fact(self):
        facts = json.loads(run("info", "--json").stdout)
        expected = {"version", "revision", "build", "blas", "processor", "simd", "threads", "devices"}
        self.assertLessEqual(expected, facts.keys())
        self.assertGreaterEqual(facts["threads"], 1)
        self.assertEqual(facts["devices"]["cuda"], "not built")

    def test_the_table_tells_the_same(self):
        table = run("info").stdout
        for word in ("version", "OpenBLAS", "kernels", "processor", "threads", "cuda: not built"):
            self.assertIn(word, table)

    def test_threads_follow_the_environment(self):
        self.assertEqual(json.loads(run("info", "--json", OMP_NUM_THREADS="1").stdout)["threads"], 1)

    def test_a_million_lists_inside_each_other(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "fit.json"), "w") as file:
                file.write('{"method": ' + 1000000 * "[" + 1000000 * "]" + "}")
            result = run("info", folder)
            self.assertEqual((result.returncode, result.stdout), (3, ""))
            self.assertRegex(result.stderr, r"^sturm: \S+fit\.json: is not a JSON object; fit again\.\n$")


class Kernels(unittest.TestCase):
    """The library's own choice differs between machines; Prescott and Nehalem run on every x86-64."""

    def test_by_default_nothing_better_is_left(self):
        self.assertIsNone(blas()["better"])

    def test_a_set_asked_for_is_used_after_one_restart(self):
        found = blas(STURM_BLAS_KERNELS="Nehalem")
        self.assertEqual((found["kernels"], found["choice"]), ("Nehalem", "forced"))
        self.assertEqual(found["replaced"], blas(STURM_BLAS_KERNELS="keep")["kernels"])

    def test_the_users_core_type_is_respected(self):
        found = blas(OPENBLAS_CORETYPE="Prescott")
        self.assertEqual((found["kernels"], found["choice"], found["replaced"]), ("Prescott", "user", None))
        if found["better"]:  # any processor since 2011
            table = run("info", OPENBLAS_CORETYPE="Prescott").stdout
            self.assertIn("below what this processor can do (set by you)", table)

    def test_ours_wins_over_the_core_type(self):
        self.assertEqual(blas(OPENBLAS_CORETYPE="Prescott", STURM_BLAS_KERNELS="Nehalem")["kernels"], "Nehalem")

    def test_keep_leaves_all_alone(self):
        found = blas(STURM_BLAS_KERNELS="keep", OPENBLAS_CORETYPE="Prescott")
        self.assertEqual((found["kernels"], found["choice"]), ("Prescott", "user"))

    def test_a_set_that_does_not_exist_is_told_once(self):
        result = run("info", "--json", STURM_BLAS_KERNELS="Nonsense")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"^sturm: [^\n]*Nonsense[^\n]*\n$")
        self.assertNotEqual(json.loads(result.stdout)["blas"]["choice"], "forced")

    def test_a_set_beyond_the_processor_is_refused(self):
        processor = json.loads(run("info", "--json").stdout)["processor"]
        if processor["simd"] == "AVX-512":
            self.skipTest("this processor can run every kernel set")
        result = run("info", STURM_BLAS_KERNELS="SkylakeX")
        self.assertEqual(result.returncode, 2)
        self.assertIn("does not have", result.stderr)


class SlowKernels(unittest.TestCase):
    """The whole correction, with a library that takes Prescott by itself (fake_openblas.cpp)."""

    def setUp(self):
        if json.loads(run("info", "--json").stdout)["processor"]["simd"] in ("SSE", "unknown"):
            self.skipTest("Prescott kernels are all this processor can run")

    def test_they_are_corrected_by_one_restart(self):
        result = run("info", LD_PRELOAD=FAKE_OPENBLAS)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"kernels +(SkylakeX|Haswell|Sandybridge) \(corrected from Prescott\)\n")

    def test_a_correction_that_fails_is_told_and_not_repeated(self):
        result = run("info", LD_PRELOAD=FAKE_OPENBLAS, FAKE_STUBBORN="1")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"^sturm: OpenBLAS has no kernel set [^\n]+\n$")
        self.assertRegex(result.stdout, r"kernels +Prescott, below what this processor can do\n")

    def test_the_users_choice_stays(self):
        for variables in ({"OPENBLAS_CORETYPE": "Prescott"}, {"STURM_BLAS_KERNELS": "keep"}):
            self.assertEqual(blas(LD_PRELOAD=FAKE_OPENBLAS, **variables)["kernels"], "Prescott")

    def threads_asked_for(self, **variables):
        """What the library was asked for at each start, and at the end."""
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            result = run("info", LD_PRELOAD=FAKE_OPENBLAS, FAKE_LOG=log, **variables)
            self.assertEqual(result.returncode, 0)
            with open(log, encoding="utf-8") as file:
                return file.read().split()

    @unittest.skipIf(os.cpu_count() == 1, "one processor")
    def test_threads_that_nobody_uses_are_not_started(self):
        self.assertEqual(self.threads_asked_for(), ["all", "1", "all"])
        self.assertEqual(self.threads_asked_for(OPENBLAS_CORETYPE="Prescott"), ["all", "1", "all"])
        self.assertEqual(self.threads_asked_for(FAKE_STUBBORN="1"), ["all", "1", "all"])
        self.assertEqual(self.threads_asked_for(OPENBLAS_CORETYPE="Prescott", OPENBLAS_NUM_THREADS="3"), ["3", "3"])
        self.assertEqual(self.threads_asked_for(STURM_BLAS_KERNELS="keep"), ["all", "all"])


if __name__ == "__main__":
    unittest.main()
