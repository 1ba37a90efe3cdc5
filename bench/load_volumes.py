#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Loading the volumes of a study: ours beside nibabel, on the same cores and as float32. Every voxel is compared before
anything is timed. Files are in the page cache for both."""
import argparse
import csv
import json
import multiprocessing
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import nibabel


def read(job):
    """One volume into its row of an array that all processes share, so that nothing is sent between them."""
    row, path = job
    image = nibabel.load(path)
    SHARED[row] = image.get_fdata(dtype=np.float32, caching="unchanged").ravel(order="F")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="load_volumes_bench")
    parser.add_argument("samples", nargs="?", type=Path,
                        default=Path(__file__).parents[2] / "shared/data/word_object/samples.tsv")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    if not options.samples.exists():
        print(f"load_volumes: skipped, no {options.samples}")
        return

    with open(options.samples, newline="") as file:
        files = [options.samples.parent / row["path"] for row in csv.DictReader(file, delimiter="\t")]
    voxels = int(np.prod(nibabel.load(files[0]).shape[:3]))
    global SHARED
    raw = multiprocessing.RawArray("f", len(files) * voxels)
    SHARED = np.frombuffer(raw, dtype=np.float32).reshape(len(files), voxels)

    def rival(pool):
        begin = time.perf_counter()
        pool.map(read, list(enumerate(files)), chunksize=1)
        return time.perf_counter() - begin

    def ours(*arguments):
        command = [options.program, options.samples, "--threads", options.threads, *arguments]
        return json.loads(subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE).stdout)

    with multiprocessing.get_context("fork").Pool(options.threads) as pool:
        rival(pool)
        with tempfile.NamedTemporaryFile() as dump:
            ours("--repeat", 1, "--dump", dump.name)
            found = np.fromfile(dump.name, dtype=np.uint32).reshape(SHARED.shape)
            if not np.array_equal(found, SHARED.view(np.uint32)):
                sys.exit("load_volumes: the voxels differ from nibabel's")
        times = {"sturm": ours("--repeat", options.repeat), f"nibabel {nibabel.__version__}":
                 [rival(pool) for _ in range(options.repeat)]}

    print(f"{len(files)} volumes of {voxels} voxels, {options.threads} cores; voxels equal bit by bit")
    for name, seconds in times.items():
        best = min(seconds)
        print(f"  {name:<16} {1e3 * best:8.1f} ms, {1e3 * best / len(files):6.2f} ms per volume (best of {len(seconds)})")
    fast, slow = (min(seconds) for seconds in times.values())
    print(f"  ratio            {slow / fast:8.1f}")


if __name__ == "__main__":
    main()
