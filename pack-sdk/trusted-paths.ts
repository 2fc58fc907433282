// Files that programs outside the sandbox obey, see `obeyed-files.ts`. Inside a writable mount they stay read-only, or
// writing one would be a way out. Handlers that lay out trees of files ask here, too, which of them they had better leave out.
import {obeyedFiles} from './obeyed-files.ts';
import type {FileStat} from './tool-context.ts';

export {obeyedFiles, type ObeyedFiles} from './obeyed-files.ts';

/** Relative to any directory a tool may write in. */
export const trustedPaths: readonly string[] = obeyedFiles.flatMap(({paths}) => paths);

/** By the last name, folded: the names of each path, folded. */
const trustedByLastName: ReadonlyMap<string, readonly (readonly string[])[]> = groupedByLastName(trustedPaths);

/** What governs a repository, in its `.git` or, where the repository is bare, beside its HEAD. */
const repositoryNames: ReadonlySet<string> = new Set([
  'hooks',
  'config',
  'config.worktree',
  'info',
  'commondir',
  'gitdir',
  'remotes',
  'branches',
]);
/** Directories of packages that others wrote: programs obey what lies at the top of a project, not in these. */
const codeFolders: ReadonlySet<string> = new Set(['node_modules', 'site-packages', 'dist-packages', 'vendor']);
const codeFolder = new RegExp(`(^|/)(${[...codeFolders].join('|')})/`, 'i');

/** Whether a path lies within packages of others, such as `node_modules`. */
export function isCodeOfOthers(relative: string): boolean {
  return codeFolder.test(relative);
}

/** Whether an entry of a git directory decides what git does: its configuration, its hooks. */
export function governsRepository(name: string): boolean {
  return repositoryNames.has(folded(name));
}

/** Whether a workspace-relative path is trusted itself. */
export function isTrusted(relative: string, kind: FileStat['kind']): boolean {
  const name = folded(lastName(relative));
  if (name === '.git') return kind !== 'directory';
  const known = trustedByLastName.get(name);
  const isInner = repositoryNames.has(name) || name === 'git-rebase-todo';
  if (known === undefined && !isInner) return false;
  const names = relative.split('/').map(folded);
  if (isInner && isInnerRepository(names)) return true;
  const match = known?.find((path) => endsWith(names, path));
  // A prompt that shows the state of a repository asks git wherever a person goes.
  return match !== undefined && (match[0] === '.git' || !isCodeOfOthers(relative));
}

/**
 * The path that programs outside the sandbox obey and that a workspace-relative path is, or lies in; undefined when there is
 * none. What lies there is written only under a scope that names it: see `namesTrusted`.
 */
export function trustedAround(relative: string): string | undefined {
  const names = relative.split('/');
  for (let length = 1; length <= names.length; length += 1) {
    const path = names.slice(0, length).join('/');
    // A directory unless it is the last: `.git` alone is a file only there.
    if (isTrusted(path, length === names.length ? 'file' : 'directory')) return path;
  }
  return undefined;
}

/**
 * Whether a pattern that matches a trusted path, or something in it, names it: with its literal name at a fixed depth.
 * `worktrees/?/.git` names `worktrees/a/.git`; `worktrees/**` and `worktrees/a/*` do not.
 */
export function namesTrusted(pattern: string, trusted: string): boolean {
  const segments = pattern.split('/');
  const path = trusted.split('/');
  const nameAt = path.length - nameLength(path);
  return path.every((name, at) => {
    const segment = segments[at];
    return segment === name || (at < nameAt && segment !== undefined && segment !== '**');
  });
}

/** How many of the last segments make the path one that is obeyed. */
function nameLength(path: readonly string[]): number {
  const names = path.map(folded);
  return (trustedByLastName.get(names.at(-1) ?? '') ?? []).find((known) => endsWith(names, known))?.length ?? 1;
}

/** Within a repository that is kept inside another's `.git`: a submodule's, a work tree's. */
function isInnerRepository(names: readonly string[]): boolean {
  return names.some(
    (name, at) => name === '.git' && ['modules', 'worktrees'].includes(names[at + 1] ?? '') && at + 2 < names.length,
  );
}

function endsWith(names: readonly string[], path: readonly string[]): boolean {
  return path.length <= names.length && path.every((name, at) => name === names[names.length - path.length + at]);
}

/** As in a file system that ignores case and invisible characters, where another notation is the same file. */
function folded(name: string): string {
  // Plain ASCII is nearly all there is.
  if (/^[\u0000-\u007f]*$/.test(name)) return name.toLowerCase();
  return name
    .normalize('NFKC')
    .replaceAll(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .toUpperCase()
    .toLowerCase();
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function groupedByLastName(paths: readonly string[]): Map<string, (readonly string[])[]> {
  const groups = new Map<string, (readonly string[])[]>();
  for (const path of paths) {
    const names = path.split('/').map(folded);
    const last = names.at(-1) ?? '';
    groups.set(last, [...(groups.get(last) ?? []), names]);
  }
  return groups;
}
