// How the loop ends when a turn fails: as the session's failure, or as a temporary failure of the machine.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {ToolFailure} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import type {AgentLoopResult} from './agent-event.ts';
import {AgentSessionError} from './agent-session-error.ts';
import {runGovernedAgentLoop} from './run-governed-agent-loop.ts';
import type {SessionView} from '@lumenflow/schemas/agent-session';

const view: SessionView = {
  session_id: 'one',
  status: 'ready',
  brief: {task: 'Do it'},
  turns: 0,
  said: [],
  decisions: [],
  continuations: [],
  messages: [{role: 'user', content: 'Do it'}],
  intent_catalog: [],
};

/** The loop of a session whose first turn ends as given. */
async function endOf(error: ToolFailure, signal?: AbortSignal): Promise<AgentLoopResult> {
  const runtime = {
    evidence: {readTracesByTaskId: async () => ({receipts: []})},
    executeTool: async () => ({success: false, error}),
  } as unknown as KernelRuntime;
  const session = {context: {task_id: 'one', run_id: 'run-1', session_id: 'one'}, view};
  return await runGovernedAgentLoop({runtime, session, signal});
}

const failure = (code: string, details: ToolFailure['details'] = {}): ToolFailure => ({
  code,
  message: 'reported',
  details,
});

test.each([
  ['what the model or its tool says', failure('MODEL_REFUSED'), 'failed'],
  ['a time-out', failure('TOOL_TIMEOUT'), 'failed'],
  ['a limit', failure('POLICY_DENIED', {rule_id: 'agent-runtime.limit.turns'}), 'limit'],
])('%s ends the session', async (_, error, outcome) => {
  expect(await endOf(error)).toEqual({status: 'ended', outcome, message: `${error.code}: reported`, turns: 0});
});

test.each([
  ['a busy host', failure('LIMIT_EXCEEDED', {retryable: true})],
  ['a log that cannot be written', failure('EVIDENCE_UNAVAILABLE', {ran: false, retryable: true})],
])('%s leaves it where it stood', async (_, error) => {
  const refused = await endOf(error).catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(AgentSessionError);
  expect(refused).toMatchObject({failure: error});
});

test('closing the host interrupts the loop, as its caller does', async () => {
  expect(await endOf(failure('TOOL_CANCELLED'))).toEqual({status: 'interrupted', turns: 0});
  expect(await endOf(failure('TOOL_CRASHED'), AbortSignal.abort())).toEqual({status: 'interrupted', turns: 0});
});
