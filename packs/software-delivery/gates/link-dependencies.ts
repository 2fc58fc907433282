// Links the installed dependencies of a tree into its copy. Tools read the linked packages, and what they write next to them
// stays in the copy.
import {mkdir, readdir, readlink, rmdir, stat, symlink} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {runGit, type GitContext} from '../git/run-git.ts';

/** Folders of installed packages that git ignores. */
const dependencyFolders: ReadonlySet<string> = new Set(['node_modules', '.venv', 'venv', 'vendor', '.bundle']);

/** The first of several roots that has a folder provides it. `submodules` are paths of the tree. */
export async function linkDependencies(
  roots: readonly GitContext[],
  copy: string,
  submodules: readonly string[],
): Promise<void> {
  for (const context of roots) {
    const {workspace_root: root} = context;
    for (const path of await ignoredDependencies(context)) {
      const place = join(copy, path);
      if ((await isFolder(dirname(place))) && !(await exists(place))) await linkFolder(join(root, path), place);
    }
    for (const path of submodules) await linkSubmodule(join(root, path), join(copy, path));
  }
}

async function ignoredDependencies(context: GitContext): Promise<readonly string[]> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const {stdout} = await runGit(context, args);
  return stdout
    .split('\0')
    .map((path) => path.replace(/\/$/, ''))
    .filter((path) => dependencyFolders.has(path.slice(path.lastIndexOf('/') + 1)));
}

async function linkFolder(from: string, to: string): Promise<void> {
  if (to.endsWith('/node_modules')) await linkPackages(from, to);
  else await symlink(from, to);
}

/**
 * Creates a folder with one link for each package, so that links to packages of the same tree (workspaces) lead to the copy.
 * Skips hidden entries, which are caches, except for programs and the store of pnpm.
 */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, {withFileTypes: true})) {
    const {name} = entry;
    const [source, place] = [join(from, name), join(to, name)];
    if (entry.isSymbolicLink()) await symlink(await readlink(source), place);
    else if (name === '.bin' || name.startsWith('@')) await linkPackages(source, place);
    else if (name === '.pnpm' || !name.startsWith('.')) await symlink(source, place);
  }
}

/** Git leaves an empty folder in the copy. */
async function linkSubmodule(from: string, to: string): Promise<void> {
  const isCheckedOut = (await isFolder(from)) && (await readdir(from)).length > 0;
  if (!isCheckedOut || (await readdir(to).catch(() => ['?'])).length > 0) return;
  await rmdir(to);
  await symlink(from, to);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
