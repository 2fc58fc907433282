// The call of a step. If it has ended before, its receipt is the outcome, and it is not made again.
import {isRepeatable} from '../../../dispatch/is-repeatable.ts';
import type {ProgramCall} from '../interpreter/interpreter.ts';
import type {CallEnd} from '../interpreter/program-execution.ts';
import {endedAt, type Stopped} from '../interpreter/step-end.ts';
import type {StepPlace} from '../interpreter/step-place.ts';
import type {CallAttempt} from './call-attempt.ts';
import {followParked} from './follow-parked.ts';
import {judgeAttempts} from './judge-attempts.ts';
import type {ProgramRunContext} from './program-run-context.ts';
import {tooManyCalls} from './too-many-calls.ts';
import {valueOfAttempt} from './value-of-attempt.ts';

export async function callStep(run: ProgramRunContext, call: ProgramCall, place: StepPlace): Promise<CallEnd> {
  for (;;) {
    const attempts = await Promise.all(run.journal.attempts(place.at).map((each) => followParked(run.runtime, each)));
    const end = (await endOf(run, call, place, attempts)) ?? (await make(run, call, place, attempts.at(-1)));
    if (end) return end;
  }
}

/** What the attempts so far mean; undefined: the call is made. */
async function endOf(
  run: ProgramRunContext,
  call: ProgramCall,
  {at, deadline}: StepPlace,
  attempts: readonly CallAttempt[],
): Promise<CallEnd | undefined> {
  const {declaration} = run.runtime.workspace.tools.get(call.tool) ?? {};
  const judged = judgeAttempts(attempts, {isRepeatable: isRepeatable(declaration), deadline, now: run.now()});
  switch (judged.next) {
    case 'use':
      return await used(run, call, at, judged.attempt);
    case 'fail':
      return {end: {type: 'failed', error: judged.error}, receipt_id: attempts.at(-1)?.receipt_id};
    case 'wait':
      return stopped('waiting', judged.attempt);
    case 'settle':
      return await settle(run, call, at, judged.attempt);
    case 'make':
      return undefined;
    default:
      return judged satisfies never;
  }
}

/** Undefined: the call has an outcome. */
async function make(
  run: ProgramRunContext,
  call: ProgramCall,
  {at, deadline}: StepPlace,
  last: CallAttempt | undefined,
): Promise<CallEnd | undefined> {
  if (run.make === undefined) return stopped(last?.end === 'waits' ? 'waiting' : 'interrupted', last);
  const made = await run.make({...call, at, deadline});
  if (made === undefined) return {end: endedAt(at, tooManyCalls)};
  run.journal.add(at, made);
  if (made.end === 'waits') return stopped('waiting', made);
  if (made.end === 'prevented') return prevented(at, made);
  return made.end === 'cancelled' && run.now() < (deadline ?? Infinity) ? stopped('interrupted', made) : undefined;
}

async function used(run: ProgramRunContext, {tool}: ProgramCall, at: string, attempt: CallAttempt): Promise<CallEnd> {
  const {receipt_id, error} = attempt;
  if (error) return {end: {type: 'failed', error}, receipt_id};
  const value = await valueOfAttempt(run.runtime, tool, attempt);
  return {end: value.ok ? {type: 'value', value: value.value} : endedAt(at, value.problem), receipt_id};
}

/** Undefined: a person says that the call did not happen, so that it is made again. */
async function settle(
  run: ProgramRunContext,
  {tool}: ProgramCall,
  at: string,
  attempt: CallAttempt,
): Promise<CallEnd | undefined> {
  const {receipt_id} = attempt;
  const question = `did \`${tool}\` happen? Approve: it did, and the program continues without its value. Reject: it did not, and is made again`;
  const {answer, request_id} = await run.ask({shown: {step: at, question, receipt_id}, self_approval: true});
  // The call runs now, or its process was killed.
  if (answer === 'unasked') return stopped('interrupted', attempt);
  if (answer === 'rejected') return undefined;
  if (answer === 'approved') return {end: {type: 'value', value: null}, receipt_id};
  const message = `it is unknown whether \`${tool}\` happened: answer request \`${request_id ?? ''}\``;
  const end = {
    ...endedAt(at, {code: 'TOOL_CRASHED', message}),
    state: 'ambiguous' as const,
    approvals: idsOf(request_id),
  };
  return {end, receipt_id, request_id};
}

function stopped(state: Stopped['state'], attempt: CallAttempt | undefined): CallEnd {
  const {receipt_id, request_id} = attempt ?? {};
  return {end: {type: 'stopped', state, approvals: idsOf(request_id)}, receipt_id, request_id};
}

function prevented(at: string, {receipt_id, error}: CallAttempt): CallEnd {
  const failure = {code: 'TASK_NOT_ACTIVE', message: 'the call was prevented', ...error};
  return {end: {...endedAt(at, failure), state: 'interrupted'}, receipt_id};
}

function idsOf(request_id: string | undefined): readonly string[] {
  return request_id === undefined ? [] : [request_id];
}
