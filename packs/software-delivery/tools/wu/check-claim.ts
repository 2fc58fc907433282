// wu:check-claim: the kernel calls it before every claim of a work unit's task. Only the lease decides: wu:claim checks everything
// when it takes the lease, before it claims the task. So nothing is checked twice, and no other way avoids the checks.
import {isHeldBy} from '../../claims/lease.ts';
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {checkStart} from '../../claims/check-start.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import type {PackConfig} from '../../pack-config.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';
import {wuNumber} from '../../work-units/wu-id.ts';

interface WuCheckClaimOutput {
  readonly id: string;
  /** The session's lease token; absent if the task is not a work unit. */
  readonly lease_token?: number;
}

export const wuCheckClaim: ToolDefinition<object, WuCheckClaimOutput, PackConfig> = defineTool({
  async run(_input, context) {
    const {task_id: id, session_id} = context;
    // A session's own task can have this type, too. Its gates govern it, and it has no lease.
    if (wuNumber(id) === 0) return {id};
    const state = await openDeliveryLog(context).read(workUnitSlice);
    const unit = findWorkUnit(state, id);
    if (unit.lease !== undefined && isHeldBy(unit.lease, session_id)) return {id, lease_token: unit.lease.token};
    // The kernel enforces the lane's limit itself.
    checkStart(state, unit, {...stampOf(context), wip_limit: undefined});
    const message = `session \`${session_id}\` has no lease on \`${id}\`: run \`wu:claim\`, which also creates branch and worktree`;
    throw new ToolError('NOT_CLAIMED', message, {id, session_id});
  },
});
