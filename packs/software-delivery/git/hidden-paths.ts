// The paths of a repository that this call may not read: outside its scopes, in a deny overlay, or reserved. Git's objects still
// contain them, so git's output is checked against the grant, path by path.
import {isToolError, ToolError, type ScopedFileSystem} from '@lumenflow/pack-sdk';
import {literalPathspec} from './run-git.ts';

/** The part of a call's context for checking paths against the grant. */
export interface GrantContext {
  readonly fs: Pick<ScopedFileSystem, 'stat'>;
}

/** The replacement for bytes that are not UTF-8. */
const unknown = '\uFFFD';
const atOnce = 32;
/** Maximum number of pathspecs on one command line. */
const excludedMax = 2_000;

/** Returns the paths that the call may not read. */
export async function hiddenAmong({fs}: GrantContext, paths: Iterable<string>): Promise<ReadonlySet<string>> {
  const waiting = [...new Set(paths)];
  const hidden = new Set<string>();
  const ask = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (await isHidden(fs, path)) hidden.add(path);
    }
  };
  await Promise.all(Array.from({length: atOnce}, ask));
  return hidden;
}

/** Throws ToolError SCOPE_DENIED, like reading the file, and INVALID_PATH. */
export async function requireReadable({fs}: GrantContext, paths: readonly string[] = []): Promise<void> {
  for (const path of paths) {
    literalPathspec(path);
    if (await isHidden(fs, path)) await fs.stat(plain(path));
  }
}

/** Pathspecs that exclude the paths. Throws ToolError OUTPUT_TOO_LARGE if they are too many for a command line. */
export function excluding(hidden: ReadonlySet<string>): readonly string[] {
  if (hidden.size > excludedMax) {
    const message = `this includes ${hidden.size} paths that the call may not read: name the paths that you need`;
    throw new ToolError('OUTPUT_TOO_LARGE', message);
  }
  return [...hidden].map(exclusionOf);
}

/**
 * Git refuses to add anything if the literal prefix of a pathspec is in an ignored directory, also that of an exclusion. A tracked
 * file can be there, so its exclusion starts with a wildcard. Only untracked directories end with `/`, and they are not ignored.
 */
function exclusionOf(path: string): string {
  const [first = ''] = path;
  if (path.endsWith('/') || first === unknown) return pathspecOf(path, 'top,exclude');
  // A class matches one byte.
  const classes = `[${first.length === 1 && first < '\u0080' ? `\\${first}` : first}]`.repeat(Buffer.byteLength(first));
  return `:(top,exclude,glob)${classes}${globOf(path.slice(first.length))}`;
}

/** Matches only this path. In a name that is not UTF-8, unknown bytes also match any other byte. */
export function pathspecOf(path: string, magic: string): string {
  if (!path.includes(unknown)) return `:(${magic},literal)${path}`;
  return `:(${magic},glob)${globOf(path)}`;
}

function globOf(path: string): string {
  return path.replaceAll(/[\\*?[\]]/gu, String.raw`\$&`).replaceAll(/\uFFFD+/gu, '*');
}

/** Git treats `./a//b/` as `a/b`. */
function plain(path: string): string {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  return names.join('/') || '.';
}

async function isHidden(fs: GrantContext['fs'], path: string): Promise<boolean> {
  try {
    await fs.stat(plain(path));
    return false;
  } catch (error) {
    // A path that exists only in a commit, or has become something else, was not denied.
    return isToolError(error) && error.code === 'SCOPE_DENIED';
  }
}
