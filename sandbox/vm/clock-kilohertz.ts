// The frequency of the time stamp counter, from the text of /proc/cpuinfo.
const usualKilohertz = 2_000_000;

/** The rated frequency, at which the counter runs; the current one where the name does not contain it. */
export function clockKilohertz(cpuinfo: string): number {
  const rated = /@ ([\d.]+)GHz/.exec(cpuinfo)?.[1];
  if (rated !== undefined) return Math.round(Number(rated) * 1e6);
  const current = /^cpu MHz\s*: ([\d.]+)$/m.exec(cpuinfo)?.[1];
  return current === undefined ? usualKilohertz : Math.round(Number(current) * 1000);
}
