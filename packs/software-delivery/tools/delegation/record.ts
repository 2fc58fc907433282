// delegation:record records a delegation made outside wu:delegate, or its withdrawal.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {delegate, withdraw, type Delegated, type DelegationWords} from '../../delegation/decide-delegation.ts';
import {delegationSlice} from '../../delegation/delegation-slice.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unlessDry} from '../../events/unless-dry.ts';
import {checkCanBeDelegated} from '../../delegation/check-can-be-delegated.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

type RecordInput = (Omit<DelegationWords, 'initiative'> | {readonly withdraw: string; readonly reason: string}) & {
  readonly dry_run?: boolean;
};

type RecordOutput = Delegated & {readonly dry_run: boolean};

export const delegationRecord: ToolDefinition<RecordInput, RecordOutput> = defineTool({
  async run({dry_run: dryRun = false, ...words}, context) {
    const log = openDeliveryLog(context);
    if ('wu' in words) checkCanBeDelegated(await log.read(workUnitSlice), words.wu);
    const delegated = await log.decide(delegationSlice, (state) => {
      const decision =
        'wu' in words
          ? delegate(state, words, stampOf(context))
          : withdraw(state, {delegation: words.withdraw, reason: words.reason}, stampOf(context));
      return unlessDry(dryRun, decision);
    });
    return {...delegated, dry_run: dryRun};
  },
});
