// initiative:add-wu adds a work unit to an initiative if it is in no other one.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unlessDry} from '../../events/unless-dry.ts';
import {checkWus} from '../../initiatives/check-wus.ts';
import {assignWus, type Assignment} from '../../initiatives/decide-membership.ts';
import {initiativeSlice} from '../../initiatives/initiative-slice.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface AddInput extends Assignment {
  readonly dry_run?: boolean;
}

interface AddOutput extends Assignment {
  /** True if the assignment changed. */
  readonly changed: boolean;
  readonly dry_run: boolean;
}

export const initiativeAddWu: ToolDefinition<AddInput, AddOutput> = defineTool({
  async run({dry_run: dryRun = false, ...assignment}, context) {
    const log = openDeliveryLog(context);
    checkWus(await log.read(workUnitSlice), [assignment.wu]);
    const {changed} = await log.decide(initiativeSlice, (state) => {
      const decided = assignWus(state, [assignment], {stamp: stampOf(context), move: false});
      return unlessDry(dryRun, decided);
    });
    return {...assignment, changed: changed.length > 0, dry_run: dryRun};
  },
});
