// lane-lock:freeze freezes a lane, so that no session can claim in it until the freeze is lifted.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import type {PackConfig} from '../../pack-config.ts';
import {checkLane} from '../../work-units/check-lane.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface LaneLockFreezeInput {
  readonly lane: string;
  readonly reason: string;
  /** Lift the freeze. */
  readonly lift?: boolean;
  readonly dry_run?: boolean;
}

interface LaneLockFreezeOutput {
  readonly lane: string;
  readonly frozen: boolean;
  readonly dry_run: boolean;
}

export const laneLockFreeze: ToolDefinition<LaneLockFreezeInput, LaneLockFreezeOutput, PackConfig> = defineTool({
  async run({lane, reason, lift = false, dry_run: dryRun = false}, context) {
    checkLane(await kernelTasks(context).lanes(), lane);
    const stamp = stampOf(context);
    return await openDeliveryLog(context).decide(workUnitSlice, ({lanes}) => {
      const isFrozen = lanes[lane]?.frozen !== undefined;
      if (lift && !isFrozen) throw new ToolError('NOT_LOCKED', `lane \`${lane}\` is not frozen`, {lane});
      const event = lift
        ? {type: 'lane_thawed' as const, ...stamp, lane}
        : {type: 'lane_frozen' as const, ...stamp, lane, reason};
      return {events: dryRun ? [] : [event], result: {lane, frozen: !lift, dry_run: dryRun}};
    });
  },
});
