// Converts an error of the token file to a command failure with the same message.
import {TokenFileError} from '../../http/tokens/token-file.ts';
import {CliError} from './cli-error.ts';
import {exitCode} from './exit-code.ts';

export async function orTokensUnusable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TokenFileError)) throw error;
    throw new CliError('TOKENS_UNUSABLE', error.message, {exitCode: exitCode.usage});
  }
}
