// Applies the changes of a view: all of them, or none if a concurrent change affects what they build on.
import {join} from 'node:path';
import {removeTree} from '../files/remove-tree.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {SandboxError} from '../sandbox-error.ts';
import {applyChanges} from './apply-changes.ts';
import type {Change} from './change.ts';
import {ChangedConcurrently} from './changed-concurrently.ts';
import {changedSince, findConflicts, type NamesAtStart} from './find-conflicts.ts';
import {findOpenFiles} from './find-open-files.ts';
import type {JournalSeal} from './journal.ts';
import {isCreatedConcurrently} from './is-created-concurrently.ts';
import type {KeptTimes} from './kept-times.ts';
import {isWritten} from './judge-changes.ts';
import {lookWithin} from './look-within.ts';
import {stageChanges} from './stage-changes.ts';
import type {Step} from './step.ts';

export interface ApplyToWorkspaceInput {
  readonly root: string;
  /** The path to the files as the call sees them. */
  readonly view: string;
  /** The transaction's own. */
  readonly folder: string;
  readonly startNs: bigint;
  readonly namesAtStart: NamesAtStart;
  seal(): Promise<JournalSeal>;
  /** SHA-256 of files in the view, by path. With these hashes, whole trees can move. */
  readonly hashes?: ReadonlyMap<string, string> | undefined;
  readonly times?: KeptTimes | undefined;
  /** Required SHA-256 of staged files, by path. */
  readonly contents?: ReadonlyMap<string, string>;
}

/** Other processes that create the same directories at the same time are detected only while the changes are applied. */
const attemptsMax = 10;

/** Returns the files created and modified. The problem is the paths in conflict. */
export async function applyToWorkspace(
  changes: readonly Change[],
  input: ApplyToWorkspaceInput,
): Promise<Outcome<readonly string[], readonly string[]>> {
  const {root, folder} = input;
  for (let attempt = 1; ; attempt++) {
    const look = lookWithin(root);
    const left = changes.filter((change) => !isCreatedConcurrently(look, change));
    const conflicts = await conflictsOf(left, input);
    if (conflicts.length > 0) return failed(conflicts);
    const met = await applyLeft(left, {...input, ...timesOf(left, changes, input.times)});
    if (met.length === 0) return ok(changes.filter(isWritten).map(({path}) => path));
    const change = changes.find(({path}) => path === met[0]);
    if (attempt === attemptsMax || change === undefined || !isCreatedConcurrently(lookWithin(root), change))
      return failed(met);
    for (const name of ['new', 'old']) await removeTree(join(folder, name));
  }
}

/** A directory that another process created keeps its time. */
function timesOf(
  left: readonly Change[],
  changes: readonly Change[],
  times: KeptTimes | undefined,
): {readonly times?: KeptTimes} {
  if (times === undefined || left.length === changes.length) return {};
  const ours = new Set(left);
  const joined = new Set(changes.flatMap((change) => (ours.has(change) ? [] : [change.path])));
  return {times: new Map([...times].filter(([path]) => !joined.has(path)))};
}

async function conflictsOf(changes: readonly Change[], input: ApplyToWorkspaceInput): Promise<readonly string[]> {
  const {root} = input;
  const conflicts = [...findConflicts(changes, input), ...changedSince(root, changes)];
  // If there are none, open files are searched for later, while the disk is busy.
  return conflicts.length === 0 ? [] : [...conflicts, ...(await openPaths(root, changes))];
}

async function openPaths(root: string, changes: readonly Change[]): Promise<readonly string[]> {
  return (await findOpenFiles(root, changes)).map(({path}) => path);
}

/** Returns the paths that another program has open or has changed since; the workspace is then unchanged. */
async function applyLeft(changes: readonly Change[], input: ApplyToWorkspaceInput): Promise<readonly string[]> {
  const {root, view, folder, hashes, times} = input;
  const {steps, sources, trees} = await stageChanges({changes, root, view, folder, hashes});
  checkContents(steps, input.contents);
  let open: readonly string[] = [];
  const check = async (): Promise<void> => {
    open = await openPaths(root, changes);
    const [first] = open;
    if (first !== undefined) throw new ChangedConcurrently(first);
  };
  const staged = {steps, changes, sources, trees, times};
  try {
    await applyChanges({...staged, root, folder, seal: await input.seal(), check});
    return [];
  } catch (error) {
    if (error instanceof ChangedConcurrently) return open.length > 0 ? open : [error.path];
    throw error;
  }
}

function checkContents(steps: readonly Step[], contents: ApplyToWorkspaceInput['contents']): void {
  for (const {path, content} of contents === undefined ? [] : steps) {
    if (content !== undefined && content.sha256 !== contents?.get(path)) {
      throw new SandboxError('CONTENT_MISMATCH', `the content of \`${path}\` does not match the change set`);
    }
  }
}
