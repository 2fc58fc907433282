// initiative:edit edits an initiative's texts or status. An equal value is not a change.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unlessDry} from '../../events/unless-dry.ts';
import {editInitiative, type EditedInitiative} from '../../initiatives/decide-initiative.ts';
import type {InitiativeWords} from '../../initiatives/initiative-events.ts';
import {initiativeSlice} from '../../initiatives/initiative-slice.ts';

interface EditInput extends Partial<InitiativeWords> {
  readonly id: string;
  readonly dry_run?: boolean;
}

interface EditOutput extends EditedInitiative {
  readonly dry_run: boolean;
}

export const initiativeEdit: ToolDefinition<EditInput, EditOutput> = defineTool({
  async run({id, dry_run: dryRun = false, ...changes}, context) {
    const edited = await openDeliveryLog(context).decide(initiativeSlice, (state) => {
      const decided = editInitiative(state, {id, changes}, stampOf(context));
      return unlessDry(dryRun, decided);
    });
    return {...edited, dry_run: dryRun};
  },
});
