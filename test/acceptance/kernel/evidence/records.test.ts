// The records of a running call in time order: the intent first, then the handler's reports, then the outcome.
import type {DispatchRequest} from '@lumenflow/kernel';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import {createStage, filesPack, unwrap, type Stage} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';
import {passThroughContents} from '../../../support/pass-through-state.ts';

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  test('the intent and the input are recorded before the handler runs, the outcome after it', async () => {
    const seen: unknown[] = [];
    const runtime = await stage.open({
      scripts: {
        async 'files:write'({receipt_id}) {
          const receipt = await runtime.evidence.receipt(receipt_id);
          seen.push(receipt?.started, receipt?.finished);
          seen.push(await runtime.evidence.readBlob(receipt?.started.input_ref ?? ''));
          stage.clock.move(12);
          return {
            output: {success: true, data: {bytes: 1}, metadata: {note: 'hello'}},
            artifacts_written: ['a.txt'],
            enforcement: {backend: 'script', tier: 'none'},
          };
        },
      },
    });
    const context = await runtime.startTask();
    const metadata = {...context, execution_metadata: {model: 'm'}};
    const output = await runtime.executeTool('files:write', {path: 'a.txt', n: -0}, metadata);
    expect(output).toEqual({
      success: true,
      data: {bytes: 1},
      metadata: {receipt_id: output.metadata?.receipt_id, note: 'hello', artifacts_written: ['a.txt']},
    });
    expect(seen).toEqual([
      expect.objectContaining({
        type: 'tool_call_started',
        tool_name: 'files:write',
        task_id: 'task-1',
        lane_id: 'core',
        session_id: 'session-1',
        run_id: context.run_id,
        pack_id: 'files',
        pack_version: '1.0.0',
        pack_integrity: filesPack.integrity,
        execution_mode: 'sandbox',
        execution_metadata: {model: 'm'},
        scope_requested: [{type: 'path', pattern: '**', access: 'write'}],
        scope_enforced: {read: ['**'], write: ['**'], network: {posture: 'off', allowlist_entries: []}},
        policy_decisions: [
          {
            decision: 'allow',
            layer: 'workspace',
            rule_id: 'workspace.default',
            where: 'workspace.yaml#/policies/default_decision',
          },
        ],
      }),
      undefined,
      '{"n":0,"path":"a.txt"}',
    ]);
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(receipt?.finished).toMatchObject({
      result: 'success',
      duration_ms: 12,
      artifacts_written: ['a.txt'],
      enforcement: {backend: 'script', tier: 'none'},
    });
    expect(await runtime.evidence.readBlob(receipt?.finished?.output_ref ?? '')).toBe('{"bytes":1}');
  });

  test('the input is kept before policy is asked', async () => {
    const puts: string[] = [];
    const runtime = await stage.open({
      packs: [
        examplePack({
          id: 'p',
          tools: [{name: 'p:tool'}],
          rules: [{id: 'look', trigger: 'on_tool_request', decision: 'deny', when: () => puts.length > 0}],
        }),
      ],
      contents: (log) =>
        passThroughContents(log, {
          async put(text) {
            puts.push(text);
            return await log.put(text);
          },
        }),
    });
    const output = await runtime.executeTool('p:tool', {a: 1}, await runtime.startTask());
    expect(output.error).toMatchObject({code: 'POLICY_DENIED', details: {rule_id: 'look', layer: 'pack'}});
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(await runtime.evidence.readBlob(receipt?.started.input_ref ?? '')).toBe('{"a":1}');
  });

  test('progress reaches the caller at once and the log in order, before the outcome', async () => {
    const received: unknown[] = [];
    const runtime = await stage.open({
      scripts: {
        'files:read'({onProgress}) {
          onProgress({percent: 10});
          onProgress('half');
          onProgress('x'.repeat(70_000));
          for (const odd of [undefined, 1n, () => 1]) onProgress(odd);
          expect(received.slice(0, 2)).toEqual([{percent: 10}, 'half']);
          return {output: {success: true}};
        },
      },
    });
    const context = {...(await runtime.startTask()), onProgress: (payload: unknown) => void received.push(payload)};
    const output = await runtime.executeTool('files:read', {}, context);
    expect(output.success).toBe(true);
    expect(received).toHaveLength(6);
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(receipt?.progress.map(({sequence, payload}) => [sequence, payload])).toEqual([
      [1, {percent: 10}],
      [2, 'half'],
    ]);
    const seqs = [receipt?.started, ...(receipt?.progress ?? []), receipt?.finished].map((record) => record?.seq ?? 0);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  });

  test('a listener that throws harms neither the call nor its record', async () => {
    const runtime = await stage.open({
      scripts: {
        'files:read'({onProgress, onLog}) {
          onProgress(1);
          onLog({level: 'info', message: 'kept'});
          return {output: {success: true}};
        },
      },
    });
    const context = await runtime.startTask();
    const received: unknown[] = [];
    const onProgress = (): void => {
      throw new Error('not my day');
    };
    const onLog = (entry: unknown): void => {
      received.push(entry);
      throw new Error('nor mine');
    };
    const output = await runtime.executeTool('files:read', {}, {...context, onProgress, onLog});
    expect(output.success).toBe(true);
    expect(received).toEqual([{level: 'info', message: 'kept'}]);
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(receipt?.progress).toHaveLength(1);
    const log = await runtime.evidence.readBlob(receipt?.finished?.log_ref ?? '');
    expect(log).toContain('kept');
    expect(log).toContain('listener for progress threw: Error: not my day');
    expect(log).toContain('listener for log threw: Error: nor mine');
  });

  test('messages of a handler after its outcome are ignored', async () => {
    let late: DispatchRequest | undefined;
    const runtime = await stage.open({
      scripts: {
        'files:read'(request) {
          late = request;
          return {output: {success: true}};
        },
      },
    });
    const received: unknown[] = [];
    const context = {...(await runtime.startTask()), onProgress: (payload: unknown) => void received.push(payload)};
    const output = await runtime.executeTool('files:read', {}, context);
    late?.onProgress('late');
    expect(await late?.callTool('files:write', {})).toMatchObject({success: false, error: {code: 'TOOL_CANCELLED'}});
    expect(received).toEqual([]);
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(receipt?.progress).toEqual([]);
    expect(runtime.dispatcher.requests).toHaveLength(1);
  });

  test('of a flood of progress and log the first part is kept, and the log says so', async () => {
    const runtime = await stage.open({
      scripts: {
        'files:read'({onProgress, onLog}) {
          for (let count = 1; count <= 1_100; count += 1) onProgress(count);
          for (let line = 0; line < 40; line += 1) onLog({level: 'info', message: `${line} ${'x'.repeat(10_000)}`});
          return {output: {success: true}};
        },
      },
    });
    const output = await runtime.executeTool('files:read', {}, await runtime.startTask());
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(receipt?.progress).toHaveLength(1_000);
    const log = await runtime.evidence.readBlob(receipt?.finished?.log_ref ?? '');
    expect(log?.length).toBeLessThan(257 * 1_024);
    const lines = (log ?? '').split('\n').map((line) => String(JSON.parse(line).message));
    const whole = lines.filter((line) => line.endsWith('x'.repeat(10_000)));
    expect(whole.map((line) => Number.parseInt(line, 10))).toEqual(Array.from({length: 26}, (_, line) => line));
    expect(lines.slice(0, 26)).toEqual(whole);
    expect(lines.at(-1)).toBe('the log of this call is full: the rest is dropped');
  });

  test('the beginning of a log line that is too long is kept, whatever its content', async () => {
    const runtime = await stage.open({
      scripts: {
        'files:read'({onLog}) {
          onLog({level: 'info', message: `begins ${'\u0000'.repeat(1_000_000)}`});
          onLog({level: 'info', message: 'late'});
          return {output: {success: true}};
        },
      },
    });
    const output = await runtime.executeTool('files:read', {}, await runtime.startTask());
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    const log = await runtime.evidence.readBlob(receipt?.finished?.log_ref ?? '');
    expect(log?.length).toBeLessThanOrEqual(256 * 1_024);
    const messages = (log ?? '').split('\n').map((line) => String(JSON.parse(line).message));
    expect(messages).toEqual([
      expect.stringMatching(/^begins \0{20000}/),
      'the log of this call is full: the rest is dropped',
    ]);
  });

  test('a handler’s log is kept as JSON Lines, odd fields included', async () => {
    const runtime = await stage.open({
      scripts: {
        'files:read'({onLog}) {
          onLog({level: 'info', message: 'status: ok\n1', fields: {file: 'a'}});
          onLog({level: 'warn', message: 'odd', fields: {big: 1n}});
          return {output: {success: true}};
        },
      },
    });
    const output = await runtime.executeTool('files:read', {}, await runtime.startTask());
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    const log = await runtime.evidence.readBlob(receipt?.finished?.log_ref ?? '');
    const [first, second] = (log ?? '').split('\n').map((line): unknown => JSON.parse(line));
    expect(first).toEqual({level: 'info', message: 'status: ok\n1', fields: {file: 'a'}});
    expect(second).toMatchObject({level: 'warn', message: 'odd'});
  });

  test.each([
    ['what JSON cannot hold', {when: new Date(0)}, {pointer: '/when'}],
    ['what does not match its schema', {count: 'many'}, {issues: [{pointer: '/count'}]}],
  ])('INVALID_OUTPUT for %s; the call ran and is recorded as failed', async (_, data, details) => {
    const output_schema = {type: 'object', properties: {count: {type: 'number'}}};
    const runtime = await stage.open({
      packs: [examplePack({id: 'p', tools: [{name: 'p:tool', output_schema}]})],
      scripts: {'p:tool': () => ({output: {success: true, data}, artifacts_written: ['a']})},
    });
    const output = await runtime.executeTool('p:tool', {}, await runtime.startTask());
    expect(output).toMatchObject({success: false, error: {code: 'INVALID_OUTPUT', details}});
    expect(output.data).toBeUndefined();
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(receipt?.finished).toMatchObject({
      result: 'failure',
      error_code: 'INVALID_OUTPUT',
      artifacts_written: ['a'],
    });
  });

  test.each([
    ['TOOL_EXECUTION_FAILED', 'failure'],
    ['TOOL_TIMEOUT', 'failure'],
    ['TOOL_CRASHED', 'crashed'],
    ['MY_OWN_CODE', 'failure'],
  ])('an outcome of %s is handed on and recorded as %s', async (code, result) => {
    const error = {code, message: 'did not work', details: {why: [1]}};
    const runtime = await stage.open({scripts: {'files:read': () => ({output: {success: false, error}})}});
    const output = await runtime.executeTool('files:read', {}, await runtime.startTask());
    expect(output).toEqual({success: false, error, metadata: {receipt_id: expect.any(String)}});
    const receipt = await runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(receipt?.finished).toMatchObject({result, error_code: code, error_message: 'did not work'});
  });
});

test('the trace of a task is all its calls, newest first', async () => {
  const [memory] = stateKinds;
  if (!memory) throw new Error('there is no state in memory');
  const stage = createStage(memory);
  const runtime = await stage.open({
    workspace: {lanes: [{id: 'core', allowed_scopes: filesPack.manifest.tools[1]?.required_scopes ?? []}]},
  });
  const one = await runtime.startTask('task-1');
  const two = await runtime.startTask('task-2');
  for (let call = 0; call < 150; call += 1) await runtime.executeTool('files:read', {call}, call % 3 === 0 ? two : one);
  const page = await runtime.evidence.readTracesByTaskId('task-1');
  expect(page.receipts).toHaveLength(100);
  expect(page.next_before_seq).toBeUndefined();
  expect((await runtime.evidence.readTraces({})).receipts).toHaveLength(100);
  unwrap(await runtime.completeTask({task_id: 'task-1', by: 'agent', session_id: 'session-1'}));
  await stage.close();
});
