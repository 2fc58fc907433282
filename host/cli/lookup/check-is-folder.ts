// Rejects a path that names a file where a command needs a folder.
import {statSync} from 'node:fs';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';

/** A path that does not exist passes. Throws CliError NOT_A_FOLDER. */
export function checkIsFolder(path: string): void {
  const found = statSync(path, {throwIfNoEntry: false});
  if (found === undefined || found.isDirectory()) return;
  throw new CliError('NOT_A_FOLDER', `\`${path}\` is not a folder`, {
    help: 'name a folder',
    exitCode: exitCode.usage,
  });
}
