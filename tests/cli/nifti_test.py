#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Real and malformed volumes: sturm info, and our reader beside nibabel's. STURM names the program, DUMP_VOLUME the one
that writes out what our reader gives. Reference files lie in ../shared, or where STURM_SHARED points."""
import csv
import gzip
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import nibabel

nibabel.imageglobals.logger.setLevel("CRITICAL")
STURM, DUMP_VOLUME = os.environ["STURM"], os.environ["DUMP_VOLUME"]
SHARED = Path(os.environ.get("STURM_SHARED", Path(__file__).parents[2] / ".." / "shared")).resolve()
MEMORY = 64 * 1024  # kilobytes


# Runs one program per line. A process inherits the peak of memory of the one that starts it, and this one, with nibabel's
# arrays in it, is large: so a small one does it.
LAUNCHER = """
import json, os, subprocess, sys, tempfile, time
for line in sys.stdin:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begin = time.monotonic()
        process = subprocess.Popen(json.loads(line), stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        texts = [file.read().decode() for file in (out, err)]
        print(json.dumps([process.returncode, *texts, usage.ru_maxrss, seconds]), flush=True)
"""
launcher = subprocess.Popen([sys.executable, "-c", LAUNCHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def info(path):
    """Exit code, output, words, kilobytes of memory and seconds of sturm info."""
    launcher.stdin.write(json.dumps([STURM, "info", "--json", str(path)]) + "\n")
    launcher.stdin.flush()
    return json.loads(launcher.stdout.readline())


def header(**fields):
    """A NIfTI-1 file of 2x2x2 uint8 voxels 0 to 7 as bytes, with raw bytes put at offsets."""
    image = nibabel.Nifti1Image(np.arange(8, dtype=np.uint8).reshape(2, 2, 2, order="F"), np.eye(4))
    raw = bytearray(image.to_bytes())
    for offset, value in fields.items():
        at = int(offset.removeprefix("at"))
        raw[at:at + len(value)] = value
    return bytes(raw)


class Info(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sturm-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def facts(self, content, name="a.nii"):
        (self.folder / name).write_bytes(content)
        code, out, words, _, _ = info(self.folder / name)
        self.assertEqual((code, words), (0, ""))
        return json.loads(out)

    def test_facts(self):
        facts = self.facts(gzip.compress(header(at148=b"made by hand")), "a.nii.gz")
        self.assertEqual(facts["format"], "NIfTI-1")
        self.assertEqual((facts["type"], facts["shape"], facts["volumes"]), ("uint8", [2, 2, 2], 1))
        self.assertEqual((facts["voxel_size"], facts["orientation"]), ([1, 1, 1], "RAS"))
        self.assertEqual((facts["gzip"], facts["byte_order"]), (True, "little-endian"))
        self.assertEqual((facts["range"], facts["nan"], facts["infinite"], facts["constant"]), ([0, 7], 0, 0, False))
        self.assertEqual((facts["description"], facts["intent"], facts["warnings"]), ("made by hand", None, []))

    def test_the_table_tells_the_same(self):
        (self.folder / "a.nii").write_bytes(header(at72=b"\x10\x00"))
        table = subprocess.run([STURM, "info", self.folder / "a.nii"], capture_output=True, text=True, timeout=60)
        for pattern in (r"type +uint8\n", r"shape +2 x 2 x 2\n", r"range +0.0 to 7.0\n", r"orientation +RAS\n",
                        r"warning +the field bitpix is 16"):
            self.assertRegex(table.stdout, pattern)

    def test_strings_of_the_header_are_inert(self):
        hostile = b"\x1b]0;owned\x07\x1b[2J \xc2\x9b31m \xe2\x80\xae\xff caf\xc3\xa9\x7f\r\n\t"
        (self.folder / "a.nii").write_bytes(header(at148=hostile, at328=b"\x1b[1m"))
        shown = r"\x1b]0;owned\x07\x1b[2J \xc2\x9b31m \xe2\x80\xae\xff café\x7f\x0d\x0a\x09"
        self.assertEqual(self.facts(header(at148=hostile))["description"], shown)
        table = subprocess.run([STURM, "info", self.folder / "a.nii"], capture_output=True, timeout=60).stdout
        self.assertIn(shown.encode(), table)
        self.assertFalse([c for c in table if (c < 32 and c != 10) or c == 127])

    def test_a_file_over_time_is_sound_here(self):
        image = nibabel.Nifti1Image(np.arange(24, dtype=np.int16).reshape(2, 2, 2, 3), np.eye(4))
        image.header["pixdim"][4] = 2
        image.header.set_xyzt_units("mm", "sec")
        facts = self.facts(image.to_bytes())
        self.assertEqual((facts["volumes"], facts["repetition_time"], facts["range"]), (3, 2, [0, 23]))

    def test_by_content_whatever_the_name(self):
        self.assertEqual(self.facts(header(), "image")["format"], "NIfTI-1")
        (self.folder / "text").write_text("just words")
        self.assertEqual(info(self.folder / "text")[0], 3)


@unittest.skipUnless((SHARED / "nifti").is_dir(), f"skipped: no shared data in {SHARED}")
class Malformed(unittest.TestCase):
    """Every case of the shared set, each with its verdict, in little memory and time."""

    fields = {"sizeof": "sizeof_hdr", "magic": "magic", "dim": "dim", "dtype": "datatype", "voxoff": "vox_offset",
              "scl": "scl_", "pixdim": "pixdim[1]", "xf_quat": "quatern_b", "xf_sform": "srow_x", "n2_dim": "dim[",
              "n2_voxoff": "vox_offset", "n2_wrap": "dim[", "n2_cifti": "dim[5]"}

    def test_verdicts(self):
        peak = longest = 0
        with open(SHARED / "nifti/expected.tsv", newline="") as file:
            cases = [row for row in csv.DictReader(file, delimiter="\t") if row["expect"] != "-"]
        self.assertGreater(len(cases), 100)
        for row in cases:
            with self.subTest(row["file"], why=row["why"]):
                code, out, words, memory, seconds = info(SHARED / "nifti" / row["file"])
                if row["expect"] == "E":
                    self.assertEqual((code, out), (3, ""))
                    self.assertRegex(words, r"^sturm: [^\n]+\.\n$")
                    self.assertIn(row["file"], words)
                    for start, field in self.fields.items():
                        if row["file"].startswith(start):
                            self.assertIn(field, words)
                else:
                    self.assertEqual((code, words), (0, ""))
                    self.assertEqual(bool(json.loads(out)["warnings"]), row["expect"] == "W", out)
                self.assertLess(memory, MEMORY)
                self.assertLess(seconds, 1)
                peak, longest = max(peak, memory), max(longest, seconds)
        print(f"{len(cases)} files, {peak / 1024:.0f} MiB and {longest:.2f} s at most", flush=True)


class BesideNibabel(unittest.TestCase):
    """Voxels and affines as float64, equal to nibabel's to the last bit."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sturm-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.reader = subprocess.Popen([DUMP_VOLUME], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tearDown(self):
        self.reader.communicate(timeout=60)
        self.assertEqual(self.reader.returncode, 0)

    def ours(self, path):
        """(affine, shape with volumes, voxels in file order), or the error."""
        out = self.folder / "out"
        self.reader.stdin.write(f"{path}\t{out}\n")
        self.reader.stdin.flush()
        answer = self.reader.stdout.readline().strip()
        if answer != "ok":
            return answer
        numbers = np.fromfile(out)
        return numbers[:12].reshape(3, 4), tuple(numbers[12:16].astype(int)), numbers[16:]

    @staticmethod
    def theirs(path):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = nibabel.load(path)
            return image, image.get_fdata(), image.affine[:3]

    def assert_equal(self, path, ours, data, affine):
        def bits(values):
            return np.ascontiguousarray(values, dtype=np.float64).view(np.uint64)

        self.assertEqual(ours[1], (tuple(n for n in data.shape) + (1,) * 4)[:4], path)
        np.testing.assert_array_equal(bits(ours[0]), bits(affine), str(path))
        flat = data.ravel(order="F")
        nan = np.isnan(flat)
        np.testing.assert_array_equal(np.isnan(ours[2]), nan, str(path))
        np.testing.assert_array_equal(bits(ours[2])[~nan], bits(flat)[~nan], str(path))

    @unittest.skipUnless((SHARED / "data").is_dir(), f"skipped: no shared data in {SHARED}")
    def test_real_files(self):
        compared = refused = 0
        for folder in ("odd", "templates", "analyze", "haxby", "studyforrest"):
            for path in sorted((SHARED / "data" / folder).rglob("*")):
                if path.suffix in (".txt", ".json", ".par", ".md", ".tsv", "") and "crash" not in path.name:
                    continue
                with self.subTest(str(path)):
                    ours = self.ours(path)
                    try:
                        image, data, affine = self.theirs(path)
                    except Exception:  # nibabel's are of every kind
                        continue
                    kind = image.header.get_data_dtype()
                    if kind.kind in "cV" or any(n > 1 for n in data.shape[4:]):
                        self.assertRegex(ours, r"datatype|dim\[5\]")
                        refused += 1
                    else:
                        self.assertNotIsInstance(ours, str, ours)
                        self.assert_equal(path, ours, data, affine)
                        compared += 1
        print(f"{compared} files equal to nibabel's, {refused} refused for their kind", flush=True)
        self.assertGreaterEqual(compared, 50)

    def test_random_headers(self):
        """Quaternions, scalings and byte orders that no file of the set has."""
        random = np.random.default_rng(3)
        path = self.folder / "r.nii"
        for case in range(200):
            kind = nibabel.Nifti1Image if case % 2 else nibabel.Nifti2Image
            types = np.dtype(random.choice(["u1", "i1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"]))
            shape = tuple(random.integers(1, 5, random.integers(3, 5)))
            values = random.integers(0, 100, shape).astype(types.newbyteorder("<>"[case // 2 % 2]))
            image = kind(values, np.eye(4), header=kind.header_class(endianness="<>"[case // 2 % 2]))
            h = image.header
            quaternion = random.standard_normal(4)
            quaternion *= (random.random(4) > 0.3)  # zeros: half turns and no turns
            quaternion /= max(np.linalg.norm(quaternion), 1e-9)
            raw = bytearray(image.to_bytes())
            at = {"quatern": 256, "qoffset": 268, "pixdim": 76, "codes": 252, "scl": 112, "srow": 280}
            if case % 2 == 0:
                at = {"quatern": 352, "qoffset": 376, "pixdim": 104, "codes": 344, "scl": 176, "srow": 400}
            real, whole = ("f", "h") if case % 2 else ("d", "i")
            order = "<>"[case // 2 % 2]
            struct.pack_into(f"{order}3{real}", raw, at["quatern"], *quaternion[1:])
            struct.pack_into(f"{order}3{real}", raw, at["qoffset"], *(100 * random.standard_normal(3)))
            struct.pack_into(f"{order}4{real}", raw, at["pixdim"], random.choice([-1, 1]), *(3 * random.random(3) + .1))
            struct.pack_into(f"{order}2{whole}", raw, at["codes"], *((1, 0), (0, 2), (0, 0), (1, 1))[case // 4 % 4])
            struct.pack_into(f"{order}2{real}", raw, at["scl"], *(random.standard_normal(2) * (random.random(2) > 0.4)))
            struct.pack_into(f"{order}12{real}", raw, at["srow"], *random.standard_normal(12))
            path.write_bytes(raw if case % 3 else gzip.compress(raw, 1))
            read = path if case % 3 else path.rename(self.folder / "r.nii.gz")
            with self.subTest(case):
                try:
                    _, data, affine = self.theirs(read)
                except ValueError as error:
                    self.assertIn("w2 should be positive", str(error))
                    continue
                ours = self.ours(read)
                self.assertNotIsInstance(ours, str, ours)
                self.assert_equal(read, ours, data, affine)


class Pairs(unittest.TestCase):
    @unittest.skipUnless((SHARED / "data").is_dir(), f"skipped: no shared data in {SHARED}")
    def test_are_found_by_either_name_and_in_any_case(self):
        with tempfile.TemporaryDirectory(prefix="sturm-test-") as folder:
            source = SHARED / "data/odd/nifti_rs"
            for name, of in (("A.HDR", "minimal.hdr"), ("A.IMG", "minimal.img")):
                (Path(folder) / name).write_bytes((source / of).read_bytes())
            for name in ("A.HDR", "A.IMG"):
                self.assertEqual(info(Path(folder) / name)[0], 0, name)


if __name__ == "__main__":
    unittest.main()
