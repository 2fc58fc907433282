// The assignee and the due date of a work unit. They are in the log, not in the spec, so that they can change during the work.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {EventStamp} from '../events/delivery-event.ts';
import type {WuAssigned} from './wu-event.ts';

/** Absent fields stay as they are; null removes the value. */
export interface Assignment {
  /** `me`: the caller. */
  readonly assignee?: string | null;
  /** `YYYY-MM-DD`. */
  readonly due?: string | null;
}

/** The events of an assignment; none if it is empty. Throws ToolErrors of `personOf` and INVALID_DATE. */
export function assignmentEvents(
  context: Pick<ToolContext, 'principal'>,
  {id, stamp}: {readonly id: string; readonly stamp: EventStamp},
  {assignee, due}: Assignment,
): readonly WuAssigned[] {
  if (assignee === undefined && due === undefined) return [];
  if (typeof due === 'string') checkDate(due);
  return [
    {
      type: 'wu_assigned',
      ...stamp,
      id,
      ...(assignee !== undefined && {assignee: assignee === null ? null : personOf(context, assignee)}),
      ...(due !== undefined && {due}),
    },
  ];
}

/** Resolves `me`. Throws ToolError CALLER_UNKNOWN. */
export function personOf({principal}: Pick<ToolContext, 'principal'>, name: string): string {
  if (name !== 'me') return name;
  if (principal !== undefined) return principal.name;
  throw new ToolError(
    'CALLER_UNKNOWN',
    'the host reports no principal for this call, so `me` has no meaning: give the name',
  );
}

function checkDate(text: string): void {
  const time = new Date(`${text}T00:00:00Z`);
  if (!Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)) return;
  throw new ToolError('INVALID_DATE', `\`${text}\` is not a valid date: use YYYY-MM-DD, for example 2026-11-22`);
}
