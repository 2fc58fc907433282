// wu:escalate asks people to look at a work unit, or records their decision. The holder can continue.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {actorStampOf} from '../../events/delivery-event.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface WuEscalateInput {
  readonly id: string;
  /** The reason, or with `resolve` the decision. */
  readonly reason: string;
  readonly resolve?: boolean;
  readonly dry_run?: boolean;
}

interface WuEscalateOutput {
  readonly id: string;
  readonly escalated: boolean;
  readonly dry_run: boolean;
}

export const wuEscalate: ToolDefinition<WuEscalateInput, WuEscalateOutput> = defineTool({
  async run({id, reason, resolve = false, dry_run: dryRun = false}, context) {
    const stamp = actorStampOf(context);
    return await openDeliveryLog(context).decide(workUnitSlice, (state) => {
      const {escalation} = findWorkUnit(state, id);
      if (resolve && escalation === undefined) {
        throw new ToolError('NOT_ESCALATED', `\`${id}\` is not escalated, so there is nothing to resolve`, {id});
      }
      const event = resolve
        ? {type: 'wu_escalation_resolved' as const, ...stamp, id, note: reason}
        : {type: 'wu_escalated' as const, ...stamp, id, reason};
      return {events: dryRun ? [] : [event], result: {id, escalated: !resolve, dry_run: dryRun}};
    });
  },
});
