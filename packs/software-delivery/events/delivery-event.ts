// The contents of the pack's log: facts, each of one domain, in the order in which they became true.
import type {ToolContext} from '@lumenflow/pack-sdk';

export interface EventStamp {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The session whose call caused the event. */
  readonly by: string;
  /** The person or program behind the call, if the host knows it. */
  readonly actor?: string;
}

/** One line of the log. Each domain declares its own event types, named `<domain>_<past participle>`. */
export interface DeliveryEvent extends EventStamp {
  readonly type: string;
}

/** The stamp for an event of this call. */
export function stampOf({session_id: by}: Pick<ToolContext, 'session_id'>): EventStamp {
  return {at: new Date().toISOString(), by};
}

/** The same with the person or program, for the history of work units. */
export function actorStampOf(context: Pick<ToolContext, 'session_id' | 'principal'>): EventStamp {
  return {...stampOf(context), ...(context.principal && {actor: context.principal.name})};
}
