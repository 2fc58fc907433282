// Programs of a pack as its tools, on a real host.
import {resumeProgram, runProgram} from '@lumenflow/host/exec';
import type {Program, ToolOutput} from '@lumenflow/schemas';
import type {Receipt} from '@lumenflow/kernel';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {programWorkspace} from './program-workspace.fixture.ts';

const workspace = programWorkspace({copied: {flow: join(import.meta.dirname, 'flow-pack')}});
const {made, failing} = workspace;

interface Called {
  readonly output: ToolOutput;
  /** Of the session, the oldest first. */
  readonly receipts: readonly Receipt[];
}

async function call(tool: string, input: object, signal?: AbortSignal): Promise<Called> {
  const {host} = workspace;
  const session = await host.openSession({by: 'bob'});
  if (!session.success) throw new Error(session.error.message);
  const output = await session.call(tool, input, signal ? {signal} : {});
  const {receipts} = await host.runtime.evidence.readTracesByTaskId(session.task_id);
  await session.release('done');
  return {output, receipts: receipts.toReversed()};
}

it('makes the calls of the program, nested in its own and with no more scopes', async () => {
  failing.add('i1');
  const {output, receipts} = await call('flow:publish-all', {count: 2});
  expect(output).toMatchObject({
    success: true,
    data: {all: ['i0 found', 'i1 TOOL_EXECUTION_FAILED'], read: ['docs/**']},
  });
  const [own, ...nested] = receipts;
  expect(own?.started.tool_name).toBe('flow:publish-all');
  expect(own?.receipt_id).toBe(output.metadata?.receipt_id);
  expect(nested.map(({started}) => started.tool_name).toSorted()).toEqual([
    'item:read',
    'item:read',
    'item:write',
    'item:write',
    'list:find',
    'scope:show',
  ]);
  for (const {started} of nested) expect(started.parent_receipt_id).toBe(own?.receipt_id);
});

it('is one call of a program that is resumed', async () => {
  const {host} = workspace;
  const program: Program = {
    name: 'whole',
    steps: [
      {call: 'flow:publish-all', args: {count: 1}, as: 'published'},
      {wait_for_approval: 'Go on?'},
      {return: '${published.all}'},
    ],
  };
  const waiting = await runProgram(host, {program, by: 'bob'});
  if (!waiting.ok) throw new Error(waiting.problem.message);
  const {run_id, approvals = []} = waiting.value;
  for (const request_id of approvals) {
    await host.runtime.resolveApproval({request_id, approved: true, approved_by: 'ann'});
  }
  const resumed = await resumeProgram(host, {run_id, by: 'bob'});
  expect(resumed).toMatchObject({value: {state: 'succeeded', value: ['i0 found']}});
  expect(made).toEqual(['read i0', 'write i0']);
});

it('ends with the error of a call and its step', async () => {
  const {output} = await call('flow:publish-all', {count: 0, finally: 'purge'});
  expect(output.error).toMatchObject({code: 'POLICY_DENIED', details: {step: '/steps/2/cases/0/steps/0'}});
});

it('ends where a call needs an approval, and no `catch` handles it', async () => {
  const {output} = await call('flow:publish-all', {count: 1, finally: 'publish'});
  expect(output.error).toMatchObject({code: 'APPROVAL_REQUIRED', details: {request_id: expect.any(String)}});
  expect(made).toEqual(['read i0', 'write i0']);
});

it('is checked with the tools of the workspace before its first call', async () => {
  const {output} = await call('flow:missing', {});
  expect(output.error?.code).toBe('TOOL_EXECUTION_FAILED');
  expect(output.error?.message).toContain('missing.yaml:4:12: there is no tool `item:wrte`');
  expect(output.error?.message).toContain('missing.yaml:5:30: the input of `item:write`: `id` is missing');
  expect(made).toEqual([]);
});

it('checks its input against the inputs of the program', async () => {
  expect((await call('flow:publish-all', {count: 'two'})).output.error?.code).toBe('INVALID_INPUT');
});

it('ends its calls in time, when it is cancelled, and before they are nested too deeply', async () => {
  expect((await call('flow:wait', {ms: 0})).output).toMatchObject({data: 'TOOL_TIMEOUT'});
  expect((await call('flow:wait-briefly', {ms: 1})).output.error).toMatchObject({code: 'TOOL_TIMEOUT'});
  expect((await call('flow:wait', {ms: 1}, AbortSignal.timeout(100))).output.error).toMatchObject({
    code: 'TOOL_CANCELLED',
  });
  expect((await call('flow:again', {})).output.error).toMatchObject({code: 'LIMIT_EXCEEDED'});
});
