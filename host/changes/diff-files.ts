// A change set as differences that a person can read, file by file, from the contents that were kept with the evidence.
import {structuredPatch} from 'diff';
import type {KernelRuntime} from '@lumenflow/kernel';
import type {ChangeEntry, ChangeSet, EntryState, HttpFileDiff} from '@lumenflow/schemas';
import {counted} from '../text/counted.ts';

/** Lines that differ at most; beyond that a file is only named. */
const editsMax = 5000;
/** Files with lines at most. */
const filesMax = 200;

export type FileDiff = HttpFileDiff;

export async function diffFiles({evidence}: KernelRuntime, set: ChangeSet): Promise<readonly FileDiff[]> {
  const diffs: FileDiff[] = [];
  for (const [index, entry] of set.entries.entries()) {
    diffs.push(index < filesMax ? await diffFile(evidence, entry) : named(entry, 'not shown: too many files'));
  }
  return diffs;
}

async function diffFile(evidence: KernelRuntime['evidence'], entry: ChangeEntry): Promise<FileDiff> {
  const {path, before, after} = entry;
  if (entry.op === 'chmod') return named(entry, `mode ${octal(before)} to ${octal(after)}`);
  if (entry.op === 'rename') return named(entry);
  if ([before, after].every((state) => state?.kind !== 'file')) return named(entry, describe(before, after));
  const was = await textOf(evidence, before);
  const is = await textOf(evidence, after);
  if (was === undefined || is === undefined) return named(entry, `no text kept: ${describe(before, after)}`);
  const patch = structuredPatch(path, path, was, is, '', '', {context: 3, maxEditLength: editsMax});
  if (patch === undefined) return named(entry, `too many lines differ: ${describe(before, after)}`);
  const hunks = patch.hunks.map(({oldStart, newStart, lines}) => ({
    before_start: oldStart,
    after_start: newStart,
    lines: [...lines],
  }));
  return {...named(entry, modesOf(before, after)), hunks};
}

/** What a person should know of the permissions: a change of them, or a new file that can be executed. */
function modesOf(before: EntryState | undefined, after: EntryState | undefined): string | undefined {
  if (before && after && before.mode !== after.mode) return `mode ${octal(before)} to ${octal(after)}`;
  const isNewProgram = before === undefined && after !== undefined && (after.mode & 0o111) !== 0;
  return isNewProgram ? `executable, mode ${octal(after)}` : undefined;
}

/** Nothing is an empty text; undefined when it was not kept or is gone. */
async function textOf(evidence: KernelRuntime['evidence'], state: EntryState | undefined): Promise<string | undefined> {
  if (state?.kind !== 'file' || state.bytes === 0) return '';
  return state.content_ref === undefined ? undefined : await evidence.readBlob(state.content_ref);
}

function named({path, op, from}: ChangeEntry, note?: string): FileDiff {
  return {path, op, ...(from !== undefined && {from}), ...(note !== undefined && {note})};
}

function describe(before: EntryState | undefined, after: EntryState | undefined): string {
  if (before === undefined) return stateText(after);
  return after === undefined ? stateText(before) : `${stateText(before)} to ${stateText(after)}`;
}

function stateText(state: EntryState | undefined): string {
  if (state === undefined) return 'nothing';
  const {kind, bytes = 0, target = ''} = state;
  if (kind === 'symlink') return `symlink to ${target}`;
  return kind === 'file' ? `file of ${counted(bytes, 'byte')}` : kind;
}

function octal(state: EntryState | undefined): string {
  return (state?.mode ?? 0).toString(8).padStart(3, '0');
}
