// Prints the calls of a program while it runs.
import type {ProgramStepRecord} from '@lumenflow/schemas';
import type {CliContext} from '../command.ts';
import {cleanLine} from '../rendering/clean-text.ts';
import {stepMark} from './step-mark.ts';

export function narrateSteps({notify, errorStyle: style}: CliContext): (record: ProgramStepRecord) => void {
  return ({step, kind, state, tool_id, error}) => {
    if (state === 'running' || (kind !== 'call' && kind !== 'wait_for_approval')) return;
    const reason = error ? `  ${style.bad(error.code)} ${cleanLine(error.message)}` : '';
    notify(`  ${stepMark(state, style)} ${cleanLine(tool_id ?? kind)}  ${style.dim(step)}${reason}`);
  };
}
