// SPDX-License-Identifier: BSD-3-Clause
// From data to pixels, and the round numbers on an axis.

export interface Scale {
  (value: number): number;
  ticks: number[];
  label: (tick: number) => string;
}

function niceStep(span: number, count: number): number {
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const lead = raw / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 2.5 ? 2.5 : lead <= 5 ? 5 : 10);
}

/** Widens an empty or single-valued range so that there is something to draw. */
function spread(low: number, high: number): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  if (low < high) return [low, high];
  const room = low === 0 ? 1 : Math.abs(low) * 0.1;
  return [low - room, high + room];
}

export interface LinearOptions {
  count?: number;
  /** Ends the axis on round numbers. */
  nice?: boolean;
  label?: (tick: number) => string;
}

export function linear(domain: [number, number], range: [number, number], options: LinearOptions = {}): Scale {
  let [low, high] = spread(domain[0], domain[1]);
  const step = niceStep(high - low, options.count ?? 5);
  if (options.nice !== false) {
    low = Math.floor(low / step + 1e-9) * step;
    high = Math.ceil(high / step - 1e-9) * step;
  }
  const scale = ((value: number) => range[0] + ((value - low) / (high - low)) * (range[1] - range[0])) as Scale;
  scale.ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) scale.ticks.push(i * step);
  const digits = Math.max(
    0,
    Math.min(
      12,
      -Math.floor(Math.log10(step) + 1e-9) +
        (/^2\.?5/.test(String(step / 10 ** Math.floor(Math.log10(step) + 1e-9))) ? 1 : 0),
    ),
  );
  const large = Math.max(Math.abs(low), Math.abs(high)) >= 1e6 || step < 1e-6;
  scale.label =
    options.label ??
    ((tick) =>
      large ? tick.toExponential(1) : Math.abs(tick) < step * 1e-6 ? "0" : tick.toFixed(digits).replace("-", "−"));
  return scale;
}

/** Powers of ten; zeros sit on the lower end. */
export function logarithmic(values: number[], range: [number, number]): Scale {
  const above = values.filter((value) => value > 0 && Number.isFinite(value));
  let low = Math.floor(Math.log10(above.length ? Math.min(...above) : 1e-3) + 1e-9);
  let high = Math.ceil(Math.log10(above.length ? Math.max(...above) : 1) - 1e-9);
  if (low === high) ++high;
  low = Math.max(low, high - 16);
  const place = (value: number) => (value > 0 ? Math.max(low, Math.log10(value)) : low);
  const scale = ((value: number) => range[0] + ((place(value) - low) / (high - low)) * (range[1] - range[0])) as Scale;
  const every = Math.max(1, Math.ceil((high - low) / 6));
  scale.ticks = [];
  for (let exponent = low; exponent <= high; exponent += every) scale.ticks.push(10 ** exponent);
  scale.label = (tick) => `1e${Math.round(Math.log10(tick))}`;
  return scale;
}

// The nines come first; the others fill what room is left.
const shares = [0.9, 0.99, 0.999, 0.9999, 0.99999, 0, 0.5, 0.95, 0.995, 0.75, 0.98, 0.998];

/** Shares near one drawn apart: 90, 99 and 99.9 % are equally spaced. `gap` is the least distance of ticks in pixels. */
export function nearOne(values: number[], range: [number, number], gap: number): Scale {
  const place = (share: number) => -Math.log10(Math.max(1 - share, 1e-6));
  const [from, to] = extent(values.map(place));
  const room = Math.max(0.12, (to - from) * 0.06);
  const [low, high] = [Math.max(0, from - room), to + room];
  const scale = ((share: number) => range[0] + ((place(share) - low) / (high - low)) * (range[1] - range[0])) as Scale;
  scale.ticks = [];
  for (const share of shares) {
    const at = scale(share);
    const free = scale.ticks.every((other) => Math.abs(scale(other) - at) >= gap);
    if (free && at >= range[0] - 1 && at <= range[1] + 1) scale.ticks.push(share);
  }
  scale.label = (share) => String(Number((100 * share).toFixed(4)));
  return scale;
}

export const extent = (values: (number | null | undefined)[]): [number, number] => {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value === null || value === undefined || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
};
