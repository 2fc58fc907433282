// Whether a call's writes are held back until it has succeeded. Either of lane and tool may ask for it, and
// neither can lift it for the other: like a policy's deny, it sticks.
import type {Writes} from '@lumenflow/schemas';
import type {NarrowedCall} from './call.ts';

/** A call that may write nothing has nothing to hold back. */
export function writesOf({tool, lane, scope_enforced}: NarrowedCall): Writes {
  const isAsked = [tool.declaration.writes, lane.spec.writes].includes('transactional');
  return isAsked && scope_enforced.write.length > 0 ? 'transactional' : 'direct';
}
