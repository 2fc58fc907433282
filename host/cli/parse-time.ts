// A time from the command line, as the instant that records are compared with.
import {CliError} from './cli-error.ts';
import {exitCode} from './exit-code.ts';

/** ISO 8601 in UTC. Throws CliError INVALID_ARGUMENT. */
export function parseTime(text: string): string {
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new CliError('INVALID_ARGUMENT', `\`${text}\` is not a valid time`, {
    help: 'for example 2026-01-31 or 2026-01-31T09:00:00Z',
    exitCode: exitCode.usage,
  });
}
