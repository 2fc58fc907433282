// Signs of life without heartbeats: a session with calls in a work unit's task is alive. The kernel is queried only where it
// makes a difference, so that calls stay cheap. A sign belongs to one lease token, so a lease that was taken over stays lost.
import type {ToolContext} from '@lumenflow/pack-sdk';
import type {DeliveryLog} from '../events/delivery-log.ts';
import type {PackConfig} from '../pack-config.ts';
import {kernelTasks} from '../work-units/kernel-tasks.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {workUnitSlice, type WorkUnits} from '../work-units/work-unit-slice.ts';
import {expiryOf, isExpired, isHeldBy, leaseTtlMs} from './lease.ts';

type KernelContext = Pick<ToolContext<PackConfig>, 'callTool' | 'config'>;

export interface SignOfLife {
  /** Token of the lease. */
  readonly token: number;
  /** Time of the holder's latest call in the task; ISO 8601. */
  readonly at: string;
}

/** By work unit, if the holder of the lease also holds the task. */
export type SignsOfLife = ReadonlyMap<string, SignOfLife>;

export async function readSigns(context: KernelContext, units: readonly WorkUnit[]): Promise<SignsOfLife> {
  if (units.length === 0) return new Map();
  const tasks = await kernelTasks(context).listActive(units.map(({spec}) => spec.id));
  return new Map(
    units.flatMap(({spec: {id}, lease}): readonly (readonly [string, SignOfLife])[] => {
      const {holder, active_at: at} = tasks.get(id) ?? {};
      if (lease === undefined || at === undefined || holder === undefined || !isHeldBy(lease, holder)) return [];
      return [[id, {token: lease.token, at}]];
    }),
  );
}

/** Extends each lease by its holder's sign, if that makes it last longer. */
export function prolongLeases(state: WorkUnits, signs: SignsOfLife, ttlMs: number): WorkUnits {
  const prolonged = [...signs].flatMap(([id, {token, at}]): readonly (readonly [string, WorkUnit])[] => {
    const unit = state.units[id];
    const expires_at = expiryOf({at}, ttlMs);
    if (unit?.lease?.token !== token || expires_at <= unit.lease.expires_at) return [];
    return [[id, {...unit, lease: {...unit.lease, expires_at}}]];
  });
  return prolonged.length === 0 ? state : {...state, units: {...state.units, ...Object.fromEntries(prolonged)}};
}

/** Extends leases that have expired in the log; `now` in milliseconds since the epoch. */
export async function findActiveHolders(
  context: KernelContext,
  units: readonly WorkUnit[],
  now: number = Date.now(),
): Promise<(state: WorkUnits) => WorkUnits> {
  const over = units.filter(({lease}) => lease !== undefined && isExpired(lease, now));
  const signs = await readSigns(context, over);
  return (state) => prolongLeases(state, signs, leaseTtlMs(context.config));
}

/** The current work units, with their holders' signs of life. */
export async function readHeldUnits(context: KernelContext, log: DeliveryLog): Promise<WorkUnits> {
  const state = await log.read(workUnitSlice);
  const prolong = await findActiveHolders(context, Object.values(state.units));
  return prolong(state);
}
