// lane:health finds problems in lanes, each with its fix.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {judgeLaneHealth, type LaneFinding} from '../../lanes/lane-health.ts';
import {readLanes, type LaneQuestion} from '../../lanes/read-lanes.ts';
import type {PackConfig} from '../../pack-config.ts';

interface LaneHealthOutput {
  /** True if there are no errors; warnings are possible. */
  readonly healthy: boolean;
  readonly findings: readonly LaneFinding[];
}

export const laneHealth: ToolDefinition<LaneQuestion, LaneHealthOutput, PackConfig> = defineTool({
  async run(question, context) {
    const {state, lanes, asked} = await readLanes(context, openDeliveryLog(context), question);
    const {lane} = question;
    const findings = judgeLaneHealth(lanes, state, Date.now()).filter(
      (each) => lane === undefined || each.lane === lane,
    );
    // Accepts a lane that was deleted from workspace.yaml. A lane that never existed is an error.
    if (findings.length === 0) asked();
    return {healthy: findings.every(({severity}) => severity !== 'error'), findings};
  },
});
