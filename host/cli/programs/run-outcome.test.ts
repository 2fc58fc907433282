// Scripts decide by the exit code whether a person has to answer.
import type {ProgramRun} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import type {Host} from '../../compose.ts';
import type {CliContext} from '../command.ts';
import {runOutcome} from './run-outcome.ts';

type Requests = ReturnType<Host['runtime']['listApprovals']>;
const hostWith = (...approvals: readonly object[]): Pick<Host, 'runtime'> =>
  ({runtime: {listApprovals: () => approvals as Requests}}) as unknown as Pick<Host, 'runtime'>;
const context = {env: {}} as Partial<CliContext> as CliContext;

test.each([
  ['succeeded', 0],
  ['failed', 1],
  ['waiting', 3],
  ['ambiguous', 3],
  ['interrupted', 130],
] as const)('a run that is %s ends the command with %i', (state, code) => {
  const run = {run_id: 'program-1', by: 'bob', state, value: null, approvals: ['apr-1']};
  expect(runOutcome(context, hostWith(), run as Partial<ProgramRun> as ProgramRun, 'ann').exitCode).toBe(code);
});

test('a request that must be signed with a passkey is approved in the dashboard', () => {
  const run = {run_id: 'program-1', by: 'ann', state: 'waiting', value: null, approvals: ['apr-1', 'apr-2']};
  const host = hostWith({request_id: 'apr-1', rules: [{approvers: {passkey: true}}]}, {request_id: 'apr-2', rules: []});
  expect(runOutcome(context, host, run as Partial<ProgramRun> as ProgramRun, 'ann').data).toMatchObject({
    next: [
      'lumenflow serve, then open #/approvals/apr-1',
      'lumenflow approvals approve apr-2 --as <you>',
      'lumenflow program resume program-1',
    ],
  });
});
