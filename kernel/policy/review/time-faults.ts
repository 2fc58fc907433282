// Times in a rule that never come, or that are over.
import type {PolicyMatcher, TimeMatcher} from '@lumenflow/schemas';
import {isRecord} from '../is-record.ts';
import {hasDay, lastDay, parseTimeWindow} from '../time/time-window.ts';

export interface TimeFault {
  readonly fault: 'never' | 'past';
  /** JSON pointer of the `time`. */
  readonly at: string;
}

const dayMs = 86_400_000;

/** Zones differ by up to a day, and a range of hours may end on the next one. */
const slackDays = 2;

export function* timeFaults(when: PolicyMatcher, nowMs: number, at = '/when'): Iterable<TimeFault> {
  for (const [name, operand] of Object.entries(when)) {
    const pointer = `${at}/${name}`;
    if (name === 'time') {
      const fault = faultOf(operand as TimeMatcher, nowMs);
      if (fault) yield {fault, at: pointer};
    } else if (name === 'not') yield* timeFaults(operand as PolicyMatcher, nowMs, pointer);
    else if ((name === 'all' || name === 'any') && Array.isArray(operand)) {
      for (const [index, inner] of operand.entries()) {
        if (isRecord(inner)) yield* timeFaults(inner, nowMs, `${pointer}/${index}`);
      }
    }
  }
}

function faultOf(time: TimeMatcher, nowMs: number): TimeFault['fault'] | undefined {
  const window = parseTimeWindow(time);
  if ('part' in window) return undefined;
  if (!hasDay(window)) return 'never';
  const last = lastDay(window);
  return last !== undefined && last + slackDays < nowMs / dayMs ? 'past' : undefined;
}
