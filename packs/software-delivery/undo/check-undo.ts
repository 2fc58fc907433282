// Checks whether the merge of a work unit can be undone now.
import {ToolError} from '@lumenflow/pack-sdk';
import type {DoneContext} from '../done/check-work.ts';
import {isOnMain} from '../done/is-on-main.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {findOverlaps} from '../overlaps/find-overlaps.ts';
import {findWorkUnit} from '../work-units/find-work-unit.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {workUnitSlice, type WorkUnits} from '../work-units/work-unit-slice.ts';
import {mergedRange, type MergedRange} from './merged-range.ts';

export interface Undoable {
  readonly unit: WorkUnit;
  readonly range: MergedRange;
}

/** Throws ToolErrors WU_NOT_FOUND, WU_NOT_DONE, ALREADY_REVERTED, REVIEW_REQUIRED, NOT_MERGED and CODE_PATHS_OVERLAP. */
export async function checkUndo(context: DoneContext, log: DeliveryLog, id: string): Promise<Undoable> {
  const state = await log.read(workUnitSlice);
  const unit = findWorkUnit(state, id);
  if (unit.status !== 'done') {
    throw new ToolError('WU_NOT_DONE', `\`${id}\` is ${unit.status}, so there is no merge to undo`, {id});
  }
  if (unit.reverted !== undefined) {
    const {commit, successor} = unit.reverted;
    const message = `\`${id}\` was reverted by ${commit}: continue with \`${successor}\``;
    throw new ToolError('ALREADY_REVERTED', message, {id, commit, successor});
  }
  if (context.config?.done === 'pull_request') {
    const message = 'the main branch changes by reviews only: create a work unit that reverts the work';
    throw new ToolError('REVIEW_REQUIRED', message, {id});
  }
  const range = await log.read(mergedRange(id));
  if (range === null || !(await isOnMain(context, range.commit))) {
    throw new ToolError('NOT_MERGED', `the main branch does not contain a merge of \`${id}\``, {id});
  }
  checkOverlaps(state, unit);
  return {unit, range};
}

/** Somebody at work on the same files would lose the ground that the work stands on. */
function checkOverlaps({units}: WorkUnits, {spec}: WorkUnit): void {
  const active = Object.values(units).filter(({status}) => status === 'in_progress' || status === 'blocked');
  const found = findOverlaps(
    spec,
    active.map((unit) => unit.spec),
  );
  if (found.length === 0) return;
  const ids = [...new Set(found.map(({id}) => `\`${id}\``))].join(', ');
  const message = `work in progress may change the same files (${ids}): finish or release it first`;
  throw new ToolError('CODE_PATHS_OVERLAP', message, {id: spec.id, overlaps: found});
}
