// lane:status: the lanes with their limits and the work in them.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {readHeldUnits} from '../../claims/signs-of-life.ts';
import {openDeliveryLog} from '../../delivery-log.ts';
import {laneBoard, type LaneRow} from '../../lanes/lane-board.ts';
import type {PackConfig} from '../../pack-config.ts';
import {checkLane} from '../../work-units/check-lane.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';

interface LaneStatusInput {
  /** Default all. */
  readonly lane?: string;
}

interface LaneStatusOutput {
  readonly lanes: readonly LaneRow[];
}

export const laneStatus: ToolDefinition<LaneStatusInput, LaneStatusOutput, PackConfig> = defineTool({
  async run({lane}, context) {
    const log = openDeliveryLog(context);
    const [state, lanes] = await Promise.all([readHeldUnits(context, log), kernelTasks(context).lanes()]);
    const asked = lane === undefined ? lanes : [checkLane(lanes, lane)];
    return {lanes: laneBoard(asked, state, Date.now())};
  },
});
