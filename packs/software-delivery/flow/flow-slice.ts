// The data of flow figures: the timeline of every work unit, and the gate runs of each day.
import type {Slice} from '../events/slice.ts';
import type {GatesRecorded} from '../gates/gate-event.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import type {WuSpec} from '../work-units/wu-spec.ts';
import {claim, moveTo, runGates, type GateDay, type Timeline} from './timeline.ts';

export interface Flow {
  /** By work unit. */
  readonly timelines: Record<string, Timeline>;
  /** By day, YYYY-MM-DD. */
  readonly gates: Record<string, GateDay>;
}

export const flowSlice: Slice<Flow, WuEvent | GatesRecorded> = {
  name: 'flow',
  version: 1,
  initial: {timelines: {}, gates: {}},
  evolve(state, event) {
    if (event.type === 'gates_recorded') evolveGates(state, event);
    else if (event.type.startsWith('wu_')) evolveTimelines(state.timelines, event);
    return state;
  },
};

function evolveGates({gates, timelines}: Flow, {at, task_id: id, passed, duration_ms: duration}: GatesRecorded): void {
  const day = (gates[at.slice(0, 10)] ??= {passed: 0, durations: []});
  if (passed) day.passed += 1;
  day.durations.push(duration);
  const timeline = timelines[id];
  if (timeline !== undefined) timelines[id] = runGates(timeline, passed);
}

function evolveTimelines(timelines: Record<string, Timeline>, event: WuEvent): void {
  const {id} = event;
  const at = Date.parse(event.at);
  const timeline = timelines[id];
  if (event.type === 'wu_created') {
    timelines[id] = {...wordsOf(event.spec), created: at, status: 'ready', since: at};
  } else if (event.type === 'wu_deleted' || (event.type === 'wu_completed' && timeline?.claimed === undefined)) {
    // A unit that was never claimed was done before the log began, so it does not count.
    delete timelines[id];
  } else if (timeline !== undefined) {
    timelines[id] = evolveTimeline(timeline, event, at);
  }
}

const statusAfter: Readonly<Partial<Record<WuEvent['type'], Timeline['status']>>> = {
  wu_blocked: 'blocked',
  wu_unblocked: 'in_progress',
  wu_released: 'ready',
  wu_completed: 'done',
};

function evolveTimeline(timeline: Timeline, event: WuEvent, at: number): Timeline {
  if (event.type === 'wu_claimed') return claim(timeline, at);
  if (event.type === 'wu_edited') {
    const {lane: _, type: __, depends_on: ___, blocks: ____, fixes: _____, ...times} = timeline;
    return {...times, ...wordsOf(event.spec)};
  }
  const status = statusAfter[event.type];
  return status === undefined ? timeline : moveTo(timeline, status, at);
}

/** Omits empty fields, because ten thousand timelines share one snapshot. */
function wordsOf({
  lane,
  type,
  depends_on = [],
  blocks = [],
  fixes,
}: WuSpec): Pick<Timeline, 'lane' | 'type' | 'depends_on' | 'blocks' | 'fixes'> {
  return {
    lane,
    type,
    ...(depends_on.length > 0 && {depends_on}),
    ...(blocks.length > 0 && {blocks}),
    ...(fixes !== undefined && {fixes}),
  };
}
