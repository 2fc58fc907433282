// The input and output of wave planning.
export interface WaveUnit {
  readonly id: string;
  readonly lane: string;
  readonly priority: 'P0' | 'P1' | 'P2' | 'P3';
  readonly status: 'ready' | 'in_progress' | 'blocked' | 'done';
  readonly depends_on: readonly string[];
  /** Units that may change the same files, and so cannot be in progress at the same time. */
  readonly overlaps: readonly string[];
  /** It has an assignee: it keeps its place before others. */
  readonly is_handed_out: boolean;
}

export interface WaveQuestion {
  readonly units: readonly WaveUnit[];
  /** Other units in progress or blocked: they occupy lane slots and paths. */
  readonly beside: readonly WaveUnit[];
  /** Other finished units. A dependency that is neither here nor a unit is not planned. */
  readonly done: ReadonlySet<string>;
  /** WIP limits by lane; a missing lane has no limit. */
  readonly limits: ReadonlyMap<string, number>;
}

export interface WavePlan {
  readonly waves: readonly Wave[];
  readonly deferred: readonly Deferral[];
  /** The longest chain of unfinished units in which each depends on the previous one. */
  readonly critical_path: readonly string[];
}

export interface Wave {
  /** 1 contains active work and work that can start now; it is missing if there is neither. */
  readonly wave: number;
  readonly wus: readonly string[];
}

/** Why a unit is in a later wave than its dependencies require, or in none. */
export interface Deferral {
  readonly wu: string;
  readonly reason: 'blocked' | 'dependency' | 'lane_wip' | 'overlap';
  /** Message for people. */
  readonly message: string;
  /** The wave that it was moved to; absent if unknown. */
  readonly wave?: number;
  /** Units that must be done or unblocked first, inside or outside the plan. */
  readonly waits_for?: readonly string[];
}

/** What prevents a unit from starting in a wave. */
export type Obstacle =
  | {readonly reason: 'lane_wip'; readonly lane: string; readonly limit: number}
  | {readonly reason: 'overlap'; readonly with: readonly string[]};
