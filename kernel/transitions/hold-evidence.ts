// Legal holds: what they cover is neither deleted nor redacted until a person lifts them. Both are recorded with a reason.
import type {HeldCalls} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import {checkIds} from './check-ids.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import type {Hold} from '../retention/retention.ts';

export interface HoldCommand {
  readonly covers: HeldCalls;
  readonly by: string;
  readonly reason: string;
}

export interface LiftCommand {
  readonly hold_id: string;
  readonly by: string;
  readonly reason: string;
}

export async function holdEvidence(kernel: Kernel, {covers, by, reason}: HoldCommand): Promise<TransitionResult<Hold>> {
  const invalid = checkIds({by}) ?? checkReason(reason) ?? checkCovers(kernel, covers);
  if (invalid) return invalid;
  const {clock, ids, events} = kernel.ports;
  const [hold_id, timestamp] = [ids.next('hold'), clock.timestamp()];
  const event = {type: 'evidence_held' as const, timestamp, actor: by, hold_id, reason, covers};
  await events.transact(() => ({events: [event], result: undefined}));
  return succeed({hold_id, covers, reason, by, at: timestamp});
}

export async function liftHold(kernel: Kernel, {hold_id, by, reason}: LiftCommand): Promise<TransitionResult<Hold>> {
  const invalid = checkIds({hold_id, by}) ?? checkReason(reason);
  if (invalid) return invalid;
  return await kernel.ports.events.transact<TransitionResult<Hold>>(() => {
    const hold = kernel.state.retention.holds.find((each) => each.hold_id === hold_id);
    if (hold === undefined) {
      return {
        events: [],
        result: fail('HOLD_NOT_FOUND', `there is no legal hold \`${hold_id}\`, or it was lifted before`),
      };
    }
    const timestamp = kernel.ports.clock.timestamp();
    return {
      events: [{type: 'evidence_hold_lifted', timestamp, actor: by, hold_id, reason}],
      result: succeed(hold),
    };
  });
}

function checkReason(reason: unknown): TransitionResult<never> | undefined {
  if (typeof reason === 'string' && reason.trim() !== '') return undefined;
  return fail('INVALID_INPUT', '`reason` must be a text');
}

const utcTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/u;

/** A legal hold that covers nothing because of a mistyped name would be noticed too late. */
function checkCovers({workspace}: Kernel, covers: HeldCalls): TransitionResult<never> | undefined {
  if (Object.values(covers).every((value) => value === undefined)) {
    return fail('INVALID_INPUT', 'a legal hold must name a task, a session, a tool, a lane or a time');
  }
  const {lane_id, since, until} = covers;
  for (const time of [since, until]) {
    if (time !== undefined && !utcTime.test(time)) {
      return fail(
        'INVALID_INPUT',
        `\`${time}\` is not a valid time: use ISO 8601 in UTC, for example \`2026-11-22T09:00:00.000Z\``,
      );
    }
  }
  if (lane_id !== undefined && !workspace.spec.lanes.some(({id}) => id === lane_id)) {
    return fail('LANE_NOT_FOUND', `there is no lane \`${lane_id}\``);
  }
  return undefined;
}
