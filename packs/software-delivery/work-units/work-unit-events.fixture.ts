// Work units for tests, built from log events.
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {LaneEvent} from '../lane-locks/lane-event.ts';
import type {WuEvent} from './wu-event.ts';
import type {WuSpec} from './wu-spec.ts';
import {workUnitSlice, type WorkUnits} from './work-unit-slice.ts';

/** Session `s1`, at the start of 2026. */
export const stamp = {at: '2026-01-01T00:00:00.000Z', by: 's1'};

/** The stamp of a session, the given minutes later. */
export function later(minutes: number, by: string = stamp.by): typeof stamp {
  return {at: new Date(Date.parse(stamp.at) + minutes * 60_000).toISOString(), by};
}

export function specOf(number: number, more: Partial<WuSpec> = {}): WuSpec {
  return {
    id: `WU-${number}`,
    title: `Unit ${number}`,
    lane: 'core',
    type: 'feature',
    priority: 'P2',
    description: 'Context, problem and solution, in at least fifty characters of prose.',
    acceptance: ['it works'],
    code_paths: [`src/${number}/**`],
    ...more,
  };
}

export function created(number: number, more: Partial<WuSpec> = {}): WuEvent {
  const spec = specOf(number, more);
  return {type: 'wu_created', ...stamp, id: spec.id, spec, spec_hash: `hash-${number}`};
}

/** Claimed by session `by` for an hour. */
export function claimed(number: number, token: number, {at, by}: typeof stamp = stamp): WuEvent {
  const expires_at = new Date(Date.parse(at) + 3_600_000).toISOString();
  const id = `WU-${number}`;
  const place = {branch: `lane/core/wu-${number}`, worktree: `worktrees/wu-${number}`};
  return {type: 'wu_claimed', at, by, id, token, expires_at, ...place};
}

export function completed(number: number): WuEvent {
  return {type: 'wu_completed', ...stamp, id: `WU-${number}`, token: 0};
}

export function given(...events: readonly (WuEvent | LaneEvent)[]): WorkUnits {
  return events.reduce((state, event) => workUnitSlice.evolve(state, event), structuredClone(workUnitSlice.initial));
}

/** The state after the decided events. */
export function after(state: WorkUnits, events: readonly DeliveryEvent[]): WorkUnits {
  return events.reduce((next, event) => workUnitSlice.evolve(next, event as WuEvent), structuredClone(state));
}
