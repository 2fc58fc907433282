// Parses a time from the command line to compare it with records.
import {CliError} from './failures/cli-error.ts';
import {exitCode} from './failures/exit-code.ts';

/** Returns ISO 8601 in UTC. Throws CliError INVALID_ARGUMENT. */
export function parseTime(text: string): string {
  const time = new Date(text);
  if (!Number.isNaN(time.getTime()) && isDate(text)) return time.toISOString();
  throw new CliError('INVALID_ARGUMENT', `\`${text}\` is not a valid time`, {
    help: 'use ISO 8601, for example 2026-01-31 or 2026-01-31T09:00:00Z',
    exitCode: exitCode.usage,
  });
}

/** JavaScript reads 30 February as 2 March. */
function isDate(text: string): boolean {
  const [date] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
  return date === undefined || new Date(date).toISOString().startsWith(date);
}
