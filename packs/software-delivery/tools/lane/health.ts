// lane:health: what goes wrong in lanes, and what to do about it.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {readHeldUnits} from '../../claims/signs-of-life.ts';
import {openDeliveryLog} from '../../delivery-log.ts';
import {laneHealth, type LaneFinding} from '../../lanes/lane-health.ts';
import type {PackConfig} from '../../pack-config.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';

interface LaneHealthInput {
  /** Default all. */
  readonly lane?: string;
}

interface LaneHealthOutput {
  /** There is no error; warnings there may be. */
  readonly healthy: boolean;
  readonly findings: readonly LaneFinding[];
}

export const laneHealthTool: ToolDefinition<LaneHealthInput, LaneHealthOutput, PackConfig> = defineTool({
  async run({lane}, context) {
    const log = openDeliveryLog(context);
    const [state, lanes] = await Promise.all([readHeldUnits(context, log), kernelTasks(context).lanes()]);
    const findings = laneHealth(lanes, state, Date.now()).filter((each) => lane === undefined || each.lane === lane);
    return {healthy: findings.every(({severity}) => severity !== 'error'), findings};
  },
});
