import {describe, expect, test} from 'vitest';
import {invocation, memoryHome, run} from './fixtures/memory-home.ts';
import type {ToolContext} from './tool-context.ts';
import type {ToolError} from './tool-error.ts';

describe('the context', () => {
  test('carries the invocation', async () => {
    const output = await run((_input: unknown, context: ToolContext) => {
      const {task_id, run_id, session_id, receipt_id, lane_id, workspace_root, granted_scopes, config, env} = context;
      return {task_id, run_id, session_id, receipt_id, lane_id, workspace_root, granted_scopes, config, env};
    });
    const {task_id, run_id, session_id, receipt_id, lane_id, workspace_root, scope_enforced, config, env} =
      invocation();
    expect(output.data).toEqual({
      task_id,
      run_id,
      session_id,
      receipt_id,
      lane_id,
      workspace_root,
      granted_scopes: scope_enforced,
      config,
      env,
    });
  });

  test('a copy of it has all that it has', async () => {
    const output = await run((_input: unknown, context: ToolContext) => {
      const copy = {...context};
      return [Object.keys(copy).length, copy.signal === context.signal, copy.log === context.log, typeof copy.fs.read];
    });
    expect(output.data).toEqual([17, true, true, 'function']);
  });

  test('progress and log become messages, in order', async () => {
    const home = memoryHome();
    await run(async (_input: unknown, context: ToolContext) => {
      await context.progress({percent: 50});
      context.log.info('halfway', {step: 1});
      context.log.warn('odd', {big: 1n});
    }, home);
    expect(home.sent).toEqual([
      {type: 'progress', payload: {percent: 50}},
      {type: 'log', level: 'info', message: 'halfway', fields: {step: 1}},
      {type: 'log', level: 'warn', message: 'odd', fields: {not_json: '/big: bigint is not a JSON value'}},
    ]);
  });

  test('the log is bounded and says so once', async () => {
    const home = memoryHome();
    await run((_input: unknown, context: ToolContext) => {
      for (let i = 0; i < 100; i++) context.log.info('x'.repeat(100_000));
    }, home);
    expect(JSON.stringify(home.sent).length).toBeLessThan(1_200_000);
    expect(home.sent.filter((message) => message.type === 'log' && message.message.includes('is full'))).toHaveLength(
      1,
    );
  });

  test('progress that is not JSON is refused', async () => {
    const output = await run(async (_input: unknown, context: ToolContext) => {
      await context.progress({at: NaN});
    });
    expect(output.error).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'the progress payload is not JSON at /at: NaN is not a JSON number',
    });
  });

  test('callTool gives the child output; an error of the host is thrown as ToolError', async () => {
    const home = memoryHome((message) => {
      if (message.type !== 'request') return undefined;
      const {id, params} = message;
      if (params['name'] === 'a:b') return {type: 'response', id, value: {success: true, data: params['input']}};
      return {type: 'response', id, error: {code: 'LIMIT_EXCEEDED', message: 'too deep', details: {depth: 9}}};
    });
    const output = await run(async (_input: unknown, context: ToolContext) => {
      const [first, second] = await Promise.all([
        context.callTool('a:b', {x: 1}),
        context.callTool('c:d', null).catch((error: unknown) => (error as ToolError).details),
      ]);
      return {first, second};
    }, home);
    expect(output.data).toEqual({first: {success: true, data: {x: 1}}, second: {depth: 9}});
  });

  test('fs goes over the wire as base64', async () => {
    const home = memoryHome((message) => {
      if (message.type !== 'request') return undefined;
      const values: Record<string, unknown> = {
        fs_read: {content_base64: Buffer.from('häß').toString('base64')},
        fs_write: {},
        fs_list: {entries: [{name: 'a', kind: 'file'}]},
        fs_stat: {stat: {kind: 'file', size: 4, mtime_ms: 1}},
        fs_remove: {},
      };
      return {type: 'response', id: message.id, value: values[message.method]};
    });
    const output = await run(async (_input: unknown, {fs}: ToolContext) => {
      await fs.write('docs/a', new Uint8Array([0, 255]));
      await fs.write('docs/b', 'ü', {exclusive: true});
      await fs.remove('docs/c');
      return {text: await fs.readText('docs/a'), list: await fs.list('docs'), stat: await fs.stat('docs/a')};
    }, home);
    expect(output.data).toEqual({
      text: 'häß',
      list: [{name: 'a', kind: 'file'}],
      stat: {kind: 'file', size: 4, mtime_ms: 1},
    });
    expect(home.sent.slice(0, 2)).toMatchObject([
      {method: 'fs_write', params: {path: 'docs/a', content_base64: 'AP8=', exclusive: false}},
      {method: 'fs_write', params: {path: 'docs/b', content_base64: 'w7w=', exclusive: true}},
    ]);
  });

  test('a cancel aborts the signal, whether it was read before or after', async () => {
    const home = memoryHome();
    const reasons = await run(async (_input: unknown, context: ToolContext) => {
      const {signal} = context;
      home.deliver({type: 'cancel', reason: 'the caller left'});
      return [signal.aborted, (signal.reason as ToolError).code, (context.signal.reason as ToolError).message];
    }, home);
    expect(reasons.data).toEqual([true, 'TOOL_CANCELLED', 'the caller left']);
    const early = memoryHome();
    const output = await run(async (_input: unknown, context: ToolContext) => {
      early.deliver({type: 'cancel', reason: 'gone'});
      context.signal.throwIfAborted();
    }, early);
    expect(output.error).toEqual({code: 'TOOL_CANCELLED', message: 'gone'});
  });

  test('exec is what the home gives', async () => {
    const output = await run(async (_input: unknown, context: ToolContext) => await context.exec('ls', []));
    expect(output.error?.code).toBe('EXEC_NEEDS_SANDBOX');
  });

  test('nothing leaves after the call is over', async () => {
    const home = memoryHome();
    let kept: ToolContext | undefined;
    let pending: Promise<unknown> | undefined;
    await run((_input: unknown, context: ToolContext) => {
      kept = context;
      pending = context.callTool('a:b', {}).catch((error: unknown) => error);
    }, home);
    const sent = home.sent.length;
    kept?.log.info('late');
    await kept?.progress({late: true});
    await expect(kept?.callTool('a:b', {})).rejects.toMatchObject({code: 'TOOL_CANCELLED'});
    expect(await pending).toMatchObject({code: 'TOOL_CANCELLED'});
    expect(home.sent).toHaveLength(sent);
  });
});
