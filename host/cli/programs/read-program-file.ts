// Reads the file of a program that a command names.
import {readFile} from 'node:fs/promises';
import {relative, resolve} from 'node:path';
import type {ProgramText} from '../../exec/index.ts';
import type {CliContext} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';

/** Its positions are relative to the folder of the command. Throws CliError FILE_NOT_FOUND. */
export async function readProgramFile({cwd}: Pick<CliContext, 'cwd'>, name: string): Promise<ProgramText> {
  const path = resolve(cwd, name);
  try {
    return {file: relative(cwd, path) || name, text: await readFile(path, 'utf8')};
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CliError('FILE_NOT_FOUND', `\`${name}\` cannot be read: ${reason}`, {
      help: 'name a file with a program as YAML or JSON',
      exitCode: exitCode.usage,
    });
  }
}
