// Finds the pack for a command: a pin of the workspace by its id, or a folder with a manifest.yaml.
import {readWorkspace} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import {existsSync} from 'node:fs';
import {basename, join, resolve} from 'node:path';
import {pinOfFolder} from '../../packs/manifest/pin-of-folder.ts';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {findWorkspace} from './find-workspace.ts';

export interface FoundPack {
  /** The folder that the pin's path is relative to. */
  readonly workspaceRoot: string;
  readonly pin: PackPin;
}

/** A manifest with mistakes is found too. Throws CliError PACK_NOT_FOUND, or LOAD_FAILED with the problems of workspace.yaml. */
export async function findPack(context: CliContext, name: string): Promise<FoundPack> {
  const folder = resolve(context.cwd, name);
  if (existsSync(join(folder, 'manifest.yaml'))) return await packOfFolder(folder);
  if (/[/\\.]/u.test(name)) {
    throw new CliError('PACK_NOT_FOUND', `\`${folder}\` does not contain manifest.yaml`, {
      help: 'name the folder of a pack',
      exitCode: exitCode.usage,
    });
  }
  const root = findWorkspace(context);
  const read = await readWorkspace({root, env: context.env});
  if (!read.ok) throw new CliError('LOAD_FAILED', 'workspace.yaml cannot be read', {problems: read.problem});
  const {packs} = read.value.spec;
  const pin = packs.find(({id}) => id === name);
  if (pin) return {workspaceRoot: root, pin};
  const known = packs.map(({id}) => id).join(', ') || 'none';
  throw new CliError('PACK_NOT_FOUND', `no pack \`${name}\` is pinned in \`${root}\``, {
    help: `pinned are ${known}; or name the folder of a pack`,
    exitCode: exitCode.usage,
  });
}

async function packOfFolder(folder: string): Promise<FoundPack> {
  const found = await pinOfFolder(folder, '.');
  if (found.ok) return {workspaceRoot: folder, pin: found.value.pin};
  // Loading it reports these mistakes with all others.
  const pin: PackPin = {id: basename(folder), version: '0.0.0', integrity: 'dev', source: 'local', path: '.'};
  return {workspaceRoot: folder, pin};
}
