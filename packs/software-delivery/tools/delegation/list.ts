// delegation:list lists delegations and their state.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {delegationSlice, type Delegation} from '../../delegation/delegation-slice.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';

interface ListInput extends Partial<Pick<Delegation, 'wu' | 'to' | 'state' | 'initiative'>> {
  readonly limit?: number;
}

interface ListOutput {
  /** Newest first. */
  readonly delegations: readonly Delegation[];
  /** Number of matches, before the limit. */
  readonly total: number;
}

export const delegationList: ToolDefinition<ListInput, ListOutput> = defineTool({
  async run({limit = 100, ...wanted}, context) {
    const {delegations} = await openDeliveryLog(context).read(delegationSlice);
    const found = Object.values(delegations).filter((delegation) =>
      Object.entries(wanted).every(([key, value]) => delegation[key as keyof Delegation] === value),
    );
    return {delegations: found.toReversed().slice(0, limit), total: found.length};
  },
});
