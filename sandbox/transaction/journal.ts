// The plan of an application, on disk before its first step, so that the next host can undo what was done of it. It rolls back,
// never forward: a call whose process died has no outcome, so no change of it may remain. Any program that can write to the
// workspace could leave such a file. It counts only with the MAC of this user's key.
import {createHmac, timingSafeEqual} from 'node:crypto';
import {lstat, open, readFile, rename, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {undefinedIfMissing} from '../files/undefined-if-missing.ts';
import {parseSteps} from './parse-steps.ts';
import type {Step} from './step.ts';

export interface JournalSeal {
  readonly key: Buffer;
  /** Id of the transaction; it stays when another process takes over the folder. */
  readonly id: string;
  /** Identity of the workspace's root folder. */
  readonly root: string;
}

export type FoundJournal =
  | {readonly kind: 'none'}
  | {readonly kind: 'steps'; readonly steps: readonly Step[]}
  | {readonly kind: 'rejected'; readonly why: string};

const name = 'journal';
const header = 'lumenflow-journal 2 ';

/** Steps in the order in which they run. */
export async function writeJournal(folder: string, seal: JournalSeal, steps: readonly Step[]): Promise<void> {
  const body = JSON.stringify({id: seal.id, root: seal.root, steps});
  const made = join(folder, `${name}.new`);
  const handle = await open(made, 'wx', 0o600);
  try {
    await handle.writeFile(`${header}${macOf(body, seal.key)}\n${body}`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  // A journal under this name is complete. If there is none, no step has run.
  await rename(made, join(folder, name));
  await syncFolder(folder);
}

/** `none` if nothing was applied, or everything. Rejects with the system's error if it cannot be read. */
export async function readJournal(folder: string, sealOf: () => Promise<JournalSeal>): Promise<FoundJournal> {
  const text = await undefinedIfMissing(readFile(join(folder, name), 'utf8'));
  if (text === undefined) return {kind: 'none'};
  const seal = await sealOf();
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  if (end === -1 || !text.startsWith(header)) return rejected('is not a journal of this LumenFlow version');
  const mac = Buffer.from(text.slice(header.length, end));
  const right = Buffer.from(macOf(body, seal.key));
  if (mac.length !== right.length || !timingSafeEqual(mac, right)) {
    return rejected('was not written by LumenFlow as this user, or was modified since');
  }
  return parseBody(body, seal);
}

/** Whether an application was started in this folder and neither finished nor undone. */
export async function hasJournal(folder: string): Promise<boolean> {
  return (await undefinedIfMissing(lstat(join(folder, name)))) !== undefined;
}

/** The point from which the application counts. */
export async function endJournal(folder: string): Promise<void> {
  await unlink(join(folder, name));
  await syncFolder(folder);
}

function parseBody(body: string, seal: JournalSeal): FoundJournal {
  const {id, root, steps} = JSON.parse(body) as Record<string, unknown>;
  if (id !== seal.id || root !== seal.root) return rejected('belongs to another transaction or workspace');
  const parsed = parseSteps(steps);
  return parsed.ok ? {kind: 'steps', steps: parsed.value} : rejected(parsed.problem);
}

function rejected(why: string): FoundJournal {
  return {kind: 'rejected', why: `its journal ${why}`};
}

function macOf(body: string, key: Buffer): string {
  return createHmac('sha256', key).update(header).update(body).digest('hex');
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
