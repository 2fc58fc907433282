// The facts about lanes. The lanes themselves stand in workspace.yaml; here is what holds them.
import type {DeliveryEvent} from '../events/delivery-event.ts';

interface OfLane extends DeliveryEvent {
  readonly lane: string;
}

/** One session has the lane to itself for a while: nobody else claims in it. */
export interface LaneLockAcquired extends OfLane {
  readonly type: 'lane_lock_acquired';
  readonly token: number;
  readonly reason: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

export interface LaneLockReleased extends OfLane {
  readonly type: 'lane_lock_released';
  /** Why it was taken from its holder; absent when the holder gave it back. */
  readonly broken?: string;
}

/** Nobody claims in the lane until it is thawed. */
export interface LaneFrozen extends OfLane {
  readonly type: 'lane_frozen';
  readonly reason: string;
}

export interface LaneThawed extends OfLane {
  readonly type: 'lane_thawed';
}

/** A change of workspace.yaml that a person is to make. */
export interface LaneProposed extends OfLane {
  readonly type: 'lane_proposed';
  readonly yaml: string;
}

export type LaneEvent = LaneLockAcquired | LaneLockReleased | LaneFrozen | LaneThawed | LaneProposed;
