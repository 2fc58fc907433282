// lane:edit returns a lane's changed entry, for a person to put into workspace.yaml.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {changedLane, type LaneWords} from '../../lanes/lane-change.ts';
import {proposeLanes, type LaneProposal} from '../../lanes/propose-lanes.ts';
import type {PackConfig} from '../../pack-config.ts';
import {checkLane} from '../../work-units/check-lane.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';

type LaneEditInput = LaneWords & {readonly dry_run?: boolean};

export const laneEdit: ToolDefinition<LaneEditInput, LaneProposal, PackConfig> = defineTool({
  async run({dry_run: dryRun = false, ...words}, context) {
    const lane = checkLane(await kernelTasks(context).lanes(), words.id);
    const entry = changedLane(lane, words, context.config);
    return await proposeLanes(openDeliveryLog(context), [entry], {how: 'replace', stamp: stampOf(context), dryRun});
  },
});
