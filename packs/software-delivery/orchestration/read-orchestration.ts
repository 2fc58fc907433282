// An initiative with its current waves and delegations.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {delegationSlice, type Delegation, type Delegations} from '../delegation/delegation-slice.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {findInitiative} from '../initiatives/find-initiative.ts';
import {measureProgress, type InitiativeProgress} from '../initiatives/initiative-progress.ts';
import {initiativeSlice, membersOf, type Initiative} from '../initiatives/initiative-slice.ts';
import type {PackConfig} from '../pack-config.ts';
import {kernelTasks} from '../work-units/kernel-tasks.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import {askWaves} from './ask-waves.ts';
import {planWaves} from './plan-waves.ts';
import type {WavePlan} from './wave-plan.ts';

export interface Orchestration {
  readonly initiative: Initiative;
  readonly progress: InitiativeProgress;
  readonly plan: WavePlan;
  /** The delegations of its work units. */
  readonly delegations: readonly Delegation[];
}

/** Throws ToolError INITIATIVE_NOT_FOUND, and the kernel's errors. */
export async function readOrchestration(
  context: Pick<ToolContext<PackConfig>, 'callTool' | 'config'>,
  log: DeliveryLog,
  id: string,
): Promise<Orchestration> {
  const state = await log.read(initiativeSlice);
  const initiative = findInitiative(state, id);
  const {units} = await log.read(workUnitSlice);
  const delegations = await log.read(delegationSlice);
  const lanes = await kernelTasks(context).lanes();
  const members = new Set(membersOf(state, id).map(([wu]) => wu));
  const limits = new Map(
    lanes.flatMap(({id: lane, wip_limit: limit}) => (limit === undefined ? [] : [[lane, limit] as const])),
  );
  const handedOut = new Set(Object.keys(delegations.current));
  return {
    initiative,
    progress: measureProgress(state, initiative, units),
    plan: planWaves(askWaves({units, members, handedOut, limits})),
    delegations: currentOfAll(delegations, members),
  };
}

function currentOfAll({delegations, current}: Delegations, wus: ReadonlySet<string>): readonly Delegation[] {
  return Object.entries(current).flatMap(([wu, id]) => (wus.has(wu) ? (delegations[id] ?? []) : []));
}
