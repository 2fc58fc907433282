// metrics returns the figures as a flat list, compared with the latest matching snapshot.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {lastLike, metricsSlice} from '../../flow/metrics-slice.ts';
import {compareMetrics, metricsOf, type ComparedMetric} from '../../flow/metrics.ts';
import {readFigures, type WorkUnitFilter} from '../../flow/read-figures.ts';
import type {Window, WindowWords} from '../../flow/window.ts';

interface MetricsOutput {
  readonly window: Window;
  readonly metrics: readonly ComparedMetric[];
  /** When that snapshot was taken; null if there is none. */
  readonly compared_with: string | null;
}

export const metrics: ToolDefinition<WindowWords & WorkUnitFilter, MetricsOutput> = defineTool({
  async run(asked, context) {
    const log = openDeliveryLog(context);
    const figures = await readFigures(log, asked, Date.now());
    const {window} = figures;
    const before = lastLike(await log.read(metricsSlice), {of: asked, days: window.days});
    return {
      window,
      metrics: compareMetrics(metricsOf(figures), before?.metrics ?? []),
      compared_with: before?.at ?? null,
    };
  },
});
