// wu:edit edits a ready work unit's spec and preserves comments. Without changes, it records the file. Assignee and due date can
// change until the work unit is done.
import {defineTool, ToolError, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {actorStampOf} from '../../events/delivery-event.ts';
import type {DeliveryLog} from '../../events/delivery-log.ts';
import {unlessDry} from '../../events/unless-dry.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {inSync, type Unsynced} from '../../sync/in-sync.ts';
import {assignmentEvents, type Assignment} from '../../work-units/assign-work-unit.ts';
import {editWorkUnit, type EditedWorkUnit} from '../../work-units/edit-work-unit.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {specPath} from '../../work-units/spec-place.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';
import type {SpecChanges} from '../../work-units/write-spec.ts';

interface WuEditInput extends Assignment {
  readonly id: string;
  /** null removes a field. */
  readonly changes?: SpecChanges;
  readonly dry_run?: boolean;
}

export const wuEdit: ToolDefinition<WuEditInput, EditedWorkUnit & Unsynced, PackConfig> = defineTool({
  async run(input, context) {
    return await inSync(context, input.dry_run === true, async () => await edit(input, context));
  },
});

async function edit(
  {id, changes, dry_run: dryRun = false, ...assignment}: WuEditInput,
  context: ToolContext<PackConfig>,
): Promise<EditedWorkUnit> {
  const log = openDeliveryLog(context);
  const isAssigned = Object.keys(assignment).length > 0;
  const edited =
    changes === undefined && isAssigned
      ? undefined
      : await editWorkUnit(context, log, {id, changes: changes ?? {}, dryRun});
  if (!isAssigned && edited !== undefined) return edited;
  const spec_hash = await assign(context, log, {id, assignment, dryRun});
  return edited ?? {id, path: specPath(context.config, id), spec_hash, changed: true, dry_run: dryRun};
}

interface Assigning {
  readonly id: string;
  readonly assignment: Assignment;
  readonly dryRun: boolean;
}

/** Returns the hash of the recorded spec. Throws ToolErrors WU_NOT_FOUND, WU_DONE and those of `assignmentEvents`. */
async function assign(
  context: ToolContext<PackConfig>,
  log: DeliveryLog,
  {id, assignment, dryRun}: Assigning,
): Promise<string> {
  return await log.decide(workUnitSlice, (state) => {
    const {status, spec_hash} = findWorkUnit(state, id);
    if (status === 'done') throw new ToolError('WU_DONE', `\`${id}\` is done`, {id});
    const events = assignmentEvents(context, {id, stamp: actorStampOf(context)}, assignment);
    return unlessDry(dryRun, {events, result: spec_hash});
  });
}
