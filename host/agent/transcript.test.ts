// What the record of a call means to a session that continues after it.
import type {KernelRuntime, Receipt} from '@lumenflow/kernel';
import {expect, test} from 'vitest';
import {readTranscript} from './transcript.ts';
import {turnTool} from './turn-tool.ts';

const turn = {
  requested_tools: [{id: 'one', name: 'demo:write', input: {}}],
  assistant_message: {},
  status: 'tool_request',
};

function receiptOf(tool_name: string, execution_metadata: object, finished: object | undefined): Receipt {
  const receipt_id = `rcp-${tool_name}`;
  return {
    receipt_id,
    started: {receipt_id, tool_name, execution_metadata},
    progress: [],
    finished,
  } as unknown as Receipt;
}

async function endOf(finished: object | undefined): Promise<string | undefined> {
  const receipts = [
    receiptOf('demo:write', {agent_turn_index: 0, agent_tool_call_count: 1, agent_tool_call_id: 'one'}, finished),
    receiptOf(turnTool, {agent_turn_index: 0}, {result: 'success', output_ref: 'turn'}),
  ];
  const evidence = {
    readTracesByTaskId: () => Promise.resolve({receipts}),
    readBlob: (ref: string) => Promise.resolve(ref === 'turn' ? JSON.stringify(turn) : undefined),
  } as unknown as KernelRuntime['evidence'];
  const [read] = await readTranscript({evidence}, 'task');
  return read?.attempts.get('one')?.at(-1)?.end;
}

test.each([
  ['that a crash ended', {result: 'crashed', error_code: 'TOOL_CRASHED'}, 'unknown'],
  ['without an outcome', undefined, 'unknown'],
  ['that was told to stop with its process', {result: 'failure', error_code: 'TOOL_CANCELLED'}, 'unknown'],
  ['that failed', {result: 'failure', error_code: 'TOOL_EXECUTION_FAILED'}, 'answered'],
  ['that waits for approval', {result: 'denied', error_code: 'APPROVAL_REQUIRED'}, 'waits'],
  ['that policy denied', {result: 'denied', error_code: 'POLICY_DENIED'}, 'denied'],
])('a call %s', async (_, finished, end) => {
  expect(await endOf(finished)).toBe(end);
});
