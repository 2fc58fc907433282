// lane:suggest suggests lanes for existing work units, by the directories that they change.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {proposedLane} from '../../lanes/proposed-lane.ts';
import {laneYaml} from '../../lanes/lane-yaml.ts';
import {suggestNewLanes, type NewLaneSuggestion} from '../../lanes/suggest-new-lanes.ts';
import type {PackConfig} from '../../pack-config.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface LaneSuggestInput {
  /** Maximum number of suggestions; default 5. */
  readonly limit?: number;
}

interface LaneSuggestOutput {
  readonly suggestions: readonly (NewLaneSuggestion & {readonly yaml: string})[];
}

export const laneSuggest: ToolDefinition<LaneSuggestInput, LaneSuggestOutput, PackConfig> = defineTool({
  async run({limit = 5}, context) {
    const {units} = await openDeliveryLog(context).read(workUnitSlice);
    const lanes = await kernelTasks(context).lanes();
    const suggestions = suggestNewLanes(lanes, Object.values(units)).slice(0, limit);
    return {
      suggestions: suggestions.map((suggestion) => ({
        ...suggestion,
        yaml: laneYaml([proposedLane(lanes, suggestion, context.config)]),
      })),
    };
  },
});
