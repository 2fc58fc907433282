// initiative:bulk-assign assigns many work units to initiatives, all or none, including those in other initiatives.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unlessDry} from '../../events/unless-dry.ts';
import {checkWus} from '../../initiatives/check-wus.ts';
import {assignWus, type Assigned, type Assignment} from '../../initiatives/decide-membership.ts';
import {initiativeSlice} from '../../initiatives/initiative-slice.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface BulkInput {
  readonly assignments: readonly Assignment[];
  readonly dry_run?: boolean;
}

type BulkOutput = Assigned['result'] & {readonly dry_run: boolean};

export const initiativeBulkAssign: ToolDefinition<BulkInput, BulkOutput> = defineTool({
  async run({assignments, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    checkWus(
      await log.read(workUnitSlice),
      assignments.map(({wu}) => wu),
    );
    const assigned = await log.decide(initiativeSlice, (state) => {
      const decided = assignWus(state, assignments, {stamp: stampOf(context), move: true});
      return unlessDry(dryRun, decided);
    });
    return {...assigned, dry_run: dryRun};
  },
});
