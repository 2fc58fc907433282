// The days that figures cover: whole days in UTC, including the last one.
import {ToolError} from '@lumenflow/pack-sdk';

export interface WindowWords {
  /** First day, YYYY-MM-DD. */
  readonly since?: string;
  /** Last day; default today. */
  readonly until?: string;
  /** Instead of `since`; default 30. */
  readonly days?: number;
}

export interface Window {
  readonly since: string;
  readonly until: string;
  readonly days: number;
}

export const dayMs = 86_400_000;
const daysDefault = 30;

/** Throws ToolError INVALID_WINDOW. */
export function chooseWindow({since, until, days}: WindowWords, now: number): Window {
  const last = until === undefined ? dayOf(now) : parseDay(until);
  const first = since === undefined ? last - (days ?? daysDefault) + 1 : parseDay(since);
  if (first > last) {
    throw new ToolError('INVALID_WINDOW', `the window ends on ${dayText(last)}, before its start on ${dayText(first)}`);
  }
  return {since: dayText(first), until: dayText(last), days: last - first + 1};
}

/** The window in milliseconds. */
export interface Span {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** Exclusive end. */
  readonly to: number;
}

export function spanOf({since, until}: Window): Span {
  return {from: Date.parse(since), to: Date.parse(until) + dayMs};
}

export function isWithin({from, to}: Span, ms: number | undefined): boolean {
  return ms !== undefined && ms >= from && ms < to;
}

/** How much of the time between two moments is in the span. */
export function overlapMs(span: Span, from: number, to: number): number {
  return Math.max(0, Math.min(to, span.to) - Math.max(from, span.from));
}

/** Days since the epoch. */
export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs);
}

export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

function parseDay(text: string): number {
  const day = dayOf(Date.parse(text));
  if (!Number.isNaN(day) && dayText(day) === text) return day;
  throw new ToolError('INVALID_WINDOW', `\`${text}\` is not a valid day: write it as YYYY-MM-DD`);
}
