// Changes without a handler: they are given as a change set, with the contents that it needs. They are staged, judged and applied
// like the changes of a call, and only where the workspace still matches the change set.
import {chmod, mkdir, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {ChangeEntry, EntryState} from '@lumenflow/schemas';
import {failed, ok, type Outcome} from '../outcome.ts';
import {SandboxError} from '../sandbox-error.ts';
import {applyToWorkspace} from './apply-to-workspace.ts';
import type {Change} from './change.ts';
import {describeChanges} from './describe-changes.ts';
import {lookAtOnce, type Entry} from './entry.ts';
import {changedSince, findConflicts} from './find-conflicts.ts';
import {isState} from './is-state.ts';
import {lookWithin} from './look-within.ts';
import {judgeChanges, type WriteAccess} from './judge-changes.ts';
import type {JournalSeal} from './journal.ts';
import type {ParkInput} from './park-changes.ts';
import {readText} from './read-text.ts';
import type {FinishedView, Transaction} from './transaction.ts';

export interface GivenChanges {
  readonly access: WriteAccess;
  /** Creates, modifies, deletes or changes permissions. */
  readonly entries: readonly ChangeEntry[];
  /** For a file that is created or modified. */
  content(state: EntryState): Promise<string>;
}

export interface GivenTransaction extends Pick<Transaction, 'text' | 'apply' | 'park' | 'close'> {
  readonly finished: FinishedView;
}

export interface GivenInput {
  readonly root: string;
  readonly folder: string;
  /** A time of the file system's clock before any file is inspected. */
  readonly startNs: bigint;
  seal(): Promise<JournalSeal>;
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  discard(): Promise<void>;
  /** Returns the directory, relative to the workspace. */
  park(staged: ParkInput): Promise<string>;
}

/** The problem is the paths that differ from the change set. Rejects if the contents differ from it. */
export async function makeGiven(
  given: GivenChanges,
  input: GivenInput,
): Promise<Outcome<GivenTransaction, readonly string[]>> {
  const {root, folder} = input;
  const look = lookWithin(root);
  const now = new Map(given.entries.map(({path}) => [path, look(path)]));
  const conflicts: string[] = [];
  for (const {path, before} of given.entries) {
    if (!(await isState(before, now.get(path), join(root, path)))) conflicts.push(path);
  }
  if (conflicts.length > 0) return failed(conflicts);
  const made = join(folder, 'made');
  await mkdir(made, {mode: 0o700});
  const changes: Change[] = [];
  const sorted = given.entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const [number, entry] of sorted.entries()) {
    changes.push(await makeChange(entry, {before: now.get(entry.path), source: join(made, String(number)), given}));
  }
  const objection = await judgeChanges({changes, access: given.access, root, view: root});
  return ok({finished: await finished(changes, objection, root), ...closing(changes, input)});
}

async function finished(
  changes: readonly Change[],
  objection: FinishedView['problem'],
  root: string,
): Promise<FinishedView> {
  const entries = await describeChanges(changes, {root, view: root});
  return {entries, ...(objection && {problem: objection})};
}

interface Making {
  readonly before: Entry | undefined;
  /** Nothing is there yet. */
  readonly source: string;
  readonly given: GivenChanges;
}

async function makeChange({path, op, after}: ChangeEntry, {before, source, given}: Making): Promise<Change> {
  const had = before && {before};
  if (after === undefined) return {path, kind: 'deleted', ...had};
  if (op === 'chmod' && before !== undefined) {
    return {path, kind: 'mode', before, after: {...before, mode: after.mode}};
  }
  await stage(after, source, given);
  const staged = lookAtOnce(source);
  if (staged === undefined || !(await isState(after, staged, source)))
    throw new SandboxError('CONTENT_MISMATCH', `the content of \`${path}\` does not match the change set`);
  return {
    path,
    kind: before === undefined ? 'created' : 'modified',
    ...had,
    after: staged,
    source,
    isMade: after.kind === 'file',
  };
}

async function stage(state: EntryState, target: string, given: GivenChanges): Promise<void> {
  if (state.kind === 'symlink') return await symlink(state.target ?? '', target);
  if (state.kind === 'directory') await mkdir(target);
  else await writeFile(target, await given.content(state), {flag: 'wx', mode: 0o600});
  await chmod(target, state.mode);
}

function closing(changes: readonly Change[], input: GivenInput): Omit<GivenTransaction, 'finished'> {
  const {root, folder} = input;
  const sources = new Map(changes.map(({path, source}) => [path, source]));
  const park = async (receiptId: string): Promise<string> => await input.park({root, view: root, changes, receiptId});
  return {
    async text(path, side, maxBytes) {
      const made = side === 'after' ? sources.get(path) : undefined;
      return await readText(made ?? join(root, path), maxBytes);
    },
    async apply(receiptId) {
      const applied = await input.exclusively(
        async () => await applyToWorkspace(changes, {...input, view: root, folder, namesAtStart: () => false}),
      );
      if (applied.ok) return {state: 'applied', written: applied.value};
      return {state: 'conflict', conflicts: applied.problem, kept_in: await park(receiptId)};
    },
    async park(receiptId) {
      const conflicts = [
        ...findConflicts(changes, {...input, namesAtStart: () => false}),
        ...changedSince(root, changes),
      ];
      if (conflicts.length > 0) return {state: 'conflict', conflicts};
      await park(receiptId);
      return {state: 'parked'};
    },
    close: () => input.discard(),
  };
}
