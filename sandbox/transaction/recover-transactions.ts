// Recovers what processes that died left under `.lumenflow/transactions`: it undoes half-applied calls and removes litter. It
// acts on nothing that another program could have put there, and one bad folder never blocks the others.
import {readdirSync} from 'node:fs';
import {mkdir, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {openDirectoryOnce} from '../files/open-directory-once.ts';
import {undefinedIfMissing} from '../files/undefined-if-missing.ts';
import {removeTree} from '../files/remove-tree.ts';
import {readJournal, type JournalSeal} from './journal.ts';
import type {Step} from './step.ts';
import {keepOld, recoveredFolder} from './keep-old.ts';
import type {RecoveryNote} from './recovery-note.ts';
import {undoSteps} from './undo-steps.ts';

export interface RecoveryInput {
  /** Absolute, without symlinks. */
  readonly root: string;
  readonly processes: {readonly processId: string; isAlive(processId: string): boolean};
  sealOf(id: string): Promise<JournalSeal>;
}

export const transactionsFolder = '.lumenflow/transactions';
/** `<process id>~<transaction id>`: other names in the folder are not ours. */
const namePattern = /^([0-9a-f]+(?:\.\d+){3}\.[0-9a-f]+)~([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function transactionName(processId: string, id: string): string {
  return `${processId}~${id}`;
}

/** Notes about what was done. Never rejects. */
export async function recoverTransactions(input: RecoveryInput): Promise<readonly RecoveryNote[]> {
  const {root, processes} = input;
  const notes: RecoveryNote[] = [];
  for (const name of await transactionsIn(root).catch((error: unknown) => cannotLook(error, notes))) {
    const [, processId, id] = namePattern.exec(name) ?? [];
    if (processId === undefined || id === undefined || processes.isAlive(processId)) continue;
    try {
      notes.push(...(await recoverTransaction(name, id, input)));
    } catch (error) {
      notes.push(await setAside(name, id, String(error), input));
    }
  }
  return notes;
}

function cannotLook(error: unknown, notes: RecoveryNote[]): readonly string[] {
  notes.push({
    kind: 'unreadable',
    where: transactionsFolder,
    message: `LumenFlow cannot look for interrupted calls in \`${transactionsFolder}\`: ${String(error)}`,
    help: `make \`${transactionsFolder}\` a directory that this user can read`,
  });
  return [];
}

async function transactionsIn(root: string): Promise<readonly string[]> {
  const work = async (): Promise<readonly string[]> => {
    const directory = openDirectoryOnce(root, transactionsFolder.split('/'));
    try {
      return readdirSync(directory.child('.')).toSorted();
    } finally {
      directory.close();
    }
  };
  return (await undefinedIfMissing(work())) ?? [];
}

/** The first process that renames it takes it over, so that two processes do not undo the same steps. */
async function recoverTransaction(name: string, id: string, input: RecoveryInput): Promise<readonly RecoveryNote[]> {
  const {root, processes} = input;
  const all = join(root, transactionsFolder);
  const folder = join(all, transactionName(processes.processId, id));
  if ((await undefinedIfMissing(rename(join(all, name), folder).then(() => true))) === undefined) return [];
  try {
    const journal = await readJournal(folder, async () => await input.sealOf(id));
    if (journal.kind === 'rejected') return [await setAside(name, id, journal.why, input)];
    const undone = journal.kind === 'steps' ? [await undo(journal.steps, folder, id, root)] : [];
    const problem = await removeTree(folder).then(() => undefined, String);
    return problem === undefined ? undone : [...undone, litter(name, problem)];
  } catch (error) {
    return [await setAside(name, id, String(error), input)];
  }
}

async function undo(steps: readonly Step[], folder: string, id: string, root: string): Promise<RecoveryNote> {
  const left = await undoSteps({root, folder, steps});
  const taken = steps.length - left.length;
  const where = `${recoveredFolder}/${id}`;
  if (left.length === 0) {
    const message = `a call was interrupted while its changes were applied: LumenFlow restored ${steps.length} paths`;
    return {kind: 'undone', where: transactionsFolder, message, paths: []};
  }
  await keepOld(left, {root, folder, id});
  const paths = left.map(({path}) => path);
  const shown = paths.slice(0, 10).map((path) => `\`${path}\``);
  return {
    kind: 'left',
    where,
    paths,
    message:
      `a call was interrupted while its changes were applied: LumenFlow restored ${taken} paths ` +
      `and left these, which have changed since: ${shown.join(', ')}${paths.length > shown.length ? ` and ${paths.length - shown.length} more` : ''}`,
    help: `compare them with their content before the call, in \`${where}/before\``,
  };
}

/** Moves it out of reach of recovery, with the reason beside it. */
async function setAside(
  name: string,
  id: string,
  why: string,
  {root, processes}: RecoveryInput,
): Promise<RecoveryNote> {
  const all = join(root, transactionsFolder);
  const where = `${recoveredFolder}/${id}`;
  try {
    const kept = join(root, where);
    await mkdir(kept, {recursive: true, mode: 0o700});
    const mine = join(all, transactionName(processes.processId, id));
    const moved = (from: string): Promise<boolean | undefined> =>
      undefinedIfMissing(rename(from, join(kept, 'transaction')).then(() => true));
    if (!(await moved(mine))) await moved(join(all, name));
    await writeFile(join(kept, 'why.txt'), `${why}\n`, {mode: 0o600});
  } catch (error) {
    return {
      kind: 'unreadable',
      where: `${transactionsFolder}/${name}`,
      message: notRecovered(`${why}; ${String(error)}`),
    };
  }
  const help = `compare \`${where}/old\`, which contains what the call replaced, with the workspace; then remove \`${where}\``;
  return {kind: 'set_aside', where, message: notRecovered(why), help};
}

function notRecovered(why: string): string {
  return `an interrupted call could not be undone (${why}), so the workspace may contain some of its changes`;
}

function litter(name: string, problem: string): RecoveryNote {
  const message = `files that an interrupted call left could not be removed: ${problem}`;
  return {kind: 'litter', where: `${transactionsFolder}/${name}`, message, help: 'remove them manually'};
}
