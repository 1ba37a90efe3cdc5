#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the brain that maps in MNI space are laid over: the ICBM 152 template as the Python package nilearn has it, reduced to
2 mm and few levels of grey, so that it is small enough for the program to carry.

    pip download nilearn==0.14.1 --no-deps -d DIR
    scripts/make_template.py DIR/nilearn-0.14.1-py3-none-any.whl src/sturm/report/template/icbm152.nii.gz
"""
import argparse
import gzip
import struct
import zipfile

import numpy as np

SOURCE = "nilearn/datasets/data/mni_icbm152_t1_tal_nlin_sym_09a_converted.nii.gz"
STEP = 2  # millimetres
LEVELS = 40
GAMMA = 1.6  # grey matter well below white matter, so that colours on top of it stand out


def averaged(volume, axis, first, count):
    """Means of STEP voxels along an axis, from `first`; what lies outside the volume counts as 0."""
    weights = np.zeros((count, volume.shape[axis]))
    for i in range(count):
        weights[i, first + STEP * i : first + STEP * (i + 1)] = 1 / STEP
    return np.moveaxis(np.tensordot(weights, np.moveaxis(volume, axis, 0), 1), 0, axis)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", help="the package nilearn as a wheel")
    parser.add_argument("out", help="the template to write")
    arguments = parser.parse_args()
    file = gzip.decompress(zipfile.ZipFile(arguments.wheel).read(SOURCE))
    shape = struct.unpack("<3h", file[42:48])
    affine = np.array(struct.unpack("<12f", file[280:328])).reshape(3, 4)
    assert struct.unpack("<h", file[70:72])[0] == 2 and abs(affine[:, :3]).tolist() == np.eye(3).tolist()
    volume = np.frombuffer(file, np.uint8, np.prod(shape), 352).reshape(shape, order="F").astype(float)
    # From left to right, as the other axes run in the order of their millimetres.
    if affine[0, 0] < 0:
        volume, affine[0] = volume[::-1], [1, 0, 0, affine[0, 3] - (shape[0] - 1)]
    brightest = np.percentile(volume[volume > 0], 99.5)
    inside = np.argwhere(volume > 0)
    first = inside.min(axis=0)
    counts = -(-(inside.max(axis=0) + 1 - first) // STEP)
    brain = (volume > 0).astype(float)
    for axis in range(3):
        volume = averaged(volume, axis, first[axis], counts[axis])
        brain = averaged(brain, axis, first[axis], counts[axis])
    grey = np.rint(np.clip(volume / brightest, 0, 1) ** GAMMA * LEVELS)
    # 0 is what lies outside, and nothing else.
    grey = np.where(brain >= 0.5, np.maximum(grey, 1), 0).astype(np.uint8)
    # The middle of the first block.
    origin = affine[:, 3] + first + (STEP - 1) / 2
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, 3, *counts, 1, 1, 1, 1)
    struct.pack_into("<2h", header, 70, 2, 8)
    struct.pack_into("<8f", header, 76, 1, STEP, STEP, STEP, 1, 1, 1, 1)
    struct.pack_into("<3f", header, 108, 352, 1, 0)
    header[123] = 2
    header[148:228] = b"ICBM 152 2009a, (C) 1993-2009 Louis Collins, McGill University".ljust(80, b"\0")
    struct.pack_into("<2h", header, 252, 0, 4)
    for row in range(3):
        struct.pack_into("<4f", header, 280 + 16 * row, *(STEP * float(row == n) for n in range(3)), origin[row])
    header[344:348] = b"n+1\0"
    with open(arguments.out, "wb") as out:
        out.write(gzip.compress(bytes(header) + grey.tobytes(order="F"), 9, mtime=0))


if __name__ == "__main__":
    main()
