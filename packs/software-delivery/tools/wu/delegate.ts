// wu:delegate delegates a work unit, with its brief.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {checkCanBeDelegated} from '../../delegation/check-can-be-delegated.ts';
import {delegate, type Delegated} from '../../delegation/decide-delegation.ts';
import {delegationSlice} from '../../delegation/delegation-slice.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unlessDry} from '../../events/unless-dry.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface DelegateInput {
  readonly id: string;
  readonly to: string;
  readonly note?: string;
  readonly dry_run?: boolean;
}

interface DelegateOutput extends Delegated {
  /** The brief from wu:brief. */
  readonly prompt: string;
  readonly dry_run: boolean;
}

export const wuDelegate: ToolDefinition<DelegateInput, DelegateOutput> = defineTool({
  async run({id, to, note, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    checkCanBeDelegated(await log.read(workUnitSlice), id);
    const output = await context.callTool('wu:brief', {id, dry_run: dryRun});
    if (!output.success) return output;
    const {prompt, prompt_hash} = output.data as {readonly prompt: string; readonly prompt_hash: string};
    const words = {wu: id, to, prompt_hash, ...(note !== undefined && {note})};
    const delegated = await log.decide(delegationSlice, (state) =>
      unlessDry(dryRun, delegate(state, words, stampOf(context))),
    );
    return {...delegated, prompt, dry_run: dryRun};
  },
});
