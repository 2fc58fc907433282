// Pins for the first-party packs that are installed with the host, for a new workspace.
import {ok, type Outcome, type Problem} from '@lumenflow/kernel';
import type {PackPin} from '@lumenflow/schemas';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {packageBesideHost} from '../../packs/beside-host.ts';
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
  const folder = packageBesideHost(name);
  if (folder === undefined) return undefined;
  const {version} = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {version: string};
  // Shipped with the host, and therefore equally trusted. Each host finds it by name, so the pin works on every machine.
  const pin: PackPin = {id, version, integrity: 'dev', source: 'npm', package: name, trust: 'in_process'};
  const hashed = await packIntegrity({workspaceRoot, pin});
  return hashed.ok ? ok({...pin, integrity: hashed.value.integrity}) : hashed;
}
