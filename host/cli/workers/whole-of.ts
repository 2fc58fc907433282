import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';

/** Throws CliError INVALID_ARGUMENT if the value of the option is not a whole number above 0. */
export function wholeOf(text: string, option: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new CliError('INVALID_ARGUMENT', `\`${text}\` is not a whole number above 0`, {
    help: `correct \`${option}\``,
    exitCode: exitCode.usage,
  });
}
