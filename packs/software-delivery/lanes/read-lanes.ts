// The input of lane queries: the lanes of workspace.yaml, and their current work units.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {readHeldUnits} from '../claims/signs-of-life.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import type {PackConfig} from '../pack-config.ts';
import {checkLane} from '../work-units/check-lane.ts';
import {kernelTasks, type LaneView} from '../work-units/kernel-tasks.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';

export interface LaneQuestion {
  /** Default: all. */
  readonly lane?: string;
}

export interface LanesAsked {
  readonly state: WorkUnits;
  readonly lanes: readonly LaneView[];
  /** The lanes of the query. Throws ToolError LANE_UNKNOWN. */
  asked(): readonly LaneView[];
}

export async function readLanes(
  context: Pick<ToolContext<PackConfig>, 'callTool' | 'config'>,
  log: DeliveryLog,
  {lane}: LaneQuestion,
): Promise<LanesAsked> {
  const [state, lanes] = await Promise.all([readHeldUnits(context, log), kernelTasks(context).lanes()]);
  return {state, lanes, asked: () => (lane === undefined ? lanes : [checkLane(lanes, lane)])};
}
