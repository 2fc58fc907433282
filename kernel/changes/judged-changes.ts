import type {ChangeSet, JudgedChange} from '@lumenflow/schemas';

/** A change set as rules look at it. */
export function judgedChanges({entries}: ChangeSet): readonly JudgedChange[] {
  return entries.map(({path, op, from, after}) => ({
    path,
    op,
    ...(from !== undefined && {from}),
    ...(after?.bytes !== undefined && op !== 'chmod' && {bytes: after.bytes}),
  }));
}
