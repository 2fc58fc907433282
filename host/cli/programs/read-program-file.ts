// Reads the file of a program that a command names.
import {relative, resolve} from 'node:path';
import type {ProgramText} from '../../exec/index.ts';
import type {CliContext} from '../command.ts';
import {readNamedFile} from '../lookup/read-named-file.ts';

/** Its positions are relative to the folder of the command. Throws CliError FILE_NOT_FOUND. */
export async function readProgramFile(context: Pick<CliContext, 'cwd'>, name: string): Promise<ProgramText> {
  const text = await readNamedFile(context, name, 'name a file with a program as YAML or JSON');
  return {file: relative(context.cwd, resolve(context.cwd, name)) || name, text};
}
