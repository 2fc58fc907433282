// What no grant can make visible in a sandbox: the kernel's own state, credential stores, and the workspace's deny overlays.
import {basename, join} from 'node:path';
import {ownCacheFolder} from '../cache/own-cache.ts';
import {isWithin} from './host-paths.ts';
import type {HiddenRules, ProfileInput} from './profile-input.ts';

export interface HiddenPaths extends HiddenRules {
  /** Whether a rule hides this very path: absolute. */
  matches(path: string): boolean;
  /** Whether a rule hides this path or a directory above it. */
  covers(path: string): boolean;
}

/** Hidden in the workspace at every depth: a folder inside may be a separate workspace. */
const reservedDirectory = '.lumenflow';
const reservedNames: ReadonlySet<string> = new Set([reservedDirectory, '.env']);
/** `.env.local`, `.env.production` and the like contain secrets as `.env` does; an example of such a file contains none. */
const environmentFile = /^\.env(\..+)?$/i;
const environmentExample = /\.(example|sample|template|dist|defaults)$/i;

/** Hidden in every mount: relative to the home directory. */
const credentialStores: readonly string[] = [
  '.ssh',
  '.aws',
  '.gnupg',
  '.azure',
  '.kube',
  '.docker',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.config/gcloud',
  '.config/gh',
  '.config/git/credentials',
  '.cargo/credentials.toml',
  '.password-store',
  // The key that signs journals of interrupted calls.
  '.local/state/lumenflow',
];

export type HiddenPathsInput = Pick<
  ProfileInput,
  'workspaceRoot' | 'home' | 'denyOverlays' | 'hiddenFolders' | 'compilePattern'
>;

export function hiddenPaths(input: HiddenPathsInput): HiddenPaths {
  const {workspaceRoot, home} = input;
  const literals = new Set([join(workspaceRoot, reservedDirectory), ...(input.hiddenFolders ?? [])]);
  for (const store of credentialStores) literals.add(join(home, store));
  // What is kept there decides how later calls are started, and what their receipts say.
  const cache = ownCacheFolder();
  if (isWithin(cache, workspaceRoot)) literals.add(cache);
  const patterns: string[] = [];
  for (const pattern of input.denyOverlays) {
    // A rule that hides everything in a directory hides the directory.
    const text = pattern === '**' ? '' : pattern.replace(/(\/\*\*)+$/, '');
    if (/[*?]/.test(text)) patterns.push(text);
    else literals.add(absolute(text, workspaceRoot, home));
  }
  const tests = patterns.map((pattern) => input.compilePattern(pattern));
  const matches = (path: string): boolean =>
    literals.has(path) || isReservedName(path, workspaceRoot) || anyTest(tests, path, workspaceRoot);
  return {
    literals: [...literals],
    patterns: [...[...reservedNames].map((name) => `**/${name}`), ...patterns],
    matches,
    covers: coversOf(matches),
  };
}

function absolute(text: string, workspaceRoot: string, home: string): string {
  if (text.startsWith('~/')) return join(home, text.slice(2));
  return text.startsWith('/') ? join(text) : join(workspaceRoot, text).replace(/\/$/, '');
}

function isReservedName(path: string, workspaceRoot: string): boolean {
  const name = basename(path);
  const isReserved = reservedNames.has(name) || (environmentFile.test(name) && !environmentExample.test(name));
  return isReserved && path.startsWith(`${workspaceRoot}/`);
}

function anyTest(tests: readonly ((path: string) => boolean)[], path: string, workspaceRoot: string): boolean {
  if (!path.startsWith(`${workspaceRoot}/`)) return false;
  const relative = path.slice(workspaceRoot.length + 1);
  return tests.some((test) => test(relative));
}

/** Results for directories are cached, so that several paths in one directory, and deep paths, cost no more than others. */
function coversOf(matches: (path: string) => boolean): (path: string) => boolean {
  const directories = new Map<string, boolean>([['', false]]);
  return (path) => {
    const unknown: string[] = [];
    let parent = path.slice(0, path.lastIndexOf('/'));
    for (; !directories.has(parent); parent = parent.slice(0, parent.lastIndexOf('/'))) unknown.push(parent);
    let isCovered = directories.get(parent) === true;
    for (const directory of unknown.toReversed()) {
      isCovered ||= matches(directory);
      directories.set(directory, isCovered);
    }
    return isCovered || matches(path);
  };
}
