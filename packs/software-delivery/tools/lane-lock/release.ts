// lane-lock:release releases the session's lock on a lane.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface LaneLockReleaseInput {
  readonly lane: string;
  readonly token: number;
  readonly dry_run?: boolean;
}

interface LaneLockReleaseOutput {
  readonly lane: string;
  readonly dry_run: boolean;
}

export const laneLockRelease: ToolDefinition<LaneLockReleaseInput, LaneLockReleaseOutput> = defineTool({
  async run({lane, token, dry_run: dryRun = false}, context) {
    const stamp = stampOf(context);
    return await openDeliveryLog(context).decide(workUnitSlice, ({lanes}) => {
      const lock = lanes[lane]?.lock;
      if (lock === undefined) throw new ToolError('NOT_LOCKED', `lane \`${lane}\` is not locked`, {lane});
      // The token is a counter that anyone can guess, so the session must match, too.
      if (lock.token !== token || lock.session_id !== stamp.by) {
        const message = `lane \`${lane}\` is locked by session \`${lock.session_id}\`, and not by this session with the token ${token}`;
        throw new ToolError('LEASE_STALE', message, {lane, token});
      }
      const event = {type: 'lane_lock_released' as const, ...stamp, lane};
      return {events: dryRun ? [] : [event], result: {lane, dry_run: dryRun}};
    });
  },
});
