// wu:escalate asks people to look at a work unit, or records their decision. The holder can continue.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {actorStampOf} from '../../events/delivery-event.ts';
import type {Decision} from '../../events/delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {inSync, type Unsynced} from '../../sync/in-sync.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {workUnitSlice, type WorkUnits} from '../../work-units/work-unit-slice.ts';
import type {WuEvent} from '../../work-units/wu-event.ts';

interface WuEscalateInput {
  readonly id: string;
  /** The reason, or with `resolve` the decision. */
  readonly reason: string;
  readonly resolve?: boolean;
  readonly dry_run?: boolean;
}

interface WuEscalateOutput extends Unsynced {
  readonly id: string;
  readonly escalated: boolean;
  readonly dry_run: boolean;
}

export const wuEscalate: ToolDefinition<WuEscalateInput, WuEscalateOutput, PackConfig> = defineTool({
  async run({id, reason, resolve = false, dry_run: dryRun = false}, context) {
    const stamp = actorStampOf(context);
    const log = openDeliveryLog(context);
    const decide = (state: WorkUnits): Decision<WuEvent, WuEscalateOutput> => {
      const {escalation} = findWorkUnit(state, id);
      if (resolve && escalation === undefined) {
        throw new ToolError('NOT_ESCALATED', `\`${id}\` is not escalated, so there is nothing to resolve`, {id});
      }
      const event = resolve
        ? {type: 'wu_escalation_resolved' as const, ...stamp, id, note: reason}
        : {type: 'wu_escalated' as const, ...stamp, id, reason};
      return {events: dryRun ? [] : [event], result: {id, escalated: !resolve, dry_run: dryRun}};
    };
    return await inSync(context, dryRun, async () => await log.decide(workUnitSlice, decide));
  },
});
