// One call's transaction: its view is opened for the sandbox, and what is found in it afterwards is applied or not.
import {createHash} from 'node:crypto';
import type {HeldChange, HeldChanges} from '@lumenflow/schemas';
import {applyChanges, ChangedMeanwhile} from './apply-changes.ts';
import {findChanges, type Change, type ChangeProblem} from './find-changes.ts';
import {findConflicts, type NamesAtStart} from './find-conflicts.ts';
import {isWritten, judgeChanges, writtenBytes, type WriteAccess} from './judge-changes.ts';
import {openView} from './open-view.ts';
import {stageChanges} from './stage-changes.ts';
import type {Settlement, Transaction, TransactionFailure} from './transaction.ts';
import type {ViewPlace, WorkspaceView} from './workspace-view.ts';
import {describeMetLimit, type MetWriteLimit, type WriteLimits} from './write-limits.ts';

export interface TransactionInput extends ViewPlace {
  readonly root: string;
  readonly folder: string;
  readonly access: WriteAccess;
  readonly limits: WriteLimits;
  readonly startNs: bigint;
  readonly namesAtStart: NamesAtStart;
  onOpen(door: string): void;
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  discard(): Promise<void>;
}

/** Changes that a receipt lists. */
const listedMax = 200;
/** Deleted paths count as well: they are no writes, but each takes memory while it is judged. */
const changesMax = 1_000_000;

export function createTransaction(input: TransactionInput): Transaction {
  const {root, folder, limits, budget, upper} = input;
  const exceeded = new AbortController();
  let view: WorkspaceView | undefined;
  return {
    exceeded: exceeded.signal,
    async open(profile, enter) {
      const onLimit = (): void => exceeded.abort();
      const opened = await openView({root, folder, limits, budget, upper, profile, enter, onLimit});
      if ('message' in opened) return opened;
      view = opened;
      input.onOpen(opened.door);
      return opened;
    },
    async settle(keep) {
      if (view === undefined) return {written: []};
      try {
        const held = view;
        return await input.exclusively(async () => await settleView(held, keep, input));
      } catch (error) {
        return {written: [], failure: failed(`what the call wrote could not be looked through: ${String(error)}`)};
      }
    },
    async close() {
      view?.close();
      await input.discard();
    },
  };
}

async function settleView(view: WorkspaceView, keep: boolean, input: TransactionInput): Promise<Settlement> {
  const {root} = input;
  const {door, touched} = view;
  await view.seal();
  const limit = await view.metLimit();
  const changes = await findChanges({
    root,
    view: door,
    touched,
    changesMax,
    ...(view.copied && {copied: view.copied}),
  });
  if ('kind' in changes) return {written: [], failure: limit === undefined ? notFound(changes) : exceeds(limit)};
  if (limit !== undefined) return {...discarded(changes), failure: exceeds(limit)};
  return keep ? await keepChanges(changes, door, input) : discarded(changes);
}

async function keepChanges(changes: readonly Change[], view: string, input: TransactionInput): Promise<Settlement> {
  const {root, folder} = input;
  const nothing = discarded(changes);
  const objection = await judgeChanges({changes, access: input.access, root, view});
  if (objection !== undefined) return {...nothing, failure: {...objection, message: discardedText(objection.message)}};
  const conflicts = findConflicts(changes, input);
  if (conflicts.length > 0) return {...nothing, failure: conflict(conflicts)};
  try {
    const {steps, hashes} = await stageChanges({changes, view, folder});
    await applyChanges({root, folder, steps, changes});
    return {changes: record(changes, true, hashes), written: changes.filter(isWritten).map(({path}) => path)};
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return {...nothing, failure: conflict([error.message])};
    return {...nothing, failure: failed(`what the call wrote could not be applied: ${String(error)}`)};
  }
}

function discarded(changes: readonly Change[]): Settlement {
  return {changes: record(changes, false), written: []};
}

function record(changes: readonly Change[], applied: boolean, hashes?: ReadonlyMap<string, string>): HeldChanges {
  const digest = createHash('sha256');
  const list: HeldChange[] = [];
  for (const change of changes) {
    const line = describe(change, hashes);
    digest.update(`${JSON.stringify(line)}\n`);
    if (list.length < listedMax) list.push(line);
  }
  return {applied, count: changes.length, bytes: writtenBytes(changes), digest: digest.digest('hex'), list};
}

function describe(change: Change, hashes: ReadonlyMap<string, string> | undefined): HeldChange {
  const {path, kind, before, after} = change;
  const sha256 = hashes?.get(path);
  return {
    path,
    kind,
    entry: (after ?? before)?.kind ?? 'other',
    ...(isWritten(change) && after !== undefined && {size: after.size}),
    ...(sha256 !== undefined && {sha256}),
  };
}

function discardedText(why: string): string {
  return `${why}; nothing of what the call wrote was applied`;
}

function conflict(paths: readonly string[]): TransactionFailure {
  const shown = paths.slice(0, 10).join(', ');
  const more = paths.length > 10 ? ` and ${paths.length - 10} more` : '';
  return {
    code: 'WRITE_CONFLICT',
    message: discardedText(`${shown}${more} by somebody else during the call`),
    details: {conflicts: paths.slice(0, 200), retryable: true},
  };
}

function exceeds(met: MetWriteLimit): TransactionFailure {
  return {
    code: 'LIMIT_EXCEEDED',
    message: discardedText(describeMetLimit(met)),
    details: {limit: met.limit, bound: met.bound},
  };
}

function notFound(problem: ChangeProblem): TransactionFailure {
  if (problem.kind === 'unreadable_name') {
    const message = `a name in \`${problem.directory || '.'}\` is not UTF-8, so no scope can hold it`;
    return {code: 'SCOPE_DENIED', message: discardedText(message), details: {path: problem.directory}};
  }
  const message = `the call changed more than ${problem.changesMax} paths, which is the most that one call can change`;
  return {code: 'LIMIT_EXCEEDED', message: discardedText(message), details: {limit: 'changes', bound: changesMax}};
}

function failed(message: string): TransactionFailure {
  return {code: 'TOOL_EXECUTION_FAILED', message: discardedText(message), details: {}};
}
