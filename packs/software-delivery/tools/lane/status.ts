// lane:status lists the lanes with their limits and their work.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {laneBoard, type LaneRow} from '../../lanes/lane-board.ts';
import {readLanes, type LaneQuestion} from '../../lanes/read-lanes.ts';
import type {PackConfig} from '../../pack-config.ts';

interface LaneStatusOutput {
  readonly lanes: readonly LaneRow[];
}

export const laneStatus: ToolDefinition<LaneQuestion, LaneStatusOutput, PackConfig> = defineTool({
  async run(question, context) {
    const {state, asked} = await readLanes(context, openDeliveryLog(context), question);
    return {lanes: laneBoard(asked(), state, Date.now())};
  },
});
