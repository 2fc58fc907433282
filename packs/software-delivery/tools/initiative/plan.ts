// initiative:plan creates the work units of a plan. Each has its key as a label, so that repeated calls resume an interrupted
// plan and add new units of an extended one.
import {defineTool, ToolError, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {checkPhase, findInitiative} from '../../initiatives/find-initiative.ts';
import {initiativeSlice, membersOf, planLabelPrefix} from '../../initiatives/initiative-slice.ts';
import {orderPlan, type PlannedWu} from '../../initiatives/order-plan.ts';
import type {WuSpec} from '../../work-units/wu-spec.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

type WuWords = PlannedWu & Omit<WuSpec, 'id' | 'initiative' | 'depends_on'>;

interface PlanInput {
  readonly id: string;
  readonly wus: readonly WuWords[];
  readonly dry_run?: boolean;
}

interface PlanOutput {
  readonly initiative: string;
  /** In order of creation. In a dry run, the id is null for units that do not exist yet. */
  readonly wus: readonly {readonly key: string; readonly id: string | null; readonly created: boolean}[];
  readonly dry_run: boolean;
}

export const initiativePlan: ToolDefinition<PlanInput, PlanOutput> = defineTool({
  async run({id, wus, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    const state = await log.read(initiativeSlice);
    const initiative = findInitiative(state, id);
    const {units} = await log.read(workUnitSlice);
    for (const {phase} of wus) checkPhase(initiative, phase);
    const ordered = orderPlan(wus, (wu) => Object.hasOwn(units, wu));
    const ids = new Map(membersOf(state, id).flatMap(([wu, {key}]) => (key === undefined ? [] : [[key, wu] as const])));
    const known = new Set(ids.keys());
    for (const wu of ordered) {
      if (ids.has(wu.key)) continue;
      const created = await create(context, {id, wu, ids, dryRun});
      if (!dryRun) ids.set(wu.key, created);
    }
    return {
      initiative: id,
      wus: ordered.map(({key}) => ({key, id: ids.get(key) ?? null, created: ids.has(key) && !known.has(key)})),
      dry_run: dryRun,
    };
  },
});

interface Creation {
  readonly id: string;
  readonly wu: WuWords;
  /** Ids of existing units, by key. */
  readonly ids: ReadonlyMap<string, string>;
  readonly dryRun: boolean;
}

/**
 * In a dry run, units that do not exist yet are omitted from the dependencies. Throws ToolError PLAN_STOPPED with the units
 * created before.
 */
async function create(context: ToolContext, {id, wu, ids, dryRun}: Creation): Promise<string> {
  const {key, depends_on: dependencies = [], labels = [], ...words} = wu;
  const waitsFor = dependencies.flatMap((dependency) => ids.get(dependency) ?? (isKey(dependency) ? [] : dependency));
  const output = await context.callTool('wu:create', {
    ...words,
    initiative: id,
    labels: [...labels, `${planLabelPrefix}${key}`],
    ...(waitsFor.length > 0 && {depends_on: waitsFor}),
    dry_run: dryRun,
  });
  if (output.success) return (output.data as {readonly id: string}).id;
  const {code, message} = output.error;
  throw new ToolError('PLAN_STOPPED', `\`${key}\` was not created: ${message}`, {
    key,
    error: {code, message},
    created: Object.fromEntries(ids),
  });
}

/** Ids of work units are upper-case, and keys never are. */
function isKey(dependency: string): boolean {
  return dependency === dependency.toLowerCase();
}
