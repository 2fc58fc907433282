// lane-lock:list lists locked lanes with the sessions that locked them.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {lockAt, type LaneLock} from '../../lane-locks/lane-states.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface LaneLockListInput {
  /** Include expired locks. */
  readonly include_expired?: boolean;
}

interface LaneLockListOutput {
  readonly locks: readonly (Omit<LaneLock, 'token'> & {readonly lane: string; readonly expired: boolean})[];
}

export const laneLockList: ToolDefinition<LaneLockListInput, LaneLockListOutput> = defineTool({
  async run({include_expired: withExpired = false}, context) {
    const {lanes} = await openDeliveryLog(context).read(workUnitSlice);
    const now = Date.now();
    const locks = Object.entries(lanes).flatMap(([lane, hold]) => {
      if (hold.lock === undefined) return [];
      const {token: _, ...lock} = hold.lock;
      return [{lane, ...lock, expired: lockAt(hold, now) === undefined}];
    });
    return {locks: locks.filter(({expired}) => withExpired || !expired)};
  },
});
