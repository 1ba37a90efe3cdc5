#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""prox_tnn beside NumPy: the same tensors, the same OpenBLAS with the same kernels, the same number of threads.

Results are compared before anything is timed. NumPy gets the half spectrum (rfft), single precision where we have it,
and multiplies only the singular vectors that survive; `eigh` is the best that NumPy can do by way of Gram matrices.
Runs under Debian's python3, whose NumPy uses the system's OpenBLAS. Ratios are NumPy's time over ours.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.fft

SHAPES = [(27, 32, 23), (43, 51, 43), (53, 64, 46), (91, 109, 91)]


def numpy_prox(batch, mus, route):
    """batch: count x n1 x n2 x n3; one threshold a tensor; the half spectrum in the precision of the batch."""
    single = batch.dtype == np.float32
    hat = np.ascontiguousarray(np.moveaxis(scipy.fft.rfft(batch, axis=3, workers=1), 3, 1))
    mu = np.asarray(mus, dtype=np.float32 if single else np.float64)[:, None, None]
    if route == "svd":
        u, s, vh = np.linalg.svd(hat, full_matrices=False)
        s = np.maximum(s - mu, 0)
        keep = max(1, int((s > 0).sum(-1).max()))
        hat = (u[..., :keep] * s[..., None, :keep]) @ vh[..., :keep, :]
    else:
        values, u = np.linalg.eigh(hat @ hat.conj().swapaxes(-1, -2))
        f = np.maximum(1 - mu / np.sqrt(np.maximum(values, 1e-30)), 0)
        keep = max(1, int((f > 0).sum(-1).max()))
        u, f = u[..., -keep:], f[..., -keep:]
        hat = (u * f[..., None, :]) @ (u.conj().swapaxes(-1, -2) @ hat)
    return scipy.fft.irfft(np.moveaxis(hat, 1, 3), n=batch.shape[3], axis=3, workers=1)


