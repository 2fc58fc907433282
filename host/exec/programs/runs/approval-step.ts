// `wait_for_approval`: the request is an event like its answer, so a waiting program needs no process.
import type {CallEnd} from '../interpreter/program-execution.ts';
import {endedAt} from '../interpreter/step-end.ts';
import type {StepPlace} from '../interpreter/step-place.ts';
import type {ProgramRunContext} from './program-run-context.ts';

export async function approvalStep(run: ProgramRunContext, statement: string, {at}: StepPlace): Promise<CallEnd> {
  const {answer, request_id, error} = await run.ask({shown: {step: at, statement}});
  if (error) return {end: {...endedAt(at, error), state: 'interrupted'}};
  if (answer === 'approved') return {end: {type: 'value', value: null}, request_id};
  if (answer === 'unasked') return {end: {type: 'stopped', state: 'interrupted', approvals: []}};
  if (answer === 'pending')
    return {end: {type: 'stopped', state: 'waiting', approvals: [request_id ?? '']}, request_id};
  const message = `a person rejected request \`${request_id ?? ''}\`: ${statement}`;
  return {end: {type: 'failed', error: {code: 'POLICY_DENIED', message}}, request_id};
}
