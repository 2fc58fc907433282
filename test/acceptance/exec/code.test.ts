// Code that calls tools, in QuickJS: what it finds, what it returns, what is recorded, and what ends it.
import type {LocalHandlers} from '@lumenflow/host';
import type {CodeResult} from '@lumenflow/host/exec';
import {describe, expect, it} from 'vitest';
import {handlersWorkspace} from './handlers-workspace.fixture.ts';

const handlers: LocalHandlers = {
  'orders:find': {
    description: 'Finds an order by its number.',
    permission: 'read',
    input_schema: {type: 'object', properties: {id: {type: 'string'}}, required: ['id'], examples: [{id: 'A-1'}]},
    run: ({id}: {readonly id: string}) => ({id, state: 'sent'}),
  },
  'orders:mark-paid': {permission: 'write', run: (input: unknown) => ({paid: input})},
  'orders:purge': {permission: 'admin', run: () => null},
  'orders:hidden': {permission: 'read', internal_only: true, run: () => 'hidden'},
  'orders:refund': {permission: 'write', run: () => null},
  'slow:wait': {
    permission: 'read',
    run: async () => await new Promise((resolve) => setTimeout(() => resolve('waited'), 50)),
  },
};

const shop = handlersWorkspace({handlers, asks: 'orders:refund', denies: 'orders:purge'});

async function run(code: string, more: object = {}): Promise<CodeResult> {
  return await shop.exec.runCode({language: 'javascript', code, ...more});
}

describe('code', () => {
  it('calls tools as functions, and returns a value', async () => {
    const {value, error, calls, used} = await run(`
      const orders = await Promise.all(['A-1', 'A-2'].map((id) => tools.orders.find({id})));
      return orders.map(({id, state}) => id + ' ' + state);
    `);
    expect(error).toBeUndefined();
    expect(value).toEqual(['A-1 sent', 'A-2 sent']);
    expect(calls).toMatchObject([
      {tool_id: 'orders:find', status: 'succeeded'},
      {tool_id: 'orders:find', status: 'succeeded'},
    ]);
    expect(used).toMatchObject({tool_calls: 2, output_bytes: 23});
  });

  it('is a call with a receipt, and so is each call that it makes', async () => {
    const {receipt_id = '', calls} = await run(`console.log('paying'); await tools.orders.markPaid({id: 1});`);
    const receipt = await shop.host.runtime.evidence.receipt(receipt_id);
    expect(receipt).toMatchObject({
      started: {tool_name: 'code:run', pack_id: 'code', by: 'shop'},
      finished: {result: 'success', child_receipt_ids: [calls[0]?.receipt_id]},
    });
    const nested = await shop.host.runtime.evidence.receipt(calls[0]?.receipt_id ?? '');
    expect(nested?.started).toMatchObject({tool_name: 'orders:mark-paid', session_id: shop.session.session_id});
  });

  it('takes the value of `result` before a returned one, and JSON only', async () => {
    expect(await run(`result({a: 1}); return 2;`)).toMatchObject({value: {a: 1}});
    expect(await run(`tools;`)).toMatchObject({value: null});
    const cyclic = await run(`const a = {}; a.a = a; return a;`);
    expect(cyclic.error).toMatchObject({code: 'TOOL_EXECUTION_FAILED', message: expect.stringContaining('circular')});
    expect((await run(`return 1n;`)).error?.code).toBe('TOOL_EXECUTION_FAILED');
  });

  it('prints to stdout and stderr', async () => {
    expect(await run(`console.log('a', {b: 1}); console.error(new Error('c'));`)).toMatchObject({
      stdout: 'a {"b":1}\n',
      stderr: 'Error: c\n',
    });
  });

  it('removes the types of TypeScript', async () => {
    const code = `
      interface Order {readonly id: string}
      const found = (await tools.orders.find({id: 'A-1'} satisfies Order)) as {state: string};
      return found.state;
    `;
    expect(await shop.exec.runCode({language: 'typescript', code})).toMatchObject({value: 'sent'});
    const broken = await shop.exec.runCode({language: 'typescript', code: 'const a: = 1;\n'});
    expect(broken.error).toMatchObject({code: 'INVALID_INPUT', details: {line: 1}});
  });

  it('reports where the code is wrong, and what it threw', async () => {
    expect((await run('return 1;\nlet let = 2;')).error).toMatchObject({code: 'INVALID_INPUT', details: {line: 2}});
    const thrown = await run(`const f = () => { throw new TypeError('no'); };\nf();`);
    expect(thrown.error).toMatchObject({
      code: 'TOOL_EXECUTION_FAILED',
      message: 'the code failed: TypeError: no',
      details: {stack: expect.stringContaining('code.js:2:2)')},
    });
    const refused = await run(`\n  await tools.orders.missing();`);
    expect(refused.error?.details?.['stack']).toContain('code.js:2');
    const code = `interface Order {\n  id: string;\n}\n\nconst order: Order | null = null;\nreturn order!.id;`;
    const typed = await shop.exec.runCode({language: 'typescript', code});
    expect(typed.error?.details?.['stack']).toContain('code.js:6:');
  });

  it('finds, describes and chains what the session may call', async () => {
    const {value, error} = await run(`
      const [found] = await gateway.searchTools('find an order');
      const namespaces = await gateway.listNamespaces();
      const doc = await gateway.describeTool(found.id);
      const examples = await gateway.listToolExamples(found.id);
      const single = await gateway.runTool(found.id, examples[0]);
      const chain = await gateway.runChain([{tool: found.id, args: {id: 'A-2'}}], {limits: {steps: 1}, signal: {}});
      return {id: found.id, names: namespaces.map((n) => n.namespace), has: 'input_schema' in doc, single: single.value, chain: chain.value};
    `);
    expect(error).toBeUndefined();
    expect(value).toMatchObject({
      id: 'orders:find',
      names: expect.not.arrayContaining(['code']),
      has: true,
      single: {id: 'A-1', state: 'sent'},
      chain: {id: 'A-2', state: 'sent'},
    });
  });
});

