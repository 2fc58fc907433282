// Keeps what a trial found for later hosts of this user: a machine that was started once need not be tried by each of them.
import {createHash, randomUUID} from 'node:crypto';
import {readFile, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {TrialFacts} from '../oci/container-trial.ts';
import type {Outcome} from '../outcome.ts';
import {ownCache} from './guest-system/own-cache.ts';

export interface VmTrial {
  readonly facts: TrialFacts;
  /** Names of the variables that the trial may have had. */
  readonly environment: readonly string[];
  /** Limits that the guest's kernel enforces for a program as a whole. */
  readonly grouped: readonly string[];
}

/** `key`: what the result depends on. Only success is kept. */
export async function keptTrial(
  key: readonly string[],
  run: () => Promise<Outcome<VmTrial>>,
): Promise<Outcome<VmTrial>> {
  const cache = ownCache();
  if (!cache.ok) return await run();
  const path = join(cache.value, `trial-${createHash('sha256').update(JSON.stringify(key)).digest('hex')}`);
  const kept = await readFile(path, 'utf8').catch(() => undefined);
  if (kept !== undefined) return {ok: true, value: JSON.parse(kept) as VmTrial};
  const tried = await run();
  if (!tried.ok) return tried;
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(tried.value), {mode: 0o600});
  await rename(draft, path);
  return tried;
}
