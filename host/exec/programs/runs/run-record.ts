// The record of a run, from how its execution ended.
import type {ProgramRun, ProgramSource, ToolFailure} from '@lumenflow/schemas';
import type {StepFailure} from '../interpreter/step-end.ts';
import type {Executed} from '../interpreter/execute-document.ts';

export interface RunIdentity {
  readonly run_id: string;
  readonly name: string;
  readonly source: ProgramSource;
}

export function runRecord({run_id, name, source}: RunIdentity, {end, steps}: Executed): ProgramRun {
  const record = {run_id, name, by: source.by, inputs: source.inputs, steps: [...steps], value: null};
  if (end.type === 'next') return {...record, state: 'succeeded'};
  if (end.type === 'returned') return {...record, state: 'succeeded', value: end.value};
  if (end.type === 'failed') return {...record, state: 'failed', error: errorOf(end.failure)};
  const {state, approvals, failure} = end;
  return {
    ...record,
    state,
    ...(approvals.length > 0 && {approvals: [...approvals]}),
    ...(failure && {error: errorOf(failure)}),
  };
}

function errorOf({code, message, details, step}: StepFailure): ToolFailure {
  return {code, message, details: {...details, step}};
}
