// The paths of a repository that this call may not read: outside of its scopes, in a deny overlay, or reserved. Git's objects
// have their contents all the same, so what git prints is held against the grant path by path.
import {isToolError, ToolError, type ScopedFileSystem} from '@lumenflow/pack-sdk';
import {literalPathspec} from './run-git.ts';

/** What holding paths against the grant needs of a call's context. */
export interface GrantContext {
  readonly fs: Pick<ScopedFileSystem, 'stat'>;
}

/** What decoding makes of bytes that are not UTF-8. */
const unknown = '\uFFFD';
const atOnce = 32;
/** Pathspecs that git takes in one command line. */
const excludedMax = 2_000;

/** Those of the paths that the call may not read. */
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

/** Throws ToolError SCOPE_DENIED, as reading the file does, and INVALID_PATH. */
export async function requireReadable({fs}: GrantContext, paths: readonly string[] = []): Promise<void> {
  for (const path of paths) {
    literalPathspec(path);
    if (await isHidden(fs, path)) await fs.stat(plain(path));
  }
}

/** Pathspecs that leave the paths out. Throws ToolError OUTPUT_TOO_LARGE when they are too many for a command line. */
export function excluding(hidden: ReadonlySet<string>): readonly string[] {
  if (hidden.size > excludedMax) {
    const message = `this includes ${hidden.size} paths that the call may not read: name the paths that you need`;
    throw new ToolError('OUTPUT_TOO_LARGE', message);
  }
  return [...hidden].map((path) => pathspecOf(path, 'top,exclude'));
}

/** For this path alone. Of a name that is not UTF-8 some bytes are unknown here: then also for paths that differ in these. */
export function pathspecOf(path: string, magic: string): string {
  if (!path.includes(unknown)) return `:(${magic},literal)${path}`;
  return `:(${magic},glob)${path.replaceAll(/[\\*?[\]]/gu, String.raw`\$&`).replaceAll(/\uFFFD+/gu, '*')}`;
}

/** Git takes `./a//b/` for `a/b`. */
function plain(path: string): string {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  return names.join('/') || '.';
}

async function isHidden(fs: GrantContext['fs'], path: string): Promise<boolean> {
  try {
    await fs.stat(plain(path));
    return false;
  } catch (error) {
    // What is there in a commit only, or is something else by now, was not refused.
    return isToolError(error) && error.code === 'SCOPE_DENIED';
  }
}
