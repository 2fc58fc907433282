// A probe costs a start, so its result is kept. What is missing may be installed while the host runs, so only success is.
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
