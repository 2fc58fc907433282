// The events of memory. The text of a node occurs once in the log, in the event that created it.
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {Closing, MemoryEdge, MemoryPriority, NewNode} from './memory-node.ts';

export interface MemoryCreated extends DeliveryEvent {
  readonly type: 'memory_created';
  readonly node: NewNode;
}

export interface MemoryLinked extends DeliveryEvent {
  readonly type: 'memory_linked';
  readonly edge: MemoryEdge;
}

export interface MemoryPrioritized extends DeliveryEvent {
  readonly type: 'memory_prioritized';
  readonly id: string;
  readonly priority: MemoryPriority;
}

export interface MemoryClosed extends DeliveryEvent, Omit<Closing, 'at'> {
  readonly type: 'memory_closed';
  readonly ids: readonly string[];
}

export interface MemoryReopened extends DeliveryEvent {
  readonly type: 'memory_reopened';
  readonly id: string;
}

/** Deleted or expired: from here on no state contains the node. */
export interface MemoryForgotten extends DeliveryEvent {
  readonly type: 'memory_forgotten';
  readonly ids: readonly string[];
  readonly reason: string;
}

export type MemoryEvent =
  | MemoryCreated
  | MemoryLinked
  | MemoryPrioritized
  | MemoryClosed
  | MemoryReopened
  | MemoryForgotten;
