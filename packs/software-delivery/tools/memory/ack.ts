// mem:ack acknowledges signals for a reader, which removes them from its inbox. Other inboxes do not change.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {agentSlice} from '../../agents/agent-slice.ts';
import {readerOf} from '../../agents/find-agent.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import type {PackConfig} from '../../pack-config.ts';
import {inboxOf} from '../../signals/inbox.ts';
import {signalSlice, type SignalState} from '../../signals/signal-slice.ts';

interface MemoryAckInput {
  /** Default: the reader's whole inbox. */
  readonly ids?: readonly string[];
  readonly reader?: string;
  readonly dry_run?: boolean;
}

interface MemoryAckOutput {
  readonly reader: string;
  /** Signals that were not acknowledged before. */
  readonly acknowledged: readonly string[];
  /** Number of signals left in the inbox. */
  readonly unread: number;
  readonly dry_run: boolean;
}

export const memoryAck: ToolDefinition<MemoryAckInput, MemoryAckOutput, PackConfig> = defineTool({
  async run({ids, reader: given, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    const reader = given ?? readerOf(await log.read(agentSlice), context);
    const stamp = stampOf(context);
    return await log.decide(signalSlice, (state) => {
      if (ids !== undefined) checkSignals(state, ids);
      const inbox = inboxOf(state, {reader, now: stamp.at}).map(({id}) => id);
      const acknowledged = ids === undefined ? inbox : inbox.filter((id) => ids.includes(id));
      const event = {type: 'signal_acknowledged', ...stamp, reader, ids: acknowledged} as const;
      return {
        events: dryRun || acknowledged.length === 0 ? [] : [event],
        result: {reader, acknowledged, unread: inbox.length - acknowledged.length, dry_run: dryRun},
      };
    });
  },
});

function checkSignals({signals}: SignalState, ids: readonly string[]): void {
  const known = new Set(signals.map(({id}) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  const named = unknown.map((id) => `\`${id}\``).join(', ');
  throw new ToolError('SIGNAL_NOT_FOUND', `there is no signal ${named}: run \`mem:inbox\` to see ids`, {unknown});
}
