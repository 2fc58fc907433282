// mem:signal sends a message to concurrent agents.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {agentSlice} from '../../agents/agent-slice.ts';
import {readerOf} from '../../agents/find-agent.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unitOfCall} from '../../memory/unit-of-call.ts';
import type {PackConfig} from '../../pack-config.ts';
import type {NewSignal, Signal, SignalKind} from '../../signals/signal.ts';
import {signalSlice} from '../../signals/signal-slice.ts';

interface MemorySignalInput extends Pick<NewSignal, 'message' | 'to' | 'wu_id' | 'lane' | 'reply_to'> {
  /** Default info. */
  readonly kind?: SignalKind;
  readonly expires_in_minutes?: number;
  readonly dry_run?: boolean;
}

interface MemorySignalOutput {
  readonly signal: Signal;
  readonly dry_run: boolean;
}

export const memorySignal: ToolDefinition<MemorySignalInput, MemorySignalOutput, PackConfig> = defineTool({
  async run(input, context) {
    const {kind = 'info', expires_in_minutes: minutes, dry_run: dryRun = false, wu_id: _, ...said} = input;
    const log = openDeliveryLog(context);
    const unit = await unitOfCall(input, context, log);
    const stamp = stampOf(context);
    const signal: NewSignal = {
      id: `sig-${crypto.randomUUID().replaceAll('-', '')}`,
      kind,
      from: readerOf(await log.read(agentSlice), context),
      ...said,
      ...(unit !== undefined && {wu_id: unit.spec.id}),
      ...(minutes !== undefined && {expires_at: new Date(Date.parse(stamp.at) + minutes * 60_000).toISOString()}),
    };
    return await log.decide(signalSlice, () => ({
      events: dryRun ? [] : [{type: 'signal_sent', ...stamp, signal} as const],
      result: {signal: {...signal, sent_at: stamp.at}, dry_run: dryRun},
    }));
  },
});
