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
  return [...hidden].map((path) => pathspecOf(path, 'top,exclude'));
}

/** Matches only this path. In a name that is not UTF-8, unknown bytes also match any other byte. */
export function pathspecOf(path: string, magic: string): string {
  if (!path.includes(unknown)) return `:(${magic},literal)${path}`;
  return `:(${magic},glob)${path.replaceAll(/[\\*?[\]]/gu, String.raw`\$&`).replaceAll(/\uFFFD+/gu, '*')}`;
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
