// Finds the existing directories and files that match the patterns of a grant: never more than a pattern matches.
import {join} from 'node:path';
import {failed, ok, type Outcome} from '../outcome.ts';
import {directoriesBetween, isWithin} from './host-paths.ts';
import type {ProfileInput} from './profile-input.ts';
import {walkTree, type Walk} from './walk.ts';

export interface GrantedMount {
  readonly path: string;
  readonly access: 'read' | 'write';
  /** The pattern it comes from. */
  readonly pattern: string;
}

export interface GrantedMounts {
  readonly mounts: readonly GrantedMount[];
  readonly skipped: readonly {readonly pattern: string; readonly reason: string}[];
}

const wildcard = /[*?]/;

/** `isHidden` takes absolute paths: what a deny overlay covers is never mounted. */
export async function grantedMounts(
  input: ProfileInput,
  walk: Walk,
  isHidden: (path: string) => boolean,
): Promise<GrantedMounts> {
  const mounts: GrantedMount[] = [];
  const skipped: {pattern: string; reason: string}[] = [];
  const patterns = [
    ...input.grant.write.map((pattern) => ({pattern, access: 'write' as const})),
    ...input.grant.read.map((pattern) => ({pattern, access: 'read' as const})),
  ];
  for (const {pattern, access} of patterns) {
    const found = await pathsOf(pattern, {input, walk, isHidden});
    if (!found.ok) {
      skipped.push({pattern, reason: found.problem});
      continue;
    }
    for (const path of found.value) if (!isHidden(path)) mounts.push({path, access, pattern});
  }
  return {mounts, skipped};
}

/** The existing paths to mount for a pattern, or why there are none. */
async function pathsOf(pattern: string, search: Search): Promise<Outcome<readonly string[], string>> {
  const {input} = search;
  const isTree = pattern === '**' || pattern.endsWith('/**');
  const text = isTree ? pattern.slice(0, -2).replace(/\/$/, '') : pattern;
  const wanted = isTree ? 'directory' : 'file';
  if (wildcard.test(text)) return matchesOf({text, wanted}, search);
  const path = join(input.workspaceRoot, text);
  const link = symlinkOnTheWay(path, input);
  if (link !== undefined) return failed(`\`${link}\` is a symlink: grant the path it leads to`);
  const kind = input.files.kindOf(path);
  if (kind === wanted) return ok([path]);
  if (kind === undefined) return failed('does not exist yet: a handler can create it with `context.fs`');
  return failed(isTree ? 'is not a directory' : 'is not a file: to grant a directory, end the pattern in `/**`');
}

function symlinkOnTheWay(path: string, input: ProfileInput): string | undefined {
  const steps = path === input.workspaceRoot ? [] : [...directoriesBetween(input.workspaceRoot, path), path];
  return steps.find((step) => input.files.kindOf(step) === 'symlink');
}

interface Search {
  readonly input: ProfileInput;
  readonly walk: Walk;
  readonly isHidden: (path: string) => boolean;
}

interface Wanted {
  readonly text: string;
  readonly wanted: 'file' | 'directory';
}

async function matchesOf(
  {text, wanted}: Wanted,
  {input, walk, isHidden}: Search,
): Promise<Outcome<readonly string[], string>> {
  const segments = text.split('/');
  const literal = segments.slice(
    0,
    segments.findIndex((segment) => wildcard.test(segment)),
  );
  const top = join(input.workspaceRoot, ...literal);
  const link = symlinkOnTheWay(top, input);
  if (link !== undefined) return failed(`\`${link}\` is a symlink: grant the path it leads to`);
  const depthMax = segments.includes('**') ? Number.POSITIVE_INFINITY : segments.length;
  const matches = input.compilePattern(text);
  const found: string[] = [];
  await walkTree(walk, top, ({path, kind}) => {
    if (isHidden(path)) return false;
    const relative = path.slice(input.workspaceRoot.length + 1);
    const isMatch = kind === wanted && matches(relative);
    if (isMatch) found.push(path);
    // A mounted directory includes its contents.
    return !(isMatch && wanted === 'directory') && relative.split('/').length < depthMax;
  });
  return found.length === 0 ? failed('does not match an existing path') : ok(found);
}

/** Omits mounts that another mount already includes. */
export function withoutCovered(mounts: readonly GrantedMount[]): readonly GrantedMount[] {
  const kept = new Map<string, GrantedMount>();
  for (const mount of mounts) {
    const known = kept.get(mount.path);
    // A write grant includes reading.
    if (known === undefined || mount.access === 'write') kept.set(mount.path, mount);
  }
  const all = [...kept.values()];
  return all.filter(
    (mount) =>
      !all.some(
        (other) =>
          other.path !== mount.path &&
          isWithin(mount.path, other.path) &&
          (other.access === 'write' || mount.access === 'read'),
      ),
  );
}
