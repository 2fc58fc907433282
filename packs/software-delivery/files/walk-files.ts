// Walks the granted part of the workspace in order of name, like ripgrep: without hidden and gitignored entries, unless
// requested. Symbolic links are listed but not followed. `.git` is never entered.
import {isToolError, type DirectoryEntry, type ScopedFileSystem} from '@lumenflow/pack-sdk';
import {enterDirectory, isIgnored, type IgnoreRules} from './ignore-rules.ts';

export interface WalkOptions {
  /** Relative to the workspace root; `.` is the root. */
  readonly start: string;
  /** 1 lists the directory itself. */
  readonly depth_max: number;
  readonly include_hidden?: boolean;
  readonly include_ignored?: boolean;
}

export interface WalkedEntry {
  /** Relative to the workspace root. */
  readonly path: string;
  readonly kind: DirectoryEntry['kind'];
}

export async function* walkFiles(fs: ScopedFileSystem, options: WalkOptions): AsyncGenerator<WalkedEntry> {
  const start = options.start.split('/').filter((segment) => segment !== '' && segment !== '.');
  let rules: IgnoreRules = [];
  for (let depth = 0; depth < start.length && options.include_ignored !== true; depth += 1) {
    rules = await enterDirectory(fs, start.slice(0, depth).join('/'), rules);
  }
  const directory = start.join('/');
  const entries = await fs.list(directory === '' ? '.' : directory);
  yield* walkDirectory(fs, {directory, entries, rules, depth: 1}, options);
}

interface Visit {
  readonly directory: string;
  readonly entries: readonly DirectoryEntry[];
  readonly rules: IgnoreRules;
  readonly depth: number;
}

async function* walkDirectory(fs: ScopedFileSystem, visit: Visit, options: WalkOptions): AsyncGenerator<WalkedEntry> {
  const {directory, entries, depth} = visit;
  const rules = options.include_ignored === true ? [] : await enterDirectory(fs, directory, visit.rules);
  for (const {name, kind} of entries) {
    const path = directory === '' ? name : `${directory}/${name}`;
    if (name === '.git' || (options.include_hidden !== true && name.startsWith('.'))) continue;
    if (isIgnored(rules, path, kind)) continue;
    yield {path, kind};
    if (kind !== 'directory' || depth >= options.depth_max) continue;
    const children = await listIfThere(fs, path);
    yield* walkDirectory(fs, {directory: path, entries: children, rules, depth: depth + 1}, options);
  }
}

/** A directory can disappear during the walk. */
async function listIfThere(fs: ScopedFileSystem, path: string): Promise<readonly DirectoryEntry[]> {
  try {
    return await fs.list(path);
  } catch (error) {
    if (isToolError(error) && error.code === 'NOT_FOUND') return [];
    throw error;
  }
}
