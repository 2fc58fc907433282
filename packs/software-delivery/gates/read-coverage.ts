// Reads the line coverage from a report: lcov, Istanbul's JSON summary, Cobertura and JaCoCo XML, Go's profile.

/** Percentage of lines; undefined for an unknown format. */
export function readCoverage(text: string): number | undefined {
  const readers = [readLcov, readIstanbul, readCobertura, readJacoco, readGoProfile];
  for (const read of readers) {
    const percent = read(text);
    if (percent !== undefined && Number.isFinite(percent)) return percent;
  }
  return undefined;
}

function readLcov(text: string): number | undefined {
  const sum = (key: string): number =>
    [...text.matchAll(new RegExp(`^${key}:(\\d+)\\r?$`, 'gm'))].reduce((total, [, count]) => total + Number(count), 0);
  return /^LF:\d/m.test(text) ? (100 * sum('LH')) / sum('LF') : undefined;
}

function readIstanbul(text: string): number | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const {total} = JSON.parse(text) as {readonly total?: {readonly lines?: {readonly pct?: unknown}}};
    return typeof total?.lines?.pct === 'number' ? total.lines.pct : undefined;
  } catch {
    return undefined;
  }
}

function readCobertura(text: string): number | undefined {
  const rate = /<coverage\b[^>]*\bline-rate="([\d.]+)"/.exec(text)?.[1];
  return rate === undefined ? undefined : 100 * Number(rate);
}

/** The report's own counter is the last one. */
function readJacoco(text: string): number | undefined {
  if (!text.includes('<report')) return undefined;
  const [, missed, covered] = [...text.matchAll(/<counter type="LINE" missed="(\d+)" covered="(\d+)"/g)].at(-1) ?? [];
  return covered === undefined ? undefined : (100 * Number(covered)) / (Number(covered) + Number(missed));
}

/** Counts statements, because Go reports no lines. */
function readGoProfile(text: string): number | undefined {
  if (!/^mode: (?:set|count|atomic)$/m.test(text)) return undefined;
  let [all, run] = [0, 0];
  for (const [, statements, count] of text.matchAll(/ (\d+) (\d+)$/gm)) {
    all += Number(statements);
    if (Number(count) > 0) run += Number(statements);
  }
  return (100 * run) / all;
}
