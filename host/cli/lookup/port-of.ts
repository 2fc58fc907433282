// The port in an argument of a command.
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';

/** Throws CliError INVALID_ARGUMENT. */
export function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new CliError('INVALID_ARGUMENT', `\`${text}\` is not a port`, {
    help: 'give a number up to 65535, or 0 for a free port',
    exitCode: exitCode.usage,
  });
}
