// Packs a pack with npm, and reads what the tarball contains.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import {mkdir, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {readPackFiles, type PackFiles} from './files/pack-files.ts';
import type {FetchProblem, InstallContext} from './install/install-context.ts';
import {runFetchCommand} from './install/run-fetch-command.ts';

export interface PackTarball {
  /** Absolute. */
  readonly file: string;
  readonly content: PackFiles;
}

export interface TarballRequest {
  /** Absolute: the folder of the pack. */
  readonly root: string;
  /** Absolute and empty: receives the tarball and its content. */
  readonly into: string;
  /** Of npm. */
  readonly env: Readonly<Record<string, string>>;
}

export async function packTarball(
  {root, into, env}: TarballRequest,
  install: InstallContext,
): Promise<Outcome<PackTarball, FetchProblem>> {
  const failing = 'npm cannot pack the folder';
  const packed = await runFetchCommand(
    {command: 'npm', args: ['pack', '--silent', '--pack-destination', into], cwd: root, env, failing},
    install,
  );
  if (!packed.ok) return packed;
  const name = (await readdir(into)).find((entry) => entry.endsWith('.tgz'));
  if (name === undefined)
    return failed({code: 'PACK_FETCH_FAILED', message: failing, help: 'run `npm pack` in the folder'});
  const file = join(into, name);
  const content = join(into, 'content');
  await mkdir(content);
  const unpacked = await runFetchCommand(
    {command: 'tar', args: ['-xzf', file, '-C', content, '--strip-components=1'], cwd: into, env, failing},
    install,
  );
  return unpacked.ok ? ok({file, content: await readPackFiles(content)}) : unpacked;
}
