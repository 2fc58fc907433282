// Parses a time from the command line to compare it with records.
import {CliError} from './failures/cli-error.ts';
import {exitCode} from './failures/exit-code.ts';

/** A date, or a date and a time of day, with or without a zone. JavaScript alone also reads `5` as a month. */
const isoTime = /^(?<date>\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/iu;
const duration = /^(?<count>\d{1,6})(?<unit>[smhd])$/u;
const unitMs: Readonly<Record<string, number>> = {s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000};

/** Returns ISO 8601 in UTC. Throws CliError INVALID_ARGUMENT. */
export function parseTime(text: string): string {
  const time = isoTimeOf(text);
  if (time !== undefined) return time;
  throw invalidTime(text, 'use ISO 8601, for example `2026-01-31` or `2026-01-31T09:00:00Z`');
}

/** Like `parseTime`, and reads a duration such as `24h` as the time that long before `now` (milliseconds). */
export function parsePastTime(text: string, now: number): string {
  const {count, unit} = duration.exec(text)?.groups ?? {};
  const time = unit === undefined ? isoTimeOf(text) : new Date(now - Number(count) * (unitMs[unit] ?? 0)).toISOString();
  if (time !== undefined) return time;
  throw invalidTime(text, 'use ISO 8601 or a duration, for example `2026-01-31T09:00:00Z` or `24h`');
}

function isoTimeOf(text: string): string | undefined {
  const date = isoTime.exec(text)?.groups?.['date'];
  if (date === undefined) return undefined;
  const [day, time] = [new Date(date), new Date(text)];
  // JavaScript reads 30 February as 2 March.
  const isValid = ![day, time].some((one) => Number.isNaN(one.getTime())) && day.toISOString().startsWith(date);
  return isValid ? time.toISOString() : undefined;
}

function invalidTime(text: string, help: string): CliError {
  return new CliError('INVALID_ARGUMENT', `\`${text}\` is not a valid time`, {help, exitCode: exitCode.usage});
}
