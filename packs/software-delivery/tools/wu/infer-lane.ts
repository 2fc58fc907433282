// wu:infer-lane infers the lane for given files.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {suggestLanes, type LaneSuggestion} from '../../lanes/suggest-lanes.ts';
import type {PackConfig} from '../../pack-config.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface WuInferLaneInput {
  readonly code_paths: readonly string[];
  readonly title?: string;
  readonly description?: string;
}

interface WuInferLaneOutput {
  /** The best match; null if there is none. */
  readonly lane: string | null;
  readonly suggestions: readonly LaneSuggestion[];
}

export const wuInferLane: ToolDefinition<WuInferLaneInput, WuInferLaneOutput, PackConfig> = defineTool({
  async run({code_paths, title = '', description = ''}, context) {
    const {units} = await openDeliveryLog(context).read(workUnitSlice);
    const lanes = await kernelTasks(context).lanes();
    const suggestions = suggestLanes(lanes, Object.values(units), {code_paths, text: `${title} ${description}`});
    return {lane: suggestions[0]?.lane ?? null, suggestions};
  },
});
