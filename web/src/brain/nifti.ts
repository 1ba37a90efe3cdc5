// SPDX-License-Identifier: BSD-3-Clause
// NIfTI-1 as the program writes it: one volume, a slope, an affine.

export type Vector = [number, number, number];
/** Three rows of four: voxel indices to millimetres, or back. */
export type Affine = number[][];

export interface Image {
  shape: Vector;
  affine: Affine;
  inverse: Affine;
  values: ArrayLike<number>;
  slope: number;
  intercept: number;
  /** The file itself, not compressed. */
  buffer: ArrayBuffer;
}

const readers: { [datatype: number]: (buffer: ArrayBuffer, count: number) => ArrayLike<number> } = {
  2: (buffer, count) => new Uint8Array(buffer, 0, count),
  4: (buffer, count) => new Int16Array(buffer, 0, count),
  8: (buffer, count) => new Int32Array(buffer, 0, count),
  16: (buffer, count) => new Float32Array(buffer, 0, count),
  64: (buffer, count) => new Float64Array(buffer, 0, count),
  256: (buffer, count) => new Int8Array(buffer, 0, count),
  512: (buffer, count) => new Uint16Array(buffer, 0, count),
};

export function parse(buffer: ArrayBuffer): Image {
  const header = new DataView(buffer);
  if (buffer.byteLength < 352 || header.getInt32(0, true) !== 348)
    throw new Error("This is not a little-endian NIfTI-1 file.");
  const shape = [42, 44, 46].map((at) => Math.max(1, header.getInt16(at, true))) as Vector;
  const reader = readers[header.getInt16(70, true)];
  if (!reader) throw new Error("This type of voxels cannot be shown.");
  const start = header.getFloat32(108, true);
  const slope = header.getFloat32(112, true);
  const hasSpace = header.getInt16(254, true) > 0;
  const affine = hasSpace
    ? [0, 1, 2].map((row) => [0, 1, 2, 3].map((column) => header.getFloat32(280 + 16 * row + 4 * column, true)))
    : [0, 1, 2].map((row) =>
        [0, 1, 2, 3].map((column) => (row === column ? header.getFloat32(80 + 4 * row, true) || 1 : 0)),
      );
  const count = shape[0] * shape[1] * shape[2];
  return {
    shape,
    affine,
    inverse: invert(affine),
    values: reader(buffer.slice(start), count),
    slope: slope === 0 || !Number.isFinite(slope) ? 1 : slope,
    intercept: slope === 0 ? 0 : header.getFloat32(116, true) || 0,
    buffer,
  };
}

export function invert(m: Affine): Affine {
  const [a, b, c] = m as [number[], number[], number[]];
  const cofactor = (p: number[], q: number[], i: number, j: number) => p[i]! * q[j]! - p[j]! * q[i]!;
  const determinant = a[0]! * cofactor(b, c, 1, 2) - a[1]! * cofactor(b, c, 0, 2) + a[2]! * cofactor(b, c, 0, 1);
  if (!determinant) throw new Error("The affine of this volume has no inverse.");
  const inverse = [
    [cofactor(b, c, 1, 2), -cofactor(a, c, 1, 2), cofactor(a, b, 1, 2)],
    [-cofactor(b, c, 0, 2), cofactor(a, c, 0, 2), -cofactor(a, b, 0, 2)],
    [cofactor(b, c, 0, 1), -cofactor(a, c, 0, 1), cofactor(a, b, 0, 1)],
  ].map((row) => row.map((value) => value / determinant));
  return inverse.map((row) => [...row, -(row[0]! * a[3]! + row[1]! * b[3]! + row[2]! * c[3]!)]);
}

export const transform = (m: Affine, [x, y, z]: Vector): Vector =>
  m.map((row) => row[0]! * x + row[1]! * y + row[2]! * z + row[3]!) as Vector;

/** The value at a point in millimetres, of the voxel that holds it; NaN outside. */
export function valueAt(image: Image, place: Vector): number {
  const [i, j, k] = transform(image.inverse, place).map(Math.round) as Vector;
  const [ni, nj, nk] = image.shape;
  if (i < 0 || j < 0 || k < 0 || i >= ni || j >= nj || k >= nk) return NaN;
  return image.values[i + ni * (j + nj * k)]! * image.slope + image.intercept;
}

/** Corners of the volume in millimetres, voxel edges included. */
export function bounds(image: Image): { low: Vector; high: Vector } {
  const low: Vector = [Infinity, Infinity, Infinity];
  const high: Vector = [-Infinity, -Infinity, -Infinity];
  for (let corner = 0; corner < 8; ++corner) {
    const voxel = image.shape.map((n, axis) => ((corner >> axis) & 1 ? n - 0.5 : -0.5)) as Vector;
    transform(image.affine, voxel).forEach((value, axis) => {
      low[axis] = Math.min(low[axis]!, value);
      high[axis] = Math.max(high[axis]!, value);
    });
  }
  return { low, high };
}

/** The header of another volume before voxels of another type. */
function withHeader(image: Image, type: number, bits: number): ArrayBuffer {
  const buffer = new ArrayBuffer(352 + (image.values.length * bits) / 8);
  new Uint8Array(buffer).set(new Uint8Array(image.buffer, 0, 352));
  const header = new DataView(buffer);
  header.setInt16(70, type, true);
  header.setInt16(72, bits, true);
  header.setFloat32(108, 352, true);
  header.setFloat32(112, 1, true);
  for (const at of [116, 124, 128]) header.setFloat32(at, 0, true);
  return buffer;
}

/** A volume of colours, red, green, blue and opacity, all clear yet; only its header and buffer are to be used. */
export const colourVolume = (image: Image): Image => ({ ...image, buffer: withHeader(image, 2304, 32) });

/** A volume of grey levels in the space of another; `level` is given each value and returns 0 to 255. */
export function greyLevels(image: Image, level: (value: number) => number): Image {
  const count = image.values.length;
  const buffer = withHeader(image, 2, 8);
  const voxels = new Uint8Array(buffer, 352);
  for (let i = 0; i < count; ++i) voxels[i] = level(image.values[i]! * image.slope + image.intercept);
  return parse(buffer);
}
