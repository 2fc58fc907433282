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
import type {ViewLimits, WorkspaceView} from './workspace-view.ts';

export interface TransactionInput {
  readonly root: string;
  readonly folder: string;
  readonly access: WriteAccess;
  readonly limits: ViewLimits;
  readonly startNs: bigint;
  readonly namesAtStart: NamesAtStart;
  onOpen(door: string): void;
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  discard(): Promise<void>;
}

/** Changes that a receipt lists. */
const listedMax = 200;

export function createTransaction(input: TransactionInput): Transaction {
  const {root, folder, limits} = input;
  let view: WorkspaceView | undefined;
  return {
    async open(profile, enter) {
      const opened = await openView({root, folder, limits, profile, enter});
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
  const {root, limits} = input;
  const {door, touched} = view;
  await view.seal();
  const changes = await findChanges({
    root,
    view: door,
    touched,
    changesMax: limits.files,
    ...(view.copied && {copied: view.copied}),
  });
  if ('kind' in changes) return {written: [], failure: notFound(changes)};
  if (await view.isFull()) return {...discarded(changes), failure: full(limits)};
  return keep ? await keepChanges(changes, door, input) : discarded(changes);
}

async function keepChanges(changes: readonly Change[], view: string, input: TransactionInput): Promise<Settlement> {
  const {root, folder, limits} = input;
  const nothing = discarded(changes);
  const objection = await judgeChanges({changes, access: input.access, root, view, bytesMax: limits.bytes});
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

function full({bytes, files}: ViewLimits): TransactionFailure {
  return {
    code: 'LIMIT_EXCEEDED',
    message: discardedText(
      `the call wrote more than ${bytes} bytes or ${files} files: raise \`write_bytes\` or \`write_files\` in the tool's \`limits\``,
    ),
    details: {limit: 'write_bytes', bytes_max: bytes, files_max: files},
  };
}

function notFound(problem: ChangeProblem): TransactionFailure {
  if (problem.kind === 'unreadable_name') {
    const message = `a name in \`${problem.directory || '.'}\` is not UTF-8, so no scope can hold it`;
    return {code: 'SCOPE_DENIED', message: discardedText(message), details: {path: problem.directory}};
  }
  const {changesMax} = problem;
  const message = `the call changed more than ${changesMax} paths: raise \`write_files\` in the tool's \`limits\``;
  return {
    code: 'LIMIT_EXCEEDED',
    message: discardedText(message),
    details: {limit: 'write_files', files_max: changesMax},
  };
}

function failed(message: string): TransactionFailure {
  return {code: 'TOOL_EXECUTION_FAILED', message: discardedText(message), details: {}};
}
