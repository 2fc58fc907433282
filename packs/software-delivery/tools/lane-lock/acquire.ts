// lane-lock:acquire locks a lane for the calling session. Calling it again extends the lock.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {expiryOf} from '../../claims/lease.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {lockAt} from '../../lane-locks/lane-states.ts';
import type {PackConfig} from '../../pack-config.ts';
import {checkLane} from '../../work-units/check-lane.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface LaneLockAcquireInput {
  readonly lane: string;
  readonly reason: string;
  /** Default 30. */
  readonly ttl_minutes?: number;
  readonly dry_run?: boolean;
}

interface LaneLockAcquireOutput {
  readonly lane: string;
  /** Input of `lane-lock:release`. */
  readonly token: number;
  readonly expires_at: string;
  readonly dry_run: boolean;
}

export const laneLockAcquire: ToolDefinition<LaneLockAcquireInput, LaneLockAcquireOutput, PackConfig> = defineTool({
  async run({lane, reason, ttl_minutes: ttl = 30, dry_run: dryRun = false}, context) {
    checkLane(await kernelTasks(context).lanes(), lane);
    const stamp = stampOf(context);
    const expires_at = expiryOf(stamp, ttl * 60_000);
    return await openDeliveryLog(context).decide(workUnitSlice, ({lanes}) => {
      const held = lockAt(lanes[lane], Date.parse(stamp.at));
      if (held !== undefined && held.session_id !== stamp.by) {
        const {session_id, reason: why} = held;
        const message = `lane \`${lane}\` is locked by session \`${session_id}\` until ${held.expires_at}: ${why}`;
        throw new ToolError('LANE_LOCKED', message, {lane, session_id, expires_at: held.expires_at});
      }
      const token = held?.token ?? (lanes[lane]?.last_token ?? 0) + 1;
      const event = {type: 'lane_lock_acquired' as const, ...stamp, lane, token, reason, expires_at};
      return {events: dryRun ? [] : [event], result: {lane, token, expires_at, dry_run: dryRun}};
    });
  },
});
