// Caches the result of a probe, which costs a start. Only success is cached: a missing program may be installed while the host
// runs.
export function rememberProbe<Report>(
  probe: () => Promise<Report>,
  isAvailable: (report: Report) => boolean,
): () => Promise<Report> {
  let probing: Promise<Report> | undefined;
  return async () => {
    probing ??= probe();
    const current = probing;
    try {
      const report = await current;
      if (!isAvailable(report) && probing === current) probing = undefined;
      return report;
    } catch (error) {
      if (probing === current) probing = undefined;
      throw error;
    }
  };
}
