// lane:validate: whether the lanes of workspace.yaml let work units be done in them.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../delivery-log.ts';
import {validateLanes, type LaneProblem} from '../../lanes/validate-lanes.ts';
import type {PackConfig} from '../../pack-config.ts';
import {checkLane} from '../../work-units/check-lane.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';
import {workUnits} from '../../work-units/work-units.ts';

interface LaneValidateInput {
  /** Default all. */
  readonly lane?: string;
}

interface LaneValidateOutput {
  /** There is no error; warnings there may be. */
  readonly valid: boolean;
  readonly problems: readonly LaneProblem[];
}

export const laneValidate: ToolDefinition<LaneValidateInput, LaneValidateOutput, PackConfig> = defineTool({
  async run({lane}, context) {
    const {units} = await openDeliveryLog(context).read(workUnits);
    const lanes = await kernelTasks(context).lanes();
    const asked = lane === undefined ? lanes : [checkLane(lanes, lane)];
    const problems = validateLanes(asked, Object.values(units), context.config);
    return {valid: problems.every(({severity}) => severity !== 'error'), problems};
  },
});
