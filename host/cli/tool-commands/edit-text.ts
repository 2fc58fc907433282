// Opens a text in the person's editor and returns what was saved.
import {createSpawnExecutor} from '@lumenflow/sandbox';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext} from '../command.ts';

const stdoutFd = 1;

/** Throws CliError EDITOR_FAILED. */
export async function editText(
  {env, cwd, signal}: Pick<CliContext, 'env' | 'cwd' | 'signal'>,
  text: string,
): Promise<string> {
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
  const folder = await mkdtemp(join(tmpdir(), 'lumenflow-edit-'));
  const path = join(folder, 'input.yaml');
  try {
    await writeFile(path, text, {mode: 0o600});
    const known = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const {exitCode} = await createSpawnExecutor().run({
      command: 'sh',
      // The editor's name can have arguments. A terminal is open for reading too, so it is also the editor's input.
      args: ['-c', `${editor} "$1" <&1`, 'sh', path],
      cwd,
      env: Object.fromEntries(known),
      signal,
      outputSink: {kind: 'fd', fd: stdoutFd},
    });
    if (exitCode === 0) return await readFile(path, 'utf8');
    throw new CliError('EDITOR_FAILED', `the editor \`${editor}\` ended with exit code ${exitCode}`, {
      help: 'set EDITOR to an editor that waits until the file is closed, for example `code --wait`',
    });
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}
