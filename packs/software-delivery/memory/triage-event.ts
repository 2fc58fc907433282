// The actions on a discovery other than creating a WU from it.
import type {EventStamp} from '../events/delivery-event.ts';
import type {MemoryEvent} from './memory-events.ts';
import type {MemoryPriority} from './memory-node.ts';

export type Triage =
  | {readonly action: 'resolve' | 'archive'; readonly reason: string}
  | {readonly action: 'prioritize'; readonly priority: MemoryPriority}
  | {readonly action: 'reopen'};

export function triageEvent(id: string, triage: Triage, stamp: EventStamp): MemoryEvent {
  const {action} = triage;
  if (action === 'prioritize') return {type: 'memory_prioritized', ...stamp, id, priority: triage.priority};
  if (action === 'reopen') return {type: 'memory_reopened', ...stamp, id};
  const as = action === 'resolve' ? 'resolved' : 'archived';
  return {type: 'memory_closed', ...stamp, ids: [id], as, reason: triage.reason};
}
