// lane-lock:break breaks the lock of a lane whose holder is gone.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface LaneLockBreakInput {
  readonly lane: string;
  readonly reason: string;
  readonly dry_run?: boolean;
}

interface LaneLockBreakOutput {
  readonly lane: string;
  /** Previous holder. */
  readonly session_id: string;
  readonly dry_run: boolean;
}

export const laneLockBreak: ToolDefinition<LaneLockBreakInput, LaneLockBreakOutput> = defineTool({
  async run({lane, reason, dry_run: dryRun = false}, context) {
    const stamp = stampOf(context);
    return await openDeliveryLog(context).decide(workUnitSlice, ({lanes}) => {
      const lock = lanes[lane]?.lock;
      if (lock === undefined) throw new ToolError('NOT_LOCKED', `lane \`${lane}\` is not locked`, {lane});
      const event = {type: 'lane_lock_released' as const, ...stamp, lane, broken: reason};
      return {events: dryRun ? [] : [event], result: {lane, session_id: lock.session_id, dry_run: dryRun}};
    });
  },
});
