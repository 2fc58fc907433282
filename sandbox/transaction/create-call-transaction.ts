// The transaction of one call. It opens a view for the sandbox, and afterwards applies or discards what it finds there.
import {join} from 'node:path';
import type {ChangeEntry, SandboxProfile} from '@lumenflow/schemas';
import type {SpareViews} from '../backends/transaction-view.ts';
import {ok} from '../outcome.ts';
import {SandboxError} from '../sandbox-error.ts';
import {AppliedInPart} from './applied-in-part.ts';
import {applyToWorkspace} from './apply-to-workspace.ts';
import {describeChanges} from './describe-changes.ts';
import {createCallerView, type CallerView, type OwnCallerView} from './caller-view.ts';
import type {Change} from './change.ts';
import type {ComparedTrees} from './compared-trees.ts';
import {lookAtOnce} from './entry.ts';
import {findChanges} from './find-changes.ts';
import {changedSince, findConflicts, type NamesAtStart} from './find-conflicts.ts';
import {isCreatedConcurrently} from './is-created-concurrently.ts';
import type {KeptTimes} from './kept-times.ts';
import {isWritten, judgeChanges, type WriteAccess} from './judge-changes.ts';
import {mergeChanges} from './merge-changes.ts';
import {OpenedSpareView} from './opened-spare-view.ts';
import {lookBeneath} from './look-beneath.ts';
import {lookWithin} from './look-within.ts';
import {openEnteredView} from './open-entered-view.ts';
import {openNestedView} from './open-nested-view.ts';
import {openView} from './open-view.ts';
import type {ParkInput} from './park-changes.ts';
import {readText} from './read-text.ts';
import type {JournalSeal} from './journal.ts';
import type {AppliedChanges, FinishedView, ParkedCallChanges, Transaction} from './transaction.ts';
import {discardedText, exceeds, executionFailed, unfit, unreadable} from './transaction-problem.ts';
import {syncAhead} from './sync-ahead.ts';
import {timesOfTouched, withoutTouched, type WithoutTouched} from './touched-files.ts';
import {withoutMountPoints} from './without-mount-points.ts';
import type {ViewStorage, WorkspaceView} from './workspace-view.ts';
import type {WriteLimits} from './write-limits.ts';

export interface TransactionInput extends ViewStorage {
  readonly root: string;
  readonly folder: string;
  seal(): Promise<JournalSeal>;
  readonly access: WriteAccess;
  readonly limits: WriteLimits;
  readonly startNs: bigint;
  readonly namesAtStart: NamesAtStart;
  readonly caller?: CallerView | undefined;
  onOpen(door: string): void;
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Begins to remove its folder. */
  discard(): void;
  readonly spareViews: SpareViews;
  /** Returns the directory, relative to the workspace. */
  park(staged: ParkInput): Promise<string>;
}

/** Deleted paths count too: they are not writes, but each takes memory while it is judged. */
const changesMax = 1_000_000;

interface FoundChanges {
  readonly finished: FinishedView;
  readonly changes?: readonly Change[];
  /** SHA-256 of the files that it has changed, by path. */
  readonly hashes?: ReadonlyMap<string, string>;
  readonly times?: KeptTimes;
  readonly touched?: WithoutTouched['touched'];
  /** Created on first use. */
  sources?: ReadonlyMap<string, string | undefined>;
}

