// Writes the files of a merge into a checkout where git cannot replace them: a code path that is one file is writable, but the
// folder that contains it is not.
import {chmod, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ToolContext} from '@lumenflow/pack-sdk';
import {runGit, type GitContext} from '../git/run-git.ts';
import type {MovedBranch} from './moved-branch.ts';

interface ChangedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const [absent, plain, executable] = ['000000', '100644', '100755'];
const modes: Readonly<Record<string, number>> = {[plain]: 0o644, [executable]: 0o755};

/** `present`: paths that are there already. Returns false without a change if the merge has something other than files. The index stays. */
export async function writeMergedFiles(
  context: GitContext & Pick<ToolContext, 'fs'>,
  {onto, commit}: MovedBranch,
  present: readonly string[],
): Promise<boolean> {
  const changed = (await changedFiles(context, {onto, commit})).filter(({path}) => !present.includes(path));
  if (!changed.every(canBeWritten)) return false;
  const folder = await mkdtemp(join(tmpdir(), 'lumenflow-merge-'));
  try {
    const kept = changed.filter(({after}) => after !== absent);
    const env = {GIT_INDEX_FILE: join(folder, 'index')};
    await runGit(context, ['read-tree', commit], {env});
    const stdin = kept.map(({path}) => `${path}\0`).join('');
    // As git writes them, with the line ends and filters of the checkout.
    await runGit(context, ['checkout-index', '-z', '--stdin', `--prefix=${folder}/files/`], {env, stdin});
    for (const file of kept) await writeOne(context, file, await readFile(join(folder, 'files', file.path)));
    for (const {path, after} of changed) if (after === absent) await context.fs.remove(path);
    return true;
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

/** In its place, where it exists: a mounted file cannot be replaced. */
async function writeOne(
  {workspace_root: root, fs}: Pick<ToolContext, 'fs' | 'workspace_root'>,
  {path, before, after}: ChangedFile,
  content: Uint8Array,
): Promise<void> {
  if (before === absent) return await fs.write(path, content);
  await writeFile(join(root, path), content);
  if (before !== after) await chmod(join(root, path), modes[after] ?? 0);
}

/** `fs.write` creates no executable files. */
function canBeWritten({before, after}: ChangedFile): boolean {
  if (before === absent) return after === plain;
  return before in modes && (after === absent || after in modes);
}

async function changedFiles(context: GitContext, {onto, commit}: MovedBranch): Promise<readonly ChangedFile[]> {
  const {stdout} = await runGit(context, ['diff-tree', '-r', '-z', '--no-renames', onto, commit]);
  const fields = stdout.split('\0');
  const found: ChangedFile[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [before = '', after = ''] = (fields[index] ?? '').slice(1).split(' ');
    found.push({path: fields[index + 1] ?? '', before, after});
  }
  return found;
}
