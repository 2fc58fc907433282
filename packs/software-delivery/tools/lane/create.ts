// lane:create returns the entry of a new lane, for a person to put into workspace.yaml.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {newLane, type LaneWords} from '../../lanes/lane-change.ts';
import {proposeLanes, type LaneProposal} from '../../lanes/propose-lanes.ts';
import type {PackConfig} from '../../pack-config.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';

type LaneCreateInput = LaneWords & {readonly dry_run?: boolean};

export const laneCreate: ToolDefinition<LaneCreateInput, LaneProposal, PackConfig> = defineTool({
  async run({dry_run: dryRun = false, ...words}, context) {
    const entry = newLane(await kernelTasks(context).lanes(), words, context.config);
    return await proposeLanes(openDeliveryLog(context), [entry], {how: 'append', stamp: stampOf(context), dryRun});
  },
});
