// Reads a file that a command names.
import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import type {CliContext} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';

/** `help`: what to name instead. Throws CliError FILE_NOT_FOUND. */
export async function readNamedFile({cwd}: Pick<CliContext, 'cwd'>, name: string, help: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, name), 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const what = reason === 'ENOENT' ? 'does not exist' : `cannot be read: ${reason}`;
    throw new CliError('FILE_NOT_FOUND', `\`${name}\` ${what}`, {help, exitCode: exitCode.usage});
  }
}
