// Finds the commit that a checkout still shows after its branch was moved under it, perhaps several times. Git does not record that
// commit, but the index does: in the files that recent commits changed, it matches exactly one state of the branch. In other files, it
// may have staged changes of the person.
import {runGit, type GitContext} from '../git/run-git.ts';

export interface CheckoutBase {
  /** Undefined if no recent commit matches the index. */
  readonly base?: string;
  /** Then: the files in which the index differs from the branch, and which recent commits changed. */
  readonly unclear: readonly string[];
}

/** A checkout that is further behind has no base. */
const commitsMax = 1000;

/** `commit` is the latest one of the branch. The context works in the checkout. */
export async function checkoutBase(context: GitContext, commit: string): Promise<CheckoutBase> {
  const steps = await readSteps(context, commit);
  const index = await readIndex(context);
  const staged = (path: string): string => index.get(path) ?? absent;
  const different = new Set<string>();
  for (const {path, after} of steps.flatMap(({changes}) => changes).toReversed()) {
    if (staged(path) === after) different.delete(path);
    else different.add(path);
  }
  const unclear = [...different];
  for (const {id, changes} of steps) {
    if (different.size === 0) return {base: id, unclear: []};
    for (const {path, before} of changes) {
      if (staged(path) === before) different.delete(path);
      else different.add(path);
    }
  }
  return {unclear};
}

interface Step {
  /** The commit. */
  readonly id: string;
  /** Compared with its first parent. */
  readonly changes: readonly Change[];
}

interface Change {
  readonly path: string;
  /** Mode and blob. */
  readonly before: string;
  readonly after: string;
}

/** Mode and blob of a file that does not exist. */
const absent = '000000';

/** Newest first. */
async function readSteps(context: GitContext, commit: string): Promise<readonly Step[]> {
  const history = ['log', '--first-parent', '--diff-merges=first-parent', `--max-count=${commitsMax}`];
  const args = [...history, '--raw', '-r', '-z', '--no-renames', '--no-abbrev', '--format=%H', commit, '--'];
  const {stdout, truncated} = await runGit(context, args, {max_bytes: 64 * 1024 * 1024, truncate: true});
  const steps: {id: string; changes: Change[]}[] = [];
  const words = stdout.split('\0')[Symbol.iterator]();
  for (const word of words) {
    const change = /^\n?:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) /u.exec(word);
    if (change === null) {
      if (word !== '') steps.push({id: word, changes: []});
      continue;
    }
    const [, modeBefore = '', modeAfter = '', blobBefore = '', blobAfter = ''] = change;
    const path = words.next().value ?? '';
    steps.at(-1)?.changes.push({path, before: fileOf(modeBefore, blobBefore), after: fileOf(modeAfter, blobAfter)});
  }
  // The last one may be incomplete.
  return truncated ? steps.slice(0, -1) : steps;
}

function fileOf(mode: string, blob: string): string {
  return mode === absent ? absent : `${mode} ${blob}`;
}

/** Mode and blob by path. An entry with a conflict matches no commit, and neither does a cut list. */
async function readIndex(context: GitContext): Promise<ReadonlyMap<string, string>> {
  const {stdout} = await runGit(context, ['ls-files', '--stage', '-z'], {
    max_bytes: 256 * 1024 * 1024,
    truncate: true,
  });
  const entries = stdout.split('\0').flatMap((line): readonly (readonly [string, string])[] => {
    const [, mode = '', blob = '', stage, path] = /^(\d+) ([0-9a-f]+) (\d)\t([^]*)$/u.exec(line) ?? [];
    return path === undefined ? [] : [[path, stage === '0' ? `${mode} ${blob}` : 'conflict']];
  });
  return new Map(entries);
}
