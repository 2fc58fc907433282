// The locks that prevent claims in a lane, and the proposed changes of lanes.
import type {LaneEvent} from './lane-event.ts';

export interface LaneLock {
  /** Increases with every lock of the lane. */
  readonly token: number;
  readonly session_id: string;
  readonly reason: string;
  readonly since: string;
  readonly expires_at: string;
}

export interface LaneState {
  /** Kept after the lock ends, so that tokens always increase. */
  readonly last_token?: number;
  readonly lock?: LaneLock;
  readonly frozen?: {readonly reason: string; readonly since: string; readonly by: string};
  readonly proposal?: {readonly yaml: string; readonly since: string; readonly by: string};
}

/** By lane. */
export type LaneStates = Record<string, LaneState>;

/** Modifies `holds` in place. */
export function evolveLanes(holds: LaneStates, event: LaneEvent): void {
  const hold = holds[event.lane] ?? {};
  holds[event.lane] = evolveLane(hold, event);
}

function evolveLane(hold: LaneState, event: LaneEvent): LaneState {
  const {at: since, by} = event;
  const {lock: _, frozen: __, ...rest} = hold;
  switch (event.type) {
    case 'lane_lock_acquired': {
      const {token, reason, expires_at} = event;
      return {...hold, last_token: token, lock: {token, session_id: by, reason, since, expires_at}};
    }
    case 'lane_lock_released':
      return {...rest, ...(hold.frozen && {frozen: hold.frozen})};
    case 'lane_frozen':
      return {...hold, frozen: {reason: event.reason, since, by}};
    case 'lane_thawed':
      return {...rest, ...(hold.lock && {lock: hold.lock})};
    case 'lane_proposed':
      return {...hold, proposal: {yaml: event.yaml, since, by}};
    default:
      event satisfies never;
      return hold;
  }
}

export function lockAt(hold: LaneState | undefined, now: number): LaneLock | undefined {
  const {lock} = hold ?? {};
  return lock !== undefined && Date.parse(lock.expires_at) > now ? lock : undefined;
}