describe('governance', () => {
  const codeOf = `try { await CALL; return 'done'; } catch (error) { return error.code; }`;
  const caught = async (call: string, more: object = {}): Promise<unknown> =>
    (
      await run(
        codeOf.replace('CALL', () => call),
        more,
      )
    ).value;

  it('decides about each call, as if the session made it', async () => {
    expect(await caught('tools.orders.purge()')).toBe('POLICY_DENIED');
    expect(await caught('tools.orders.refund()')).toBe('APPROVAL_REQUIRED');
    expect(await caught('tools.orders.hidden()')).toBe('TOOL_NOT_FOUND');
    expect(await caught('tools.orders.find({id: 1})')).toBe('INVALID_INPUT');
  });

  it('never runs code from code', async () => {
    expect(await caught(`tools.code.run({language: 'javascript', code: '1'})`)).toBe('TOOL_NOT_ALLOWED');
    const {error} = await run(`return await tools.code.run({language: 'javascript', code: '1'});`);
    expect(error?.message).toContain('code cannot run code');
  });

  it('calls no tool beside the allowed ones, however it is written', async () => {
    const more = {allow: ['slow:*']};
    const spellings = [
      'tools.orders.find({id: "A-1"})',
      'tools.ORDERS.FIND({id: "A-1"})',
      'tools["orders:find"]({id: "A-1"})',
      'tools["slow:../orders"].find({id: "A-1"})',
      'tools.or_ders["fi-nd"]({id: "A-1"})',
    ];
    for (const call of spellings) expect(['TOOL_NOT_ALLOWED', 'TOOL_NOT_FOUND']).toContain(await caught(call, more));
    const ids = ['orders:find', 'orders:find@1.0.0', 'ORDERS:find', ' orders:find', 'orders:find\u200b', 'slow:*'];
    for (const id of ids) {
      const {value} = await run(`return (await gateway.runTool(${JSON.stringify(id)}, {id: 'A-1'})).error.code;`, more);
      expect(['TOOL_NOT_ALLOWED', 'TOOL_NOT_FOUND']).toContain(value);
    }
    const chain = await run(
      `return (await gateway.runChain([{tool: 'orders:find', args: {id: 'A-1'}}])).error.code`,
      more,
    );
    expect(chain.value).toBe('TOOL_NOT_ALLOWED');
    expect((await run(`return await gateway.searchTools('order');`, more)).value).toEqual([]);
    expect(await caught('tools.slow.wait()', more)).toBe('done');
  });

  it('counts every call, and rejects those beyond the budget', async () => {
    const limits = {tool_calls: 2};
    const code = `return await Promise.all([1, 2, 3].map((n) => tools.orders.find({id: 'A'}).then(() => n, (e) => e.code)));`;
    expect(await run(code, {limits})).toMatchObject({value: [1, 2, 'LIMIT_EXCEEDED'], used: {tool_calls: 3}});
    const refused = await run(code, {limits: {tool_calls: 2_000}});
    expect(refused).toMatchObject({error: {code: 'INVALID_INPUT'}, calls: [], used: {tool_calls: 0}});
  });

  it('keeps the gateway from what the code changes of itself', async () => {
    const polluted = await run(
      `Object.prototype.allow = ['*'];
       Object.prototype.isAllowed = () => true;
       Object.prototype.ok = true;
       Array.prototype.map = () => [];
       JSON.parse = () => ({ok: true, value: 'forged'});
       Promise.prototype.then = new Proxy(Promise.prototype.then, {});
       const args = JSON.parse('{}');
       return await gateway.runTool('orders:find', {['__proto__']: {polluted: true}, id: 'A-1'});`,
      {allow: ['slow:*']},
    );
    expect(polluted.calls).toMatchObject([
      {tool_id: 'orders:find', status: 'failed', error: {code: 'TOOL_NOT_ALLOWED'}},
    ]);
    expect(({} as {polluted?: boolean}).polluted).toBeUndefined();
    expect(await run(`return [typeof process, typeof require, typeof fetch, typeof WebAssembly];`)).toMatchObject({
      value: ['undefined', 'undefined', 'undefined', 'undefined'],
    });
    const escaped = await run(`return gateway.constructor.constructor('return typeof process')();`);
    expect(escaped.value).toBe('undefined');
  });

  it('reads requests that are not JSON as invalid ones', async () => {
    const replaced = await run(`Array.prototype.toJSON = () => undefined; return await gateway.listNamespaces();`);
    expect(replaced.error).toMatchObject({details: {cause: 'INVALID_INPUT'}});
    const texts = await run(`Array.prototype.toJSON = () => 'text'; return await gateway.listNamespaces();`);
    expect(texts.error).toMatchObject({details: {cause: 'INVALID_INPUT'}});
    const forged = await run(`Object.prototype.toJSON = () => ({forged: true}); return {};`);
    expect(forged).toMatchObject({value: {forged: true}, calls: [], used: {tool_calls: 0}});
    const silent = await run(`Object.prototype.toJSON = () => undefined; throw new Error('lost');`);
    expect(silent.error?.code).toBe('TOOL_EXECUTION_FAILED');
  });

  it('awaits the calls that the code left open, and makes no later ones', async () => {
    const {value, calls} = await run(`
      tools.slow.wait().then(() => tools.orders.markPaid({}));
      return 'left';
    `);
    expect(value).toBe('left');
    expect(calls).toMatchObject([{tool_id: 'slow:wait', status: 'succeeded'}]);
  });

  it('reports what the host counted, not what the code returns or prints', async () => {
    const forged = {value: 1, calls: [{tool_id: 'orders:purge', status: 'succeeded'}], used: {tool_calls: 99}};
    const result = await run(`console.log('${JSON.stringify(forged)}'); return ${JSON.stringify(forged)};`);
    expect(result).toMatchObject({value: forged, calls: [], used: {tool_calls: 0}});
  });
});
