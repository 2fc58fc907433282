// The events of lanes. The lanes themselves are defined in workspace.yaml; these events record locks and proposals.
import type {DeliveryEvent} from '../events/delivery-event.ts';

interface OfLane extends DeliveryEvent {
  readonly lane: string;
}

/** One session locks the lane for a while: no other session can claim in it. */
export interface LaneLockAcquired extends OfLane {
  readonly type: 'lane_lock_acquired';
  readonly token: number;
  readonly reason: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

export interface LaneLockReleased extends OfLane {
  readonly type: 'lane_lock_released';
  /** Why the lock was broken; absent if the holder released it. */
  readonly broken?: string;
}

/** No session can claim in the lane until it is unfrozen. */
export interface LaneFrozen extends OfLane {
  readonly type: 'lane_frozen';
  readonly reason: string;
}

export interface LaneThawed extends OfLane {
  readonly type: 'lane_thawed';
}

/** A change of workspace.yaml for a person to apply. */
export interface LaneProposed extends OfLane {
  readonly type: 'lane_proposed';
  readonly yaml: string;
}

export type LaneEvent = LaneLockAcquired | LaneLockReleased | LaneFrozen | LaneThawed | LaneProposed;
