// mem:inbox lists the caller's signals from others.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {agentSlice} from '../../agents/agent-slice.ts';
import {readerOf} from '../../agents/find-agent.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {inboxOf, type InboxQuery, type InboxSignal} from '../../signals/inbox.ts';
import {signalSlice} from '../../signals/signal-slice.ts';

interface MemoryInboxInput extends Omit<InboxQuery, 'reader' | 'now'> {
  /** Default: the session's agent from agent:session, else the session. */
  readonly reader?: string;
  /** Default 50. */
  readonly limit?: number;
}

interface MemoryInboxOutput {
  readonly reader: string;
  readonly signals: readonly InboxSignal[];
  /** Number of matches, before the limit. */
  readonly total: number;
}

export const memoryInbox: ToolDefinition<MemoryInboxInput, MemoryInboxOutput, PackConfig> = defineTool({
  async run({reader: given, limit = 50, ...query}, context) {
    const log = openDeliveryLog(context);
    const reader = given ?? readerOf(await log.read(agentSlice), context);
    const signals = inboxOf(await log.read(signalSlice), {reader, now: new Date().toISOString(), ...query});
    return {reader, signals: signals.slice(0, limit), total: signals.length};
  },
});
