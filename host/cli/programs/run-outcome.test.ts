// Scripts decide by the exit code whether a person has to answer.
import type {ProgramRun} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import type {CliContext} from '../command.ts';
import {runOutcome} from './run-outcome.ts';

test.each([
  ['succeeded', 0],
  ['failed', 1],
  ['waiting', 3],
  ['ambiguous', 3],
  ['interrupted', 130],
] as const)('a run that is %s ends the command with %i', (state, code) => {
  const context = {env: {}} as Partial<CliContext> as CliContext;
  const run = {run_id: 'program-1', by: 'bob', state, value: null, approvals: ['apr-1']};
  expect(runOutcome(context, run as Partial<ProgramRun> as ProgramRun, 'ann').exitCode).toBe(code);
});
