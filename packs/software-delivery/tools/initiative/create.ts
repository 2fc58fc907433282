// initiative:create creates an initiative with a new id.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unlessDry} from '../../events/unless-dry.ts';
import {createInitiative} from '../../initiatives/decide-initiative.ts';
import type {InitiativeWords} from '../../initiatives/initiative-events.ts';
import {initiativeSlice, type Initiative} from '../../initiatives/initiative-slice.ts';

interface CreateInput extends Omit<Partial<InitiativeWords>, 'status'> {
  readonly title: string;
  readonly dry_run?: boolean;
}

interface CreateOutput {
  readonly initiative: Initiative;
  readonly dry_run: boolean;
}

export const initiativeCreate: ToolDefinition<CreateInput, CreateOutput> = defineTool({
  async run({dry_run: dryRun = false, ...given}, context) {
    const words: InitiativeWords = {phases: [], success_metrics: [], ...given, status: 'active'};
    const initiative = await openDeliveryLog(context).decide(initiativeSlice, (state) => {
      const decided = createInitiative(state, words, stampOf(context));
      return unlessDry(dryRun, decided);
    });
    return {initiative, dry_run: dryRun};
  },
});
