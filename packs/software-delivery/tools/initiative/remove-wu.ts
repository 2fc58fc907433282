// initiative:remove-wu removes a work unit from an initiative.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unlessDry} from '../../events/unless-dry.ts';
import {removeWu} from '../../initiatives/decide-membership.ts';
import {initiativeSlice} from '../../initiatives/initiative-slice.ts';

interface RemoveInput {
  readonly initiative: string;
  readonly wu: string;
  readonly dry_run?: boolean;
}

interface RemoveOutput extends RemoveInput {
  readonly dry_run: boolean;
}

export const initiativeRemoveWu: ToolDefinition<RemoveInput, RemoveOutput> = defineTool({
  async run({dry_run: dryRun = false, ...named}, context) {
    await openDeliveryLog(context).decide(initiativeSlice, (state) => {
      const events = removeWu(state, named, stampOf(context));
      return unlessDry(dryRun, {events, result: undefined});
    });
    return {...named, dry_run: dryRun};
  },
});
