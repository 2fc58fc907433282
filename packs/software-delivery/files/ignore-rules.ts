// The .gitignore files that apply to a path, from the workspace root to its directory. The innermost file with a matching rule
// decides.
import {isToolError, type ScopedFileSystem} from '@lumenflow/pack-sdk';
import ignore from 'ignore';

interface DirectoryRules {
  /** Empty for the root, otherwise with a trailing `/`. */
  readonly prefix: string;
  readonly rules: ignore.Ignore;
}

/** Innermost first. */
export type IgnoreRules = readonly DirectoryRules[];

/** The rules inside `directory`, given those inside its parent. '' is the root. */
export async function enterDirectory(
  fs: ScopedFileSystem,
  directory: string,
  outer: IgnoreRules,
): Promise<IgnoreRules> {
  const prefix = directory === '' ? '' : `${directory}/`;
  const text = await readIfVisible(fs, `${prefix}.gitignore`);
  return text === undefined ? outer : [{prefix, rules: ignore().add(text)}, ...outer];
}

export function isIgnored(rules: IgnoreRules, path: string, kind: string): boolean {
  for (const {prefix, rules: own} of rules) {
    const relative = path.slice(prefix.length) + (kind === 'directory' ? '/' : '');
    const {ignored, unignored} = own.test(relative);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** A .gitignore outside the grant counts as missing. */
async function readIfVisible(fs: ScopedFileSystem, path: string): Promise<string | undefined> {
  try {
    return (await fs.stat(path))?.kind === 'file' ? await fs.readText(path) : undefined;
  } catch (error) {
    if (isToolError(error) && (error.code === 'SCOPE_DENIED' || error.code === 'NOT_FOUND')) return undefined;
    throw error;
  }
}