export function createCallTransaction(input: TransactionInput): Transaction {
  const {caller} = input;
  const base = baseOf(input);
  const exceeded = new AbortController();
  let own: OwnCallerView | undefined;
  let isFinishing = false;
  let found: FoundChanges = {finished: {}};
  let hasEnded = false;
  let adopted: OpenedSpareView | undefined;
  const start: StartOfView = {};
  const after = (path: string): string => sourceOf(found, path) ?? join(opened(own).door, path);
  const begin = async (opened: WorkspaceView): Promise<void> => {
    await opened.begin(() => exceeded.abort());
    start.touchedTimeNs = lookAtOnce(`${opened.upperOnDisk ?? opened.touched}/`)?.mtimeNs;
    own = createCallerView(opened);
    input.onOpen(opened.door);
  };
  return {
    exceeded: exceeded.signal,
    asCaller: () => (isFinishing ? undefined : own),
    async open(profile, enter, way = 'entered') {
      start.mounted = profile;
      const wanted = {...input, base, profile, enter};
      const mounting = way === 'mounted' && caller === undefined ? openEnteredView(wanted, begin) : undefined;
      if (mounting !== undefined) return ok(mounting);
      const opened = await (caller === undefined ? openView(wanted, way) : openNestedView(wanted, caller, way));
      if (opened.ok) await begin(opened.value);
      return opened;
    },
    // A spare shows the workspace, not what a caller wrote.
    ...(caller === undefined && {spareViews: input.spareViews}),
    async adopt(spare) {
      if (!(spare instanceof OpenedSpareView))
        throw new SandboxError('BROKEN_INVARIANT', 'the view belongs to another workspace');
      await spare.checkUpper();
      await begin(spare.view);
      adopted = spare;
    },
    callEnded: () => void (hasEnded = true),
    async finish(keep) {
      isFinishing = true;
      if (own === undefined) return {};
      found = await finishOwn(own, hasEnded, {keep, ...input, ...start});
      return found.finished;
    },
    text: async (path, side, maxBytes) => await readText(side === 'before' ? join(base, path) : after(path), maxBytes),
    apply: async (receiptId) => await applyFound(opened(own), found, {...input, receiptId}),
    async park(receiptId) {
      if (caller !== undefined)
        throw new SandboxError('BROKEN_INVARIANT', 'the changes of a nested call are parked with those of its caller');
      return await parkUnlessChanged(opened(own), found, {...input, receiptId});
    },
    async close() {
      isFinishing = true;
      await own?.end();
      own?.view.close();
      // Their directories are removed after the call has its result.
      void adopted?.close();
      input.discard();
    },
  };
}

/** Where a changed file is read. */
function sourceOf(found: FoundChanges, path: string): string | undefined {
  found.sources ??= new Map(found.changes?.map((change) => [change.path, change.source]));
  return found.sources.get(path);
}

function opened(own: OwnCallerView | undefined): WorkspaceView {
  if (own === undefined) throw new SandboxError('BROKEN_INVARIANT', 'there is no view to apply');
  return own.view;
}

/** The tree that a call's view is compared with: that of its caller, or the workspace. */
function baseOf({root, caller}: Pick<TransactionInput, 'root' | 'caller'>): string {
  return caller?.view.door ?? root;
}

/** Inodes of the view beneath what was written; a copy, and a view in memory, shows none of the workspace's. */
type SeenEntries = ComparedTrees['seen'];

/** Processes that have ended have no open files, and sealing costs a process. */
async function endView({door, upperOnDisk, copied, seal}: WorkspaceView, hasEnded: boolean): Promise<SeenEntries> {
  const isCompared = upperOnDisk !== undefined && copied === undefined;
  const seen = isCompared ? await lookBeneath({view: door, touched: upperOnDisk}) : undefined;
  if (!hasEnded) await seal();
  return seen;
}

interface StartOfView {
  /** See `ComparedTrees`. */
  touchedTimeNs?: bigint | undefined;
  /** Undefined for a view of a spare: nothing has changed there between check and mount. */
  mounted?: SandboxProfile;
}

interface FinishInput extends TransactionInput, Readonly<StartOfView> {
  readonly keep: boolean;
}

async function finishOwn(own: OwnCallerView, hasEnded: boolean, input: FinishInput): Promise<FoundChanges> {
  try {
    await own.end();
    return await finishView(own, await endView(own.view, hasEnded), input);
  } catch (error) {
    return {finished: {problem: unreadable(error)}};
  }
}

