// Keeps what a trial found for later hosts of this user: what was tried once need not be tried by each of them.
import {createHash, randomUUID} from 'node:crypto';
import {readdir, readFile, rename, rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Outcome} from '../outcome.ts';
import {ownCache} from '../cache/own-cache.ts';

/** Of what can be configured without a trace: an engine, a node. */
export const keptTrialMs: number = 60 * 60_000;

export interface TrialToKeep<Found> {
  /** What the result depends on. */
  readonly key: readonly string[];
  /** Milliseconds; default: until something in the key changes. */
  readonly validMs?: number;
  /** Of results that are JSON; default: each success. */
  isKept?(found: Found): boolean;
  run(): Promise<Outcome<Found>>;
}

const prefix = 'trial-';

export async function keptTrial<Found>(trial: TrialToKeep<Found>): Promise<Outcome<Found>> {
  const {key, validMs = Infinity, isKept = () => true, run} = trial;
  const cache = ownCache();
  if (!cache.ok) return await run();
  const path = join(cache.value, `${prefix}${createHash('sha256').update(JSON.stringify(key)).digest('hex')}`);
  const kept = await read<Found>(path, validMs);
  if (kept !== undefined) return kept;
  const tried = await run();
  if (!tried.ok || !isKept(tried.value)) return tried;
  await keep(path, JSON.stringify(tried.value));
  return tried;
}

async function keep(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, {mode: 0o600});
    await rename(draft, path);
  } catch {
    // Without space for it, the next host repeats the trial.
    await rm(draft, {force: true});
  }
}

/** Later hosts of this user repeat all trials. */
export async function forgetKeptTrials(): Promise<void> {
  const cache = ownCache();
  // The folder of another user is never read.
  if (!cache.ok) return;
  const names = (await readdir(cache.value)).filter((name) => name.startsWith(prefix));
  await Promise.all(names.map(async (name) => await rm(join(cache.value, name), {force: true})));
}

async function read<Found>(path: string, validMs: number): Promise<Outcome<Found> | undefined> {
  try {
    const ageMs = Date.now() - Math.floor((await stat(path)).mtimeMs);
    // A clock that was set back must not prolong it.
    if (ageMs < 0 || ageMs >= validMs) return undefined;
    return {ok: true, value: JSON.parse(await readFile(path, 'utf8')) as Found};
  } catch (error) {
    // After a power cut, the file can be empty.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
