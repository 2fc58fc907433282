// The few numbers that stay still on a machine that is busy with other things: medians and quantiles.

/** The value below which the share `q` (0 to 1) of the values lies, interpolated between neighbours. Throws on no values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = q * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) throw new RangeError('there is no quantile of no values');
  return below + (above - below) * (place - Math.floor(place));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
