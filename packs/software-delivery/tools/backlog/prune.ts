// backlog:prune omits old finished work from the backlog, and lists open work without recent activity.
import {defineTool, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {callOrThrow} from '../../nested-calls/call-or-throw.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import type {PackConfig} from '../../pack-config.ts';
import {renderViews} from '../../views/render-views.ts';
import {viewSlice} from '../../views/view-slice.ts';
import {writeViews, type WrittenView} from '../../views/write-views.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface BacklogPruneInput {
  /** Work that was done earlier is omitted; default 30. */
  readonly done_days?: number;
  /** Open work without activity for longer is listed; default 60. */
  readonly stale_days?: number;
  readonly dry_run?: boolean;
}

interface BacklogPruneOutput {
  readonly done_before: string;
  /** Finished work units that the backlog now omits. */
  readonly left_out: number;
  /** At most 100, stalest first. They are only listed. */
  readonly stale: readonly {readonly id: string; readonly status: string; readonly since: string}[];
  readonly files: readonly WrittenView[];
  readonly dry_run: boolean;
}

const day = 86_400_000;

/** Runs after the decision is recorded. If rendering fails, the next rendering catches up. */
async function render(context: ToolContext): Promise<BacklogPruneOutput['files']> {
  const {files} = (await callOrThrow(context, 'backlog:render', {})) as Pick<BacklogPruneOutput, 'files'>;
  return files;
}

export const backlogPrune: ToolDefinition<BacklogPruneInput, BacklogPruneOutput, PackConfig> = defineTool({
  async run({done_days: doneDays = 30, stale_days: staleDays = 60, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    const stamp = stampOf(context);
    const daysAgo = (days: number): string => new Date(Date.parse(stamp.at) - days * day).toISOString();
    const doneBefore = daysAgo(doneDays);
    await log.decide(viewSlice, () => ({
      events: dryRun ? [] : [{type: 'backlog_pruned', ...stamp, done_before: doneBefore} as const],
      result: undefined,
    }));
    const state = await log.read(workUnitSlice);
    const units = Object.values(state.units);
    const stale = units.filter(({status, since}) => status !== 'done' && since < daysAgo(staleDays));
    return {
      done_before: doneBefore,
      left_out: units.filter(({status, since}) => status === 'done' && since < doneBefore).length,
      stale: stale
        .toSorted((a, b) => (a.since < b.since ? -1 : 1))
        .slice(0, 100)
        .map(({spec: {id}, status, since}) => ({id, status, since})),
      files: dryRun
        ? await writeViews(context, renderViews(state, {done_before: doneBefore}), true)
        : await render(context),
      dry_run: dryRun,
    };
  },
});
