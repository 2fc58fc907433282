// The work to check for stalls, from the log and from the kernel's evidence of activity.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {agentSlice} from '../agents/agent-slice.ts';
import {leaseTtlMs} from '../claims/lease.ts';
import {prolongLeases, readSigns} from '../claims/signs-of-life.ts';
import {currentOf} from '../delegation/decide-delegation.ts';
import {delegationSlice} from '../delegation/delegation-slice.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import type {PackConfig} from '../pack-config.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import {findStuck, type Patience, type StuckWork} from './find-stuck.ts';

export function patienceOf(config: PackConfig): Patience {
  return {untaken_minutes: 60, silent_minutes: 30, ...config?.orchestration};
}

export async function readStuck(
  context: Pick<ToolContext<PackConfig>, 'callTool' | 'config'>,
  log: DeliveryLog,
  patience: Patience,
): Promise<readonly StuckWork[]> {
  const state = await log.read(workUnitSlice);
  const held = Object.values(state.units).filter(({lease}) => lease !== undefined);
  const signs = await readSigns(context, held);
  const {units} = prolongLeases(state, signs, leaseTtlMs(context.config));
  const delegations = await log.read(delegationSlice);
  const {sessions} = await log.read(agentSlice);
  const seen = new Map<string, string>();
  for (const {session_id: id, last_seen_at: at} of Object.values(sessions)) {
    if (at > (seen.get(id) ?? '')) seen.set(id, at);
  }
  const work = {
    units: Object.values(units),
    delegationOf: (wu: string) => currentOf(delegations, wu),
    lastSeen: ({spec: {id}, lease}: WorkUnit) => {
      const lastSeen = seen.get(lease?.session_id ?? '');
      const {at} = signs.get(id) ?? {};
      return lastSeen !== undefined && at !== undefined && at > lastSeen ? at : lastSeen;
    },
  };
  return findStuck(work, patience, Date.now());
}
