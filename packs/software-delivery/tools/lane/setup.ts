// lane:setup returns entries for several lanes, without those that already exist.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {newLane, type LaneWords} from '../../lanes/lane-change.ts';
import {proposeLanes, type LaneProposal} from '../../lanes/propose-lanes.ts';
import type {PackConfig} from '../../pack-config.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';

interface LaneSetupInput {
  readonly lanes: readonly LaneWords[];
  readonly dry_run?: boolean;
}

export const laneSetup: ToolDefinition<LaneSetupInput, LaneProposal, PackConfig> = defineTool({
  async run({lanes: words, dry_run: dryRun = false}, context) {
    const there = await kernelTasks(context).lanes();
    const missing = words.filter(({id}) => !there.some((lane) => lane.id === id));
    const twice = missing.find(({id}, index) => missing.findIndex((each) => each.id === id) !== index);
    if (twice !== undefined)
      throw new ToolError('LANE_EXISTS', `lane \`${twice.id}\` is listed twice`, {lane: twice.id});
    const entries = missing.map((each) => newLane(there, each, context.config));
    return await proposeLanes(openDeliveryLog(context), entries, {how: 'append', stamp: stampOf(context), dryRun});
  },
});
