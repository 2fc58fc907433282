// How one call writes: as tool, lane and workspace say, and transactionally in any case where its changes are looked at
// before they are applied: by a rule of on_changes, or because the call is a dry run.
import type {Writes} from '@lumenflow/schemas';
import type {Kernel} from '../kernel.ts';
import type {NarrowedCall} from './call.ts';
import {mayJudgeChanges} from './decide-changes.ts';
import {writesOf} from './write-mode.ts';

export function callWrites(kernel: Kernel, call: NarrowedCall): Writes {
  const writes = writesOf(kernel.workspace, call);
  if (writes === 'transactional' || call.scope_enforced.write.length === 0) return writes;
  return call.request.context.dry_run === true || mayJudgeChanges(kernel, call) ? 'transactional' : writes;
}
