// What a person does next about a session that waits.
import {expect, test} from 'vitest';
import type {AgentRun} from '../../agent/agent-sessions.ts';
import type {Host} from '../../compose.ts';
import type {CliContext} from '../command.ts';
import {runOutcome} from './run-outcome.ts';

function hostWith(approvals: readonly object[]): Host {
  const runtime = {
    listApprovals: () => approvals,
    evidence: {readTracesByTaskId: async () => ({receipts: []})},
  };
  return {runtime} as unknown as Host;
}

test.each([
  [{passkey: true}, 'lumenflow serve, then open #/approvals/apr-1'],
  [{count: 2}, 'lumenflow approvals approve apr-1 --as <you>'],
])('a request of a rule with the approvers %j: %s', async (approvers, step) => {
  const run = {session_id: 'agent-1', status: 'waiting', turns: 1, approvals: ['apr-1']};
  const host = hostWith([{request_id: 'apr-1', rules: [{approvers}]}]);
  const context = {env: {}} as Partial<CliContext> as CliContext;
  expect((await runOutcome(context, host, run as Partial<AgentRun> as AgentRun)).data).toMatchObject({
    next: [step, 'lumenflow agent resume agent-1'],
  });
});

test('the steps after an ambiguous call name it as the options expect it', async () => {
  const run = {session_id: 'agent-1', status: 'ended', outcome: 'ambiguous', turns: 1, ambiguous_call: '0/call-0-0'};
  const context = {env: {}} as Partial<CliContext> as CliContext;
  expect((await runOutcome(context, hostWith([]), run as Partial<AgentRun> as AgentRun)).data).toMatchObject({
    next: [
      'lumenflow agent resume agent-1 --did-not-happen 0/call-0-0',
      'lumenflow agent resume agent-1 --happened 0/call-0-0',
    ],
  });
});
