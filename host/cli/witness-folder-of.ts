// The folder of a witness that a command names.
import {resolve} from 'node:path';
import {WitnessFolder} from '../witness/witness-folder.ts';
import type {CliContext} from './command.ts';
import {CliError} from './failures/cli-error.ts';
import {exitCode} from './failures/exit-code.ts';

/** Throws CliError INVALID_ARGUMENT. */
export function witnessFolderOf({cwd}: CliContext, folder: string): WitnessFolder {
  const opened = WitnessFolder.open(resolve(cwd, folder));
  if (opened.ok) return opened.value;
  const {message, help} = opened.problem;
  throw new CliError('INVALID_ARGUMENT', message, {help, exitCode: exitCode.usage});
}
