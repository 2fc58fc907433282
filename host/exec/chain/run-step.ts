// One step of a chain: its condition, its input from earlier values, its call.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {ChainCondition, ChainStep, ChainStepResult, ToolRun} from '@lumenflow/schemas';
import {isDeepStrictEqual} from 'node:util';
import type {RunOptions} from '../run-tool.ts';
import {resolveReferences} from './references.ts';
import {valueAt, type ChainValues} from './value-at.ts';

export type RunStep = (id: string, args: unknown, options?: RunOptions) => Promise<ToolRun>;

/** Without a call if its condition is not met, or a value that it needs does not exist. */
export async function runStep(
  run: RunStep,
  step: ChainStep,
  values: ChainValues,
  options: RunOptions,
): Promise<ChainStepResult> {
  const result: ChainStepResult = {tool_id: step.tool, status: 'skipped'};
  if (step.as !== undefined) result.as = step.as;
  if (step.when && !isMet(step.when, values)) return result;
  const input = inputOf(step, values);
  if (!input.ok) return {...result, status: 'failed', error: {code: 'INVALID_INPUT', message: input.problem}};
  const {value, error, duration_ms, receipt_id} = await run(step.tool, input.value, options);
  result.status = error ? 'failed' : 'succeeded';
  result.duration_ms = duration_ms;
  if (receipt_id !== undefined) result.receipt_id = receipt_id;
  if (error) result.error = error;
  else result.value = value;
  return result;
}

function isMet(condition: ChainCondition, values: ChainValues): boolean {
  const found = valueAt(values, condition.value);
  if (!found.ok) return false;
  if ('is' in condition) return isDeepStrictEqual(found.value, condition.is);
  const {value} = found;
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

function inputOf({args = {}, use_previous}: ChainStep, values: ChainValues): Outcome<unknown, string> {
  const own = resolveReferences(args, values);
  if (!own.ok || use_previous !== true) return own;
  const previous = valueAt(values, '/previous');
  if (!previous.ok) return previous;
  const {value} = previous;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return failed(
      '`use_previous` needs an object, and the previous value is not one: pass it with `{"$from": "/previous"}`',
    );
  }
  return ok({...value, ...(own.value as object)});
}
