// The data of one work unit for figures. Times are milliseconds since the epoch, so that a snapshot of ten thousand units stays
// small.
export interface Timeline {
  readonly lane: string;
  readonly type: string;
  readonly depends_on?: readonly string[];
  readonly blocks?: readonly string[];
  /** The work unit that this one fixes. */
  readonly fixes?: string;
  readonly created: number;
  readonly status: 'ready' | 'in_progress' | 'blocked' | 'done';
  /** When it entered this status. */
  readonly since: number;
  /** First claim. */
  readonly claimed?: number;
  /** Milliseconds in progress before `since`. */
  readonly worked?: number;
  /** Start and end of each blocked time, except the current one. */
  readonly blocked?: readonly (readonly [number, number])[];
  /** Its gates have passed at least once. */
  readonly passed?: true;
  /** It was claimed again, or its gates failed after passing. */
  readonly reworked?: true;
}

/** Runs of gates on one day. */
export interface GateDay {
  passed: number;
  /** Of each run, in milliseconds. */
  readonly durations: number[];
}

/** When it was done; undefined if it is not. */
export function doneAt({status, since}: Timeline): number | undefined {
  return status === 'done' ? since : undefined;
}

/** The timeline after a change of status. Fields that matter only before completion are removed at completion. */
export function moveTo(timeline: Timeline, status: Timeline['status'], at: number): Timeline {
  const {depends_on: _, blocks: __, passed: ___, ...rest} = timeline;
  const {worked = 0, blocked = [], since} = rest;
  return {
    ...(status === 'done' ? rest : timeline),
    status,
    since: at,
    ...(timeline.status === 'in_progress' && {worked: worked + at - since}),
    ...(timeline.status === 'blocked' && {blocked: [...blocked, [since, at] as const]}),
  };
}

/** Claimed for the first time, or again. */
export function claim(timeline: Timeline, at: number): Timeline {
  const moved = moveTo(timeline, 'in_progress', at);
  return timeline.claimed === undefined ? {...moved, claimed: at} : {...moved, reworked: true};
}

/** A failure before the first pass is normal use of gates; a failure after it is rework. */
export function runGates(timeline: Timeline, passed: boolean): Timeline {
  if (passed) return {...timeline, passed: true};
  return timeline.passed === true ? {...timeline, reworked: true} : timeline;
}
