// What is watched for standing still, read from the log.
import {agentSlice} from '../agents/agent-slice.ts';
import {currentOf} from '../delegation/decide-delegation.ts';
import {delegationSlice} from '../delegation/delegation-slice.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import type {PackConfig} from '../pack-config.ts';
import {workUnits} from '../work-units/work-units.ts';
import {findStuck, type Patience, type StuckWork} from './find-stuck.ts';

export function patienceOf(config: PackConfig): Patience {
  return {untaken_minutes: 60, silent_minutes: 30, ...config?.orchestration};
}

export async function readStuck(log: DeliveryLog, patience: Patience, now: number): Promise<readonly StuckWork[]> {
  const {units} = await log.read(workUnits);
  const delegations = await log.read(delegationSlice);
  const {sessions} = await log.read(agentSlice);
  const seen = new Map<string, string>();
  for (const {session_id: id, last_seen_at: at} of Object.values(sessions)) {
    if (at > (seen.get(id) ?? '')) seen.set(id, at);
  }
  const work = {
    units: Object.values(units),
    delegationOf: (wu: string) => currentOf(delegations, wu),
    lastSeen: (sessionId: string) => seen.get(sessionId),
  };
  return findStuck(work, patience, now);
}
