// lane:validate checks that the lanes of workspace.yaml can run work units.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {readLanes, type LaneQuestion} from '../../lanes/read-lanes.ts';
import {validateLanes, type LaneProblem} from '../../lanes/validate-lanes.ts';
import type {PackConfig} from '../../pack-config.ts';

interface LaneValidateOutput {
  /** True if there are no errors; warnings are possible. */
  readonly valid: boolean;
  readonly problems: readonly LaneProblem[];
}

export const laneValidate: ToolDefinition<LaneQuestion, LaneValidateOutput, PackConfig> = defineTool({
  async run(question, context) {
    const {state, asked} = await readLanes(context, openDeliveryLog(context), question);
    const problems = validateLanes(asked(), Object.values(state.units), context.config);
    return {valid: problems.every(({severity}) => severity !== 'error'), problems};
  },
});
