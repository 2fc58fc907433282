// What can be done about a discovery besides making a WU of it.
import type {EventStamp} from '../events/delivery-event.ts';
import type {MemoryEvent} from './memory-events.ts';
import type {MemoryPriority} from './memory-node.ts';

export type Triage =
  | {readonly action: 'resolve' | 'archive'; readonly reason: string}
  | {readonly action: 'prioritize'; readonly priority: MemoryPriority}
  | {readonly action: 'reopen'};

export function triageEvent(id: string, triage: Triage, stamp: EventStamp): MemoryEvent {
  switch (triage.action) {
    case 'prioritize':
      return {type: 'memory_prioritized', ...stamp, id, priority: triage.priority};
    case 'reopen':
      return {type: 'memory_reopened', ...stamp, id};
    case 'resolve':
      return {type: 'memory_closed', ...stamp, ids: [id], as: 'resolved', reason: triage.reason};
    case 'archive':
      return {type: 'memory_closed', ...stamp, ids: [id], as: 'archived', reason: triage.reason};
  }
}
