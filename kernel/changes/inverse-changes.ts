// What takes a change set back: each path gets the state that it had before.
import type {ChangeEntry, ChangeSet, EntryState} from '@lumenflow/schemas';

/** Without renames and links: their paths are deleted, created and modified. */
export function inverseChanges({entries}: ChangeSet): readonly ChangeEntry[] {
  return entries.flatMap((entry) => {
    const {path, op, from, before, after} = entry;
    if (op !== 'rename' || from === undefined) return [inverse(path, op, {before: after, after: before})];
    return [inverse(path, 'delete', {before: after}), inverse(from, 'create', {after: before})];
  });
}

/** Files of which the content is needed and was not kept. */
export function pathsWithoutContent(entries: readonly ChangeEntry[]): readonly string[] {
  return entries.filter(needsContent).flatMap(({path, after}) => (isKept(after) ? [] : [path]));
}

interface Sides {
  readonly before?: EntryState | undefined;
  readonly after?: EntryState | undefined;
}

function inverse(path: string, op: ChangeEntry['op'], {before, after}: Sides): ChangeEntry {
  const sides = {...(before && {before}), ...(after && {after})};
  if (op === 'chmod') return {path, op, ...sides};
  if (after === undefined) return {path, op: 'delete', ...sides};
  return {path, op: before === undefined ? 'create' : 'modify', ...sides};
}

function needsContent({op, after}: ChangeEntry): boolean {
  return op !== 'chmod' && after?.kind === 'file';
}

function isKept(state: EntryState | undefined): boolean {
  return state?.bytes === 0 || state?.content_ref !== undefined;
}
