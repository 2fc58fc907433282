// initiative:status returns one initiative with its phases and work units.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {findInitiative} from '../../initiatives/find-initiative.ts';
import {measureProgress, type InitiativeProgress} from '../../initiatives/initiative-progress.ts';
import {initiativeSlice, type Initiative} from '../../initiatives/initiative-slice.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface StatusOutput {
  readonly initiative: Initiative;
  readonly progress: InitiativeProgress;
}

export const initiativeStatus: ToolDefinition<{readonly id: string}, StatusOutput> = defineTool({
  async run({id}, context) {
    const log = openDeliveryLog(context);
    const state = await log.read(initiativeSlice);
    const initiative = findInitiative(state, id);
    const {units} = await log.read(workUnitSlice);
    return {initiative, progress: measureProgress(state, initiative, units)};
  },
});
