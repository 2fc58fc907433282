// metrics: the figures as a flat list, compared with the last snapshot that is about the same.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../delivery-log.ts';
import {lastLike, metricsSlice} from '../../flow/metrics-slice.ts';
import {compareMetrics, metricsOf, type ComparedMetric} from '../../flow/metrics.ts';
import {readFigures, type WorkUnitFilter} from '../../flow/read-figures.ts';
import type {Window, WindowWords} from '../../flow/window.ts';

interface MetricsOutput {
  readonly window: Window;
  readonly metrics: readonly ComparedMetric[];
  /** When the snapshot was taken that they are compared with; null without one. */
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
