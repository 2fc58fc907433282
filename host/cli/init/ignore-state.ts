// Keeps the runtime's state out of git: it is local, and it grows with every call.
import {existsSync} from 'node:fs';
import {appendFile, readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';

const line = '.lumenflow/';

export function isInGit(start: string): boolean {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return true;
    if (folder === dirname(folder)) return false;
  }
}

/** Adds the state folder to the folder's .gitignore. Returns false if the entry already exists. */
export async function ignoreState(folder: string): Promise<boolean> {
  const file = join(folder, '.gitignore');
  const text = existsSync(file) ? await readFile(file, 'utf8') : '';
  if (text.split(/\r?\n/u).some((written) => /^\/?\.lumenflow\/?$/u.test(written.trim()))) return false;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  await appendFile(file, `${separator}${line}\n`);
  return true;
}
