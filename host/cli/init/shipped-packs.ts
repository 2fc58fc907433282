// Pins for the first-party packs that are installed with the host, for a new workspace.
import {failed, ok, type Outcome, type Problem} from '@lumenflow/kernel';
import type {PackPin} from '@lumenflow/schemas';
import {existsSync, realpathSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {dirname, join, relative, sep} from 'node:path';
import {packIntegrity} from '../../packs/pack-integrity.ts';

const shipped = ['software-delivery', 'agent-runtime'] as const;

export interface ShippedPacks {
  readonly pins: readonly PackPin[];
  readonly problems: readonly Problem[];
}

/** Omits packs that are not installed. */
export async function findShippedPacks(workspaceRoot: string): Promise<ShippedPacks> {
  const found = await Promise.all(shipped.map(async (id) => await pinOf(id, workspaceRoot)));
  return {
    pins: found.flatMap((pack) => (pack?.ok ? [pack.value] : [])),
    problems: found.flatMap((pack) => (pack?.ok === false ? pack.problem : [])),
  };
}

/** Undefined if the pack is not installed. */
async function pinOf(id: string, workspaceRoot: string): Promise<Outcome<PackPin, readonly Problem[]> | undefined> {
  const name = `@lumenflow/pack-${id}`;
  const folder = packageFolder(name);
  if (folder === undefined) return undefined;
  const {version} = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {version: string};
  const source = isInReach(name, workspaceRoot)
    ? ({source: 'npm', package: name} as const)
    : ({source: 'local', path: relative(workspaceRoot, folder).split(sep).join('/')} as const);
  // Shipped with the host, and therefore equally trusted.
  const pin: PackPin = {id, version, integrity: 'dev', ...source, trust: 'in_process'};
  const hashed = await packIntegrity({workspaceRoot, pin});
  return 'integrity' in hashed ? ok({...pin, integrity: hashed.integrity}) : failed(hashed.problems);
}

/** Resolved from the location of the host. */
function packageFolder(name: string): string | undefined {
  try {
    return realpathSync(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)));
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Whether the workspace finds the package in a node_modules of its own or of a parent folder. */
function isInReach(name: string, workspaceRoot: string): boolean {
  for (let folder = workspaceRoot; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', name, 'manifest.yaml'))) return true;
    if (folder === dirname(folder)) return false;
  }
}
