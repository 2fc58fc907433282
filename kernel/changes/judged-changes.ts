import type {ChangeSet} from '@lumenflow/schemas';
import type {JudgedChange} from '../policy/index.ts';

/** A change set as rules look at it. */
export function judgedChanges({entries}: ChangeSet): readonly JudgedChange[] {
  return entries.map(({path, op, from, after}) => ({
    path,
    op,
    ...(from !== undefined && {from}),
    ...(after?.bytes !== undefined && op !== 'chmod' && {bytes: after.bytes}),
  }));
}
