// metrics:snapshot stores the current metrics for later comparison.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unlessDry} from '../../events/unless-dry.ts';
import {metricsSlice} from '../../flow/metrics-slice.ts';
import {metricsOf, type Metric} from '../../flow/metrics.ts';
import {readFigures, type WorkUnitFilter} from '../../flow/read-figures.ts';
import type {Window, WindowWords} from '../../flow/window.ts';

interface SnapshotInput extends Pick<WindowWords, 'days'>, WorkUnitFilter {
  readonly dry_run?: boolean;
}

interface SnapshotOutput {
  readonly at: string;
  readonly window: Window;
  readonly metrics: readonly Metric[];
  readonly dry_run: boolean;
}

export const metricsSnapshot: ToolDefinition<SnapshotInput, SnapshotOutput> = defineTool({
  async run({dry_run: dryRun = false, ...asked}, context) {
    const log = openDeliveryLog(context);
    const stamp = stampOf(context);
    const figures = await readFigures(log, asked, Date.parse(stamp.at));
    const {days: _, ...of} = asked;
    const taken = {window: figures.window, metrics: metricsOf(figures)};
    await log.decide(metricsSlice, () =>
      unlessDry(dryRun, {events: [{type: 'metrics_recorded', ...stamp, of, ...taken}], result: undefined}),
    );
    return {at: stamp.at, ...taken, dry_run: dryRun};
  },
});
