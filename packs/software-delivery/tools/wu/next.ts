// wu:next finds the best work unit to start, and claims it on request. If another session claims it first, takes the next one.
import {defineTool, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {failureOf} from '../../nested-calls/call-or-throw.ts';
import {readHeldUnits} from '../../claims/signs-of-life.ts';
import {actorStampOf} from '../../events/delivery-event.ts';
import {nextUnit, type NextUnit} from '../../listing/next-unit.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {checkLane} from '../../work-units/check-lane.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';

interface WuNextInput {
  readonly lane?: string;
  /** Claim it for this session. */
  readonly claim?: boolean;
  readonly limit?: number;
  readonly dry_run?: boolean;
}

interface WuNextOutput extends NextUnit {
  /** The output of `wu:claim`. */
  readonly claimed?: Readonly<Record<string, unknown>>;
}

const attemptsMax = 5;

/** Codes of a claim that failed because the situation changed after the search. */
const overtaken: readonly string[] = ['LEASE_HELD', 'LANE_FULL', 'LANE_LOCKED', 'CODE_PATHS_OVERLAP', 'WU_DONE'];

export const wuNext: ToolDefinition<WuNextInput, WuNextOutput, PackConfig> = defineTool({
  async run({lane, claim = false, limit = 5, dry_run: dryRun = false}, context) {
    for (let attempt = 1; ; attempt += 1) {
      const found = await find(context, lane, limit);
      if (!claim || found.next === undefined) return found;
      const input = {id: found.next.id, ...(dryRun && {dry_run: true})};
      const {success, data, error} = await context.callTool('wu:claim', input);
      if (success) return {...found, claimed: data as NonNullable<WuNextOutput['claimed']>};
      if (attempt === attemptsMax || !overtaken.includes(error?.code ?? '')) throw failureOf('wu:claim', error);
    }
  },
});

/** Throws ToolError LANE_UNKNOWN. */
async function find(context: ToolContext<PackConfig>, lane: string | undefined, limit: number): Promise<NextUnit> {
  const lanes = await kernelTasks(context).lanes();
  if (lane !== undefined) checkLane(lanes, lane);
  const state = await readHeldUnits(context, openDeliveryLog(context));
  const wip_limits = new Map(lanes.map(({id, wip_limit}) => [id, wip_limit] as const));
  return nextUnit(state, {...actorStampOf(context), wip_limits, limit, lane});
}
