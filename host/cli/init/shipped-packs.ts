// Pins for the first-party packs that are installed with the host, for a new workspace.
import {ok, type Outcome, type Problem} from '@lumenflow/kernel';
import type {PackPin} from '@lumenflow/schemas';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {packageBesideHost} from '../../packs/beside-host.ts';
import {packIntegrity} from '../../packs/pack-integrity.ts';
import {signatureFile} from '../../packs/signing/pack-signature.ts';
import {signersOf, type SignedPin} from './signers-of.ts';

const shipped = ['software-delivery', 'agent-runtime'] as const;

export interface ShippedPacks {
  readonly pins: readonly PackPin[];
  /** The keys that signed them; empty unless every pack is signed. */
  readonly signers: readonly string[];
  readonly problems: readonly Problem[];
}

/** Omits packs that are not installed. */
export async function findShippedPacks(workspaceRoot: string): Promise<ShippedPacks> {
  const found = await Promise.all(shipped.map(async (id) => await pinOf(id, workspaceRoot)));
  const packs = found.flatMap((pack) => (pack?.ok ? [pack.value] : []));
  return {
    pins: packs.map(({pin}) => pin),
    signers: signersOf(packs),
    problems: found.flatMap((pack) => (pack?.ok === false ? pack.problem : [])),
  };
}

/** Undefined if the pack is not installed. */
async function pinOf(id: string, workspaceRoot: string): Promise<Outcome<SignedPin, readonly Problem[]> | undefined> {
  const name = `@lumenflow/pack-${id}`;
  const folder = packageBesideHost(name);
  if (folder === undefined) return undefined;
  const {version} = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {version: string};
  // Shipped with the host, and therefore equally trusted. Each host finds it by name, so the pin works on every machine.
  const pin: PackPin = {id, version, integrity: 'dev', source: 'npm', package: name, trust: 'in_process'};
  const hashed = await packIntegrity({workspaceRoot, pin});
  if (!hashed.ok) return hashed;
  return ok({pin: {...pin, integrity: hashed.value.integrity}, note: await readNote(join(folder, signatureFile))});
}

async function readNote(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