def best(function, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = function()
        times.append(time.perf_counter() - start)
    return min(times), result


def flops(shape, kept):
    """What our way costs: both transforms, by sums and differences, and for each slice Gram, reduction, QL,
    back-transform, products."""
    n, m = sorted(shape[:2])
    n3 = shape[2]
    complex_slices = (n3 - 1) // 2
    slice_flops = 4 * n * n * m + 16 / 3 * n**3 + 6 * n**3 + 8 * n * n * kept + 16 * n * m * kept
    return 2 * n * m * n3**2 + slice_flops * (complex_slices + (n3 - 2 * complex_slices) / 3.5)


class Ours:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def call(self, *args):
        return float(subprocess.run([self.program, *map(str, args)], check=True, capture_output=True).stdout)

    def prox(self, batch, mus, threads, repeats):
        path = [os.path.join(self.folder, name) for name in ("in", "mu", "out")]
        np.ascontiguousarray(batch.transpose(0, 3, 2, 1)).tofile(path[0])
        np.asarray(mus, dtype=np.float64).tofile(path[1])
        kind = "float" if batch.dtype == np.float32 else "double"
        seconds = self.call("prox", kind, *batch.shape[1:], batch.shape[0], threads, repeats, *path)
        out = np.fromfile(path[2], dtype=batch.dtype)
        return seconds, out.reshape(batch.transpose(0, 3, 2, 1).shape).transpose(0, 3, 2, 1)


def compare(ours, shape, count, share, dtype, rate, quick):
    rng = np.random.default_rng(0)
    batch = rng.standard_normal((count, *shape)).astype(dtype)
    values = np.linalg.svd(np.moveaxis(scipy.fft.rfft(batch, axis=3), 3, 1), compute_uv=False)
    mus = [float(np.quantile(v, 1 - share)) for v in values]
    repeats = 2 if quick or shape[0] > 60 else 4
    rival = {}
    for route in ("svd", "eigh"):
        rival[route], truth = best(lambda: numpy_prox(batch, mus, route), repeats)
    often = max(3 * repeats, 240_000_000 // batch.size)  # short calls often: a new thread takes milliseconds to find a core
    one, result = ours.prox(batch, mus, 1, often)
    error = np.abs(result - truth).max() / np.abs(truth).max()
    limit = 2e-5 if dtype == np.float32 else 1e-10
    if not error < limit:
        sys.exit(f"{shape}: our result differs from NumPy's by {error:.1e}")
    two, _ = ours.prox(batch, mus, 2, often)
    rival["svd"] = min(rival["svd"], best(lambda: numpy_prox(batch, mus, "svd"), repeats)[0])
    achieved = count * flops(shape, share * min(shape[:2])) / one * 1e-9
    print(f"{'x'.join(map(str, shape)):>10} {np.dtype(dtype).name:>8} {count:>5} {100 * share:>4.0f} % "
          f"{1e3 * rival['svd']:>10.2f} {1e3 * rival['eigh']:>10.2f} {1e3 * one:>9.2f} {1e3 * two:>9.2f} "
          f"{rival['svd'] / one:>8.1f} {rival['eigh'] / one:>9.1f} {one / two:>7.2f} {achieved:>8.1f} "
          f"{100 * achieved / rate:>5.0f} %  {error:.0e}", flush=True)


def in_turn(ours, before, shape, count, share, dtype):
    """Ours beside another build of it, the two in turn and the best of each: what a shared machine does to one, it does to
    the other."""
    rng = np.random.default_rng(0)
    batch = rng.standard_normal((count, *shape)).astype(dtype)
    values = np.linalg.svd(np.moveaxis(scipy.fft.rfft(batch, axis=3), 3, 1), compute_uv=False)
    mus = [float(np.quantile(v, 1 - share)) for v in values]
    often = max(3, 60_000_000 // batch.size)
    print(f"{'x'.join(map(str, shape)):>10} {np.dtype(dtype).name:>8} {count:>5} {100 * share:>4.0f} %", end="")
    for threads in (1, 2):
        times = [[program.prox(batch, mus, threads, often)[0] for program in (before, ours)] for _ in range(8)]
        old, new = np.min(times, axis=0)
        print(f"   {1e3 * old:>8.3f} {1e3 * new:>8.3f} {new / old:>6.2f}", end="")
    print(flush=True)


def crossover(ours):
    print("\nDFT of 43x51 tubes, single precision, one thread (ms): our product beside scipy.fft (pocketfft, n log n)")
    print(f"{'length':>8} {'product':>9} {'fft':>9} {'ratio':>7}")
    for n3 in (18, 23, 32, 43, 46, 61, 64, 73, 91, 109, 128, 181, 256, 512):
        tubes = np.random.default_rng(1).standard_normal((43 * 51, n3)).astype(np.float32)
        product = ours.call("dft", 43, 51, n3, 20)
        fft, _ = best(lambda: scipy.fft.rfft(tubes, axis=1, workers=1), 20)
        print(f"{n3:>8} {1e3 * product:>9.3f} {1e3 * fft:>9.3f} {fft / product:>7.2f}", flush=True)


def rows(quick):
    for shape in SHAPES[:1] if quick else SHAPES:
        for dtype in (np.float32, np.float64):
            for count in (1, 8):
                if count == 8 and dtype == np.float64 and shape[0] > 60:
                    continue  # half an hour of NumPy for nothing new
                for share in (0.5, 0.1):
                    yield shape, count, share, dtype


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="build/release/bench/prox_tnn_bench")
    parser.add_argument("--quick", action="store_true", help="the smallest size only")
    parser.add_argument("--before", metavar="PROGRAM", help="another build of the same program: the two in turn, no NumPy")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(options.program, folder)
        if options.before:
            print("one thread (ms): before, now, now/before;   two threads: the same; the best of eight runs in turn")
            for row in rows(options.quick):
                in_turn(ours, Ours(options.before, folder), *row)
            return
        rates = {dtype: ours.call("gemm", name) for dtype, name in ((np.float32, "float"), (np.float64, "double"))}
        print(f"matrix product on one core: {rates[np.float32]:.0f} GFLOP/s float, {rates[np.float64]:.0f} double; "
              f"kernels {os.environ.get('OPENBLAS_CORETYPE', 'chosen by OpenBLAS')}")
        print("times in ms; NumPy on one thread; 'kept' is the share of singular values above the threshold")
        print(f"{'shape':>10} {'type':>8} {'batch':>5} {'kept':>6} {'numpy svd':>10} {'np. eigh':>10} {'1 thread':>9} "
              f"{'2 threads':>9} {'svd/ours':>8} {'eigh/ours':>9} {'2nd core':>7} {'GFLOP/s':>8} {'of gemm':>7}  error")
        for shape, count, share, dtype in rows(options.quick):
            compare(ours, shape, count, share, dtype, rates[dtype], options.quick)
        if not options.quick:
            crossover(ours)


if __name__ == "__main__":
    main()