async function finishView(own: OwnCallerView, seen: SeenEntries, input: FinishInput): Promise<FoundChanges> {
  const {view} = own;
  const {keep} = input;
  const base = baseOf(input);
  const {door, touched, upperOnDisk} = view;
  const limit = await view.metLimit();
  const broken = own.broken();
  if (broken !== undefined)
    return {finished: {problem: executionFailed(`a nested call's changes were only partly merged: ${broken}`)}};
  const inView = await findChanges({
    root: base,
    view: door,
    touched: upperOnDisk ?? touched,
    changesMax,
    followsRenames: view.followsRenames,
    startNs: input.startNs,
    touchedTimeNs: input.touchedTimeNs,
    seen,
    copied: view.copied,
  });
  if (!inView.ok) return {finished: {problem: limit === undefined ? unfit(inView.problem) : exceeds(limit)}};
  const changes = withoutMountPoints(inView.value.changes, {root: input.root, profile: input.mounted});
  const {times} = inView.value;
  if (keep && limit === undefined) void syncAhead(changes);
  const entries = await describeChanges(changes, {
    root: base,
    view: door,
    isDiscarded: !keep || limit !== undefined,
  });
  if (limit !== undefined) return {changes, finished: {entries, problem: exceeds(limit)}};
  const merged = own.merged();
  const access = {...input.access, allows: (path: string) => merged.has(path) || input.access.allows(path)};
  const objection = keep ? await judgeChanges({changes, access, root: input.root, view: door}) : undefined;
  if (objection === undefined) {
    const left = withoutTouched(changes, entries);
    return {...left, times, finished: {entries: left.entries}, hashes: hashesOf(left.entries)};
  }
  return {changes, finished: {entries, problem: {...objection, message: discardedText(objection.message)}}};
}

function hashesOf(entries: readonly ChangeEntry[]): ReadonlyMap<string, string> {
  return new Map(entries.flatMap(({path, after}) => (after?.sha256 === undefined ? [] : [[path, after.sha256]])));
}

async function applyFound(
  view: WorkspaceView,
  found: FoundChanges,
  input: TransactionInput & {readonly receiptId: string},
): Promise<AppliedChanges> {
  const {caller} = input;
  const {changes = [], hashes} = found;
  if (caller !== undefined) return await mergeInto(caller, view, found, input);
  const known = {times: timesToKeep(found, input.root), hashes};
  const applied = await input
    .exclusively(async () => await applyToWorkspace(changes, {...input, view: view.door, ...known}))
    .catch(rethrowExplained);
  if (applied.ok) return {state: 'applied', written: applied.value};
  const kept_in = await parkFound(view, found, input);
  return {state: 'conflict', conflicts: applied.problem, kept_in};
}

function rethrowExplained(error: unknown): never {
  if (error instanceof AppliedInPart) throw error;
  const why = error instanceof Error ? error.message : String(error);
  throw new SandboxError('NOT_APPLIED', `${why}; none of its changes were applied`, {cause: error});
}

function timesToKeep({times = new Map(), touched = []}: FoundChanges, base: string): KeptTimes {
  return new Map([...times, ...timesOfTouched(touched, base)]);
}

async function parkUnlessChanged(
  view: WorkspaceView,
  found: FoundChanges,
  input: TransactionInput & {readonly receiptId: string},
): Promise<ParkedCallChanges> {
  const look = lookWithin(input.root);
  const left = found.changes?.filter((change) => !isCreatedConcurrently(look, change)) ?? [];
  const conflicts = [...new Set([...findConflicts(left, input), ...changedSince(input.root, left)])];
  if (conflicts.length > 0) return {state: 'conflict', conflicts};
  await parkFound(view, found, input);
  return {state: 'parked'};
}

async function parkFound(
  view: WorkspaceView,
  found: FoundChanges,
  {park, root, receiptId}: Pick<TransactionInput, 'park' | 'root'> & {readonly receiptId: string},
): Promise<string> {
  const {changes = []} = found;
  return await park({root, view: view.door, changes, receiptId, times: timesToKeep(found, root)});
}

/** The changes of a nested call become part of its caller's changes. */
async function mergeInto(
  caller: CallerView,
  view: WorkspaceView,
  found: FoundChanges,
  input: TransactionInput,
): Promise<AppliedChanges> {
  const {changes = []} = found;
  const base = baseOf(input);
  let conflicts: readonly string[] = [];
  let left = changes;
  const paths = changes.map(({path}) => path);
  const check = async (): Promise<boolean> => {
    const look = lookWithin(base);
    left = changes.filter((change) => !isCreatedConcurrently(look, change));
    conflicts = [...findConflicts(left, input), ...changedSince(base, left)];
    return conflicts.length === 0;
  };
  const merge = async (): Promise<void> =>
    await mergeChanges({changes: left, root: input.root, from: view.door, to: base, times: timesToKeep(found, base)});
  await caller.merge(paths, check, merge);
  if (conflicts.length === 0) return {state: 'applied', written: changes.filter(isWritten).map(({path}) => path)};
  return {state: 'conflict', conflicts};
}
