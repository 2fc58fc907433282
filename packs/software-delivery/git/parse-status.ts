// Parses `git status --porcelain=v2 --branch -z`.
import {fileStatuses, type FileStatus} from './file-status.ts';

export interface StatusEntry {
  readonly path: string;
  /** For a rename or copy. */
  readonly orig_path?: string;
  readonly kind: 'changed' | 'conflicted' | 'untracked' | 'ignored';
  /** HEAD to index. */
  readonly staged?: FileStatus;
  /** Index to working tree. */
  readonly unstaged?: FileStatus;
  readonly conflict?: Conflict;
  readonly submodule?: true;
}

export type Conflict =
  | 'both_deleted'
  | 'added_by_us'
  | 'deleted_by_them'
  | 'added_by_them'
  | 'deleted_by_us'
  | 'both_added'
  | 'both_modified';

export interface RepositoryStatus {
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  /** Null before the first commit. */
  readonly head: string | null;
  readonly upstream?: {readonly name: string; readonly ahead?: number; readonly behind?: number};
  readonly entries: readonly StatusEntry[];
}

const conflicts: Readonly<Record<string, Conflict>> = {
  DD: 'both_deleted',
  AU: 'added_by_us',
  UD: 'deleted_by_them',
  UA: 'added_by_them',
  DU: 'deleted_by_us',
  AA: 'both_added',
  UU: 'both_modified',
};

/** For truncated text, returns only the complete entries. */
export function parseStatus(text: string): RepositoryStatus {
  const records = text.split('\0').slice(0, -1);
  const headers = new Map<string, string>();
  const entries: StatusEntry[] = [];
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] ?? '';
    const fields = record.split(' ');
    if (fields[0] === '#') headers.set(fields[1] ?? '', fields.slice(2).join(' '));
    else if (fields[0] === '2') {
      at += 1;
      const origPath = records[at];
      if (origPath !== undefined) entries.push({...changedEntry(fields, 9), orig_path: origPath});
    } else entries.push(readEntry(record, fields));
  }
  const head = headers.get('branch.oid');
  const branch = headers.get('branch.head');
  return {
    branch: branch === undefined || branch === '(detached)' ? null : branch,
    head: head === undefined || head === '(initial)' ? null : head,
    ...readUpstream(headers),
    entries,
  };
}

function readEntry(record: string, fields: readonly string[]): StatusEntry {
  if (fields[0] === '1') return changedEntry(fields, 8);
  if (fields[0] === 'u') {
    const conflict = conflicts[fields[1] ?? ''];
    return {path: fields.slice(10).join(' '), kind: 'conflicted', ...(conflict !== undefined && {conflict})};
  }
  return {path: record.slice(2), kind: fields[0] === '!' ? 'ignored' : 'untracked'};
}

/** The path is the rest of the record, including spaces. */
function changedEntry(fields: readonly string[], pathAt: number): StatusEntry {
  const [staged, unstaged] = (fields[1] ?? '').split('').map((letter) => fileStatuses[letter]);
  return {
    path: fields.slice(pathAt).join(' '),
    kind: 'changed',
    ...(staged !== undefined && {staged}),
    ...(unstaged !== undefined && {unstaged}),
    ...(fields[2]?.startsWith('S') === true && {submodule: true as const}),
  };
}

function readUpstream(headers: ReadonlyMap<string, string>): Pick<RepositoryStatus, 'upstream'> {
  const name = headers.get('branch.upstream');
  if (name === undefined) return {};
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(headers.get('branch.ab') ?? '') ?? [];
  return {upstream: {name, ...(ahead !== undefined && {ahead: Number(ahead), behind: Number(behind)})}};
}
