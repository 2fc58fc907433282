// Checks that the changes of a call are within its grant: every path by the exact patterns, every new entry by its type. One
// wrong change rejects all of them.
import {dirname} from 'node:path';
import type {Change} from './change.ts';
import {whyStray} from './why-stray.ts';

/** Answers whether the grant allows writing to a path; hidden and trusted paths count as not granted. */
export interface WriteAccess {
  allows(path: string): boolean;
  /** Why not, for people, and by which layer. */
  whyNot(path: string): {readonly message: string; readonly details: Readonly<Record<string, unknown>>};
}

export interface Objection {
  readonly code: 'SCOPE_DENIED';
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface JudgeInput {
  readonly changes: readonly Change[];
  readonly access: WriteAccess;
  readonly root: string;
  readonly view: string;
}

/** setuid and setgid. */
const privilegeBits = 0o6000;
const setuid = 0o4000;
/** Read-only system paths that every sandbox has at the same path: a virtual environment links its interpreter. */
const systemPaths: readonly string[] = ['/usr', '/bin', '/sbin', '/lib', '/lib64'];

export async function judgeChanges(input: JudgeInput): Promise<Objection | undefined> {
  const {changes} = input;
  const access = asked(input.access);
  const leading = leadingDirectories(changes, access);
  for (const change of changes) {
    const objection = deniedPath(change, access, leading) ?? deniedNature(change) ?? (await strayLink(change, input));
    if (objection !== undefined) return objection;
  }
  return undefined;
}

/** Each path is judged once: patterns cost more than a stored result. */
function asked(access: WriteAccess): WriteAccess {
  const answers = new Map<string, boolean>();
  return {
    whyNot: (path) => access.whyNot(path),
    allows(path) {
      const known = answers.get(path) ?? access.allows(path);
      answers.set(path, known);
      return known;
    },
  };
}

/** Whether a change contains a file's content. */
export function isWritten({kind, after}: Change): boolean {
  return after?.kind === 'file' && (kind === 'created' || kind === 'modified');
}

/** Directories that are created only for granted paths below them. */
function leadingDirectories(changes: readonly Change[], access: WriteAccess): ReadonlySet<string> {
  const leading = new Set<string>();
  for (const {path, after} of changes) {
    if (after === undefined || after.kind === 'directory' || !access.allows(path)) continue;
    for (let parent = dirname(path); parent !== '.' && !leading.has(parent); parent = dirname(parent))
      leading.add(parent);
  }
  return leading;
}

function deniedPath(
  {path, kind, after}: Change,
  access: WriteAccess,
  leading: ReadonlySet<string>,
): Objection | undefined {
  if (access.allows(path)) return undefined;
  if (kind === 'created' && after?.kind === 'directory' && leading.has(path)) return undefined;
  const {message, details} = access.whyNot(path);
  return {code: 'SCOPE_DENIED', message, details: {path, access: 'write', change: kind, ...details}};
}

const onlyThese =
  'a transactional call can create and move only files, directories and symlinks; remove it before the call ends, or declare `writes: direct` for the tool';
const noPrivileges =
  'has become setuid or setgid: a call cannot create or move such a file; clear the bit (`chmod u-s,g-s`) before the call ends';

function deniedNature({path, before, after}: Change): Objection | undefined {
  if (after === undefined) return undefined;
  if (after.special !== undefined) return denied(path, `is ${after.special}: ${onlyThese}`);
  const gained = after.mode & ~(before?.mode ?? 0) & (after.kind === 'file' ? privilegeBits : setuid);
  return after.kind !== 'symlink' && gained !== 0 ? denied(path, noPrivileges) : undefined;
}

async function strayLink({path, after, before}: Change, {root, view}: JudgeInput): Promise<Objection | undefined> {
  if (after?.link === undefined || after.link === before?.link) return undefined;
  const why = await whyStray(path, after.link, {root, view, systemPaths});
  return why === undefined ? undefined : denied(path, why);
}

function denied(path: string, why: string): Objection {
  return {code: 'SCOPE_DENIED', message: `\`${path}\` ${why}`, details: {path, access: 'write'}};
}
