// lane:health: what goes wrong in lanes, and what to do about it.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../delivery-log.ts';
import {laneHealth, type LaneFinding} from '../../lanes/lane-health.ts';
import {readLanes, type LaneQuestion} from '../../lanes/read-lanes.ts';
import type {PackConfig} from '../../pack-config.ts';

interface LaneHealthOutput {
  /** There is no error; warnings there may be. */
  readonly healthy: boolean;
  readonly findings: readonly LaneFinding[];
}

export const laneHealthTool: ToolDefinition<LaneQuestion, LaneHealthOutput, PackConfig> = defineTool({
  async run(question, context) {
    const {state, lanes, asked} = await readLanes(context, openDeliveryLog(context), question);
    const {lane} = question;
    const findings = laneHealth(lanes, state, Date.now()).filter((each) => lane === undefined || each.lane === lane);
    // A lane that is gone from workspace.yaml is found; one that never was is a mistake.
    if (findings.length === 0) asked();
    return {healthy: findings.every(({severity}) => severity !== 'error'), findings};
  },
});
