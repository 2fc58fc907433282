// Parses `git diff --raw --numstat -z`: the status of each file, then its line counts.
import {fileStatuses, type FileStatus} from './file-status.ts';

export interface ChangedFile {
  readonly path: string;
  /** For a rename or copy. */
  readonly orig_path?: string;
  readonly status: FileStatus;
  /** Lines; null for a binary file. */
  readonly additions: number | null;
  readonly deletions: number | null;
}

type FoundFile = {-readonly [K in keyof ChangedFile]: ChangedFile[K]};

export function parseDiff(text: string): ChangedFile[] {
  const tokens = text.split('\0').slice(0, -1).values();
  const next = (): string => tokens.next().value ?? '';
  const files = new Map<string, FoundFile>();
  for (const token of tokens) {
    if (token.startsWith(':')) {
      const file = readRaw(token, next);
      // Git reports a conflicting file a second time, compared with one of its sides.
      if (files.get(file.path)?.status !== 'conflicted') files.set(file.path, file);
      continue;
    }
    const [, additions = '-', deletions = '-', ownPath = ''] = /^([^\t]*)\t([^\t]*)\t(.*)$/s.exec(token) ?? [];
    const path = ownPath === '' ? [next(), next()][1] : ownPath;
    const file = files.get(path ?? '');
    if (file === undefined || additions === '-') continue;
    file.additions = Number(additions);
    file.deletions = Number(deletions);
  }
  return [...files.values()];
}

/** All paths that the changed files refer to. */
export function pathsOf(files: readonly ChangedFile[]): readonly string[] {
  return files.flatMap(({path, orig_path: from}) => (from === undefined ? [path] : [path, from]));
}

/** `:<mode> <mode> <sha> <sha> <letter><score>`, then one path, or two for a rename or copy. */
function readRaw(token: string, next: () => string): FoundFile {
  const letter = token.slice(token.lastIndexOf(' ') + 1, token.lastIndexOf(' ') + 2);
  const first = next();
  const moved = letter === 'R' || letter === 'C';
  return {
    path: moved ? next() : first,
    ...(moved && {orig_path: first}),
    status: fileStatuses[letter] ?? 'modified',
    additions: null,
    deletions: null,
  };
}
