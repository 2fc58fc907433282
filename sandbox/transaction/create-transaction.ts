// One call's transaction: its view is opened for the sandbox, and what is found in it afterwards is applied or not.
import {join} from 'node:path';
import type {SpareViews} from '../backends/transaction-view.ts';
import {applyChanges} from './apply-changes.ts';
import {ChangedMeanwhile} from './changed-meanwhile.ts';
import {describeChanges} from './describe-changes.ts';
import type {Change, ChangeProblem} from './change.ts';
import type {ComparedTrees} from './compared-trees.ts';
import {findChanges, pathBytesMax} from './find-changes.ts';
import {findOpenFiles} from './find-open-files.ts';
import {changedSince, findConflicts, type NamesAtStart} from './find-conflicts.ts';
import {isWritten, judgeChanges, type WriteAccess} from './judge-changes.ts';
import {OpenedSpareView} from './opened-spare-view.ts';
import {lookBeneath} from './look-beneath.ts';
import {openView} from './open-view.ts';
import type {ParkInput} from './park-changes.ts';
import {readText} from './read-text.ts';
import {stageChanges} from './stage-changes.ts';
import type {JournalSeal} from './journal.ts';
import type {FinishedView, Transaction, TransactionFailure} from './transaction.ts';
import type {ViewPlace, WorkspaceView} from './workspace-view.ts';
import {describeMetLimit, type MetWriteLimit, type WriteLimits} from './write-limits.ts';

export interface TransactionInput extends ViewPlace {
  readonly root: string;
  readonly folder: string;
  seal(): Promise<JournalSeal>;
  readonly access: WriteAccess;
  readonly limits: WriteLimits;
  readonly startNs: bigint;
  readonly namesAtStart: NamesAtStart;
  onOpen(door: string): void;
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  discard(): Promise<void>;
  readonly spareViews: SpareViews;
  /** Gives the directory, relative to the workspace. */
  park(staged: ParkInput): Promise<string>;
}

/** Deleted paths count as well: they are no writes, but each takes memory while it is judged. */
const changesMax = 1_000_000;

interface FoundChanges {
  readonly finished: FinishedView;
  readonly changes?: readonly Change[];
}

export function createTransaction(input: TransactionInput): Transaction {
  const {root, folder, limits, budget, upper} = input;
  const exceeded = new AbortController();
  let view: WorkspaceView | undefined;
  let found: readonly Change[] = [];
  let hasEnded = false;
  let adopted: OpenedSpareView | undefined;
  const begin = async (opened: WorkspaceView): Promise<void> => {
    await opened.begin(() => exceeded.abort());
    view = opened;
    input.onOpen(opened.door);
  };
  const finishedView = (): WorkspaceView => {
    if (view === undefined) throw new Error('there is no view to apply');
    return view;
  };
  return {
    exceeded: exceeded.signal,
    async open(profile, enter) {
      const opened = await openView({root, folder, limits, budget, upper, profile, enter});
      if ('message' in opened) return opened;
      await begin(opened);
      return opened;
    },
    spareViews: input.spareViews,
    async adopt(spare) {
      if (!(spare instanceof OpenedSpareView)) throw new Error('the view is not one of this workspace');
      await spare.checkUpper();
      await begin(spare.view);
      adopted = spare;
    },
    callEnded: () => void (hasEnded = true),
    async finish(keep) {
      if (view === undefined) return {};
      try {
        const {finished, changes = []} = await finishView(await endView(view, hasEnded), keep, input);
        found = changes;
        return finished;
      } catch (error) {
        return {failure: failed(`what the call wrote could not be looked through: ${String(error)}`)};
      }
    },
    text: async (path, side, maxBytes) =>
      await readText(join(side === 'before' ? root : finishedView().door, path), maxBytes),
    async apply(receiptId) {
      const applied = await input.exclusively(async () => await applyView(finishedView(), found, input));
      if (!('conflicts' in applied)) return {state: 'applied', written: applied};
      const kept_in = await input.park({root, view: finishedView().door, changes: found, receiptId});
      return {state: 'conflict', conflicts: applied.conflicts, kept_in};
    },
    async park(receiptId) {
      await input.park({root, view: finishedView().door, changes: found, receiptId});
    },
    async close() {
      view?.close();
      await adopted?.close();
      await input.discard();
    },
  };
}

interface EndedView {
  readonly view: WorkspaceView;
  readonly seen: ComparedTrees['seen'];
}

/** What has ended has nothing open, and sealing costs a process. Of a copy, and of a view in memory, inodes tell nothing. */
async function endView(view: WorkspaceView, hasEnded: boolean): Promise<EndedView> {
  const {door, upperOnDisk} = view;
  const seen = upperOnDisk === undefined ? undefined : await lookBeneath({view: door, touched: upperOnDisk});
  if (!hasEnded) await view.seal();
  return {view, seen};
}

async function finishView({view, seen}: EndedView, keep: boolean, input: TransactionInput): Promise<FoundChanges> {
  const {root} = input;
  const {door, touched, upperOnDisk} = view;
  const limit = await view.metLimit();
  const changes = await findChanges({
    root,
    view: door,
    touched: upperOnDisk ?? touched,
    changesMax,
    ...(view.followsRenames === true && {followsRenames: true}),
    startNs: input.startNs,
    ...(seen && {seen}),
    ...(view.copied && {copied: view.copied}),
  });
  if ('kind' in changes) return {finished: {failure: limit === undefined ? notFound(changes) : exceeds(limit)}};
  const entries = await describeChanges(changes, {root, view: door});
  if (limit !== undefined) return {changes, finished: {entries, failure: exceeds(limit)}};
  const objection = keep ? await judgeChanges({changes, access: input.access, root, view: door}) : undefined;
  if (objection === undefined) return {changes, finished: {entries}};
  return {changes, finished: {entries, failure: {...objection, message: discardedText(objection.message)}}};
}

async function applyView(
  view: WorkspaceView,
  changes: readonly Change[],
  input: TransactionInput,
): Promise<readonly string[] | {readonly conflicts: readonly string[]}> {
  const {root, folder} = input;
  const open = await findOpenFiles(root, changes);
  const conflicts = [
    ...findConflicts(changes, input),
    ...(await changedSince(root, changes)),
    ...open.map(({path}) => path),
  ];
  if (conflicts.length > 0) return {conflicts};
  const {steps, sources} = await stageChanges({changes, root, view: view.door, folder});
  try {
    await applyChanges({root, folder, seal: await input.seal(), steps, changes, sources});
    return changes.filter(isWritten).map(({path}) => path);
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return {conflicts: [error.path]};
    throw error;
  }
}

function discardedText(why: string): string {
  return `${why}; nothing of what the call wrote was applied`;
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
  if (problem.kind === 'too_long') {
    const shown = `${problem.path.slice(0, 80)}…`;
    const message = `a path that the call made is too long to be applied (\`${shown}\`): the way to it has more than ${pathBytesMax} bytes`;
    return {
      code: 'LIMIT_EXCEEDED',
      message: discardedText(message),
      details: {limit: 'path_bytes', bound: pathBytesMax},
    };
  }
  const message = `the call changed more than ${problem.changesMax} paths, which is the most that one call can change`;
  return {code: 'LIMIT_EXCEEDED', message: discardedText(message), details: {limit: 'changes', bound: changesMax}};
}

function failed(message: string): TransactionFailure {
  return {code: 'TOOL_EXECUTION_FAILED', message: discardedText(message), details: {}};
}
