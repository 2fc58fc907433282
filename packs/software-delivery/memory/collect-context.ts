// Collects what memory, signals and the log contain about a WU, for one session.
import type {DeliveryLog} from '../events/delivery-log.ts';
import {agentSlice} from '../agents/agent-slice.ts';
import {readerOf} from '../agents/find-agent.ts';
import {inboxOf} from '../signals/inbox.ts';
import {signalSlice} from '../signals/signal-slice.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {openMemory} from './memory.ts';
import type {ContextFacts} from './render-context.ts';

export async function collectContext(
  log: DeliveryLog,
  {unit, session_id}: {readonly unit: WorkUnit | undefined; readonly session_id: string},
): Promise<ContextFacts> {
  const wuId = unit?.spec.id;
  const [view, agents, signals] = await Promise.all([
    openMemory(log).view(wuId === undefined ? [] : [wuId]),
    log.read(agentSlice),
    log.read(signalSlice),
  ]);
  const about = wuId === undefined ? {} : {wu_id: wuId};
  return {
    view,
    unit,
    inbox: inboxOf(signals, {reader: readerOf(agents, {session_id}), now: new Date().toISOString(), ...about}),
  };
}
