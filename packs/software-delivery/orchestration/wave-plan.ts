// What planning in waves is asked and what it answers.
export interface WaveUnit {
  readonly id: string;
  readonly lane: string;
  readonly priority: 'P0' | 'P1' | 'P2' | 'P3';
  readonly status: 'ready' | 'in_progress' | 'blocked' | 'done';
  readonly depends_on: readonly string[];
  /** Those that may change the same files, and so cannot be in progress at the same time. */
  readonly overlaps: readonly string[];
  /** Somebody was asked to do it already: it keeps its place before others. */
  readonly is_handed_out: boolean;
}

export interface WaveQuestion {
  readonly units: readonly WaveUnit[];
  /** Others that are in progress or blocked: they take places of lanes, and paths. */
  readonly beside: readonly WaveUnit[];
  /** Others that are done. A dependency that is neither here nor a unit is one that nobody has planned. */
  readonly done: ReadonlySet<string>;
  /** WIP limits by lane; a lane that is not here has none. */
  readonly limits: ReadonlyMap<string, number>;
}

export interface WavePlan {
  readonly waves: readonly Wave[];
  readonly deferred: readonly Deferral[];
  /** The longest chain of units that are not done, each depending on the one before. */
  readonly critical_path: readonly string[];
}

export interface Wave {
  /** 1 is what is going on and what can begin now; it is missing when that is nothing. */
  readonly wave: number;
  readonly wus: readonly string[];
}

/** Why a unit is not in the wave in which its dependencies would let it be, or in none. */
export interface Deferral {
  readonly wu: string;
  readonly reason: 'blocked' | 'dependency' | 'lane_wip' | 'overlap';
  /** For people. */
  readonly message: string;
  /** The wave it is in after all; absent when nobody can say. */
  readonly wave?: number;
  /** What has to be done or unblocked first: units, whether of the plan or not. */
  readonly waits_for?: readonly string[];
}

/** What keeps a unit from being begun in a wave. */
export type Obstacle =
  | {readonly reason: 'lane_wip'; readonly lane: string; readonly limit: number}
  | {readonly reason: 'overlap'; readonly with: readonly string[]};
