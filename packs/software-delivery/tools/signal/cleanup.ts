// signal:cleanup deletes old and expired signals. The append-only log keeps the lines that sent them.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {refreshSnapshots} from '../../events/refresh-snapshots.ts';
import {retentionOf} from '../../memory/retention.ts';
import type {PackConfig} from '../../pack-config.ts';
import {signalSlice} from '../../signals/signal-slice.ts';

interface SignalCleanupInput {
  /** Default: `memory.retention.signal_days` of the config. */
  readonly older_than_days?: number;
  readonly dry_run?: boolean;
}

interface SignalCleanupOutput {
  readonly forgotten: number;
  readonly remaining: number;
  readonly dry_run: boolean;
}

const day = 86_400_000;

export const signalCleanup: ToolDefinition<SignalCleanupInput, SignalCleanupOutput, PackConfig> = defineTool({
  async run({older_than_days: given, dry_run: dryRun = false}, context) {
    const days = given ?? retentionOf(context.config).signal_days;
    const stamp = stampOf(context);
    const now = Date.parse(stamp.at);
    const result = await openDeliveryLog(context).decide(signalSlice, ({signals}) => {
      const ids = signals
        .filter(
          ({sent_at: sent, expires_at: expires = ''}) =>
            Date.parse(sent) < now - days * day || Date.parse(expires) <= now,
        )
        .map(({id}) => id);
      return {
        events: dryRun || ids.length === 0 ? [] : [{type: 'signal_forgotten', ...stamp, ids} as const],
        result: {forgotten: ids.length, remaining: signals.length - ids.length, dry_run: dryRun},
      };
    });
    if (!dryRun && result.forgotten > 0) await refreshSnapshots(context, [signalSlice]);
    return result;
  },
});
