// initiative:list lists all initiatives with their progress.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {InitiativeWords} from '../../initiatives/initiative-events.ts';
import {measureProgress, type InitiativeProgress} from '../../initiatives/initiative-progress.ts';
import {initiativeSlice, type Initiative} from '../../initiatives/initiative-slice.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface ListInput {
  readonly status?: InitiativeWords['status'];
}

interface ListOutput {
  readonly initiatives: readonly (Pick<Initiative, 'id' | 'title' | 'status' | 'owner' | 'target_date'> &
    Pick<InitiativeProgress, 'counts' | 'percent'>)[];
}

export const initiativeList: ToolDefinition<ListInput, ListOutput> = defineTool({
  async run({status}, context) {
    const log = openDeliveryLog(context);
    const state = await log.read(initiativeSlice);
    const {units} = await log.read(workUnitSlice);
    const chosen = Object.values(state.initiatives).filter((each) => status === undefined || each.status === status);
    return {
      initiatives: chosen.map((initiative) => {
        const {counts, percent} = measureProgress(state, initiative, units);
        const {phases: _, success_metrics: __, description: ___, created_at: ____, ...words} = initiative;
        return {...words, counts, percent};
      }),
    };
  },
});
