// What figures need to know of one work unit. Moments are milliseconds since the epoch, so that ten thousand of them
// stay a small snapshot.
export interface Timeline {
  readonly lane: string;
  readonly type: string;
  readonly depends_on?: readonly string[];
  readonly blocks?: readonly string[];
  /** The work unit that this one repairs. */
  readonly fixes?: string;
  readonly created: number;
  readonly status: 'ready' | 'in_progress' | 'blocked' | 'done';
  /** When it came to this status. */
  readonly since: number;
  /** First claim. */
  readonly claimed?: number;
  /** Milliseconds in progress before `since`. */
  readonly worked?: number;
  /** From and to of each time it was blocked, now excepted. */
  readonly blocked?: readonly (readonly [number, number])[];
  /** Its gates have passed once. */
  readonly passed?: true;
  /** It was taken up again, or its gates failed after they had passed. */
  readonly reworked?: true;
}

/** Runs of gates on one day. */
export interface GateDay {
  passed: number;
  /** Of each run; milliseconds. */
  readonly durations: number[];
}

/** When it was done; undefined before. */
export function doneAt({status, since}: Timeline): number | undefined {
  return status === 'done' ? since : undefined;
}

/** The timeline after a change of status. What only matters before it is done goes then. */
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

/** Claimed for the first time, or taken up again. */
export function claim(timeline: Timeline, at: number): Timeline {
  const moved = moveTo(timeline, 'in_progress', at);
  return timeline.claimed === undefined ? {...moved, claimed: at} : {...moved, reworked: true};
}

/** A failure before the first pass is how gates are meant to be used; one after it is rework. */
export function runGates(timeline: Timeline, passed: boolean): Timeline {
  if (passed) return {...timeline, passed: true};
  return timeline.passed === true ? {...timeline, reworked: true} : timeline;
}
