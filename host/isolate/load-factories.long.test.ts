import type {FactoryRule, PackManifest, PolicyEvaluationContext} from '@lumenflow/schemas';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {loadFactories, type LoadedFactories} from './load-factories.ts';
import {startEngine} from './start-engine.ts';
import {factoryModuleSource} from './factory-module.ts';
import {createQuickJsIsolate} from './quickjs-isolate.ts';
import {build} from 'esbuild';

let folder: string;
const started: LoadedFactories[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lumenflow-isolate-'));
});
afterEach(async () => {
  for (const factories of started.splice(0)) factories.end();
  await rm(folder, {recursive: true});
});

const manifest: PackManifest = {
  id: 'a',
  version: '1.0.0',
  manifest_version: 1,
  task_types: ['x'],
  tools: [{name: 'a:b', description: 'x', handler_entry: 'x.ts#x', permission: 'read'}],
  policies: [{id: 'taken', trigger: 'on_claim', decision: 'deny'}],
};

const context: PolicyEvaluationContext = {
  trigger: 'on_tool_request',
  run_id: 'r',
  tool_name: 'a:b',
  tool_arguments: {n: 1},
};

/** Loads a module that exports `policy` and, when `both`, `capabilities`. */
async function load(source: string, options: {both?: boolean; config?: unknown} = {}): Promise<LoadedFactories> {
  await writeFile(join(folder, 'policy.js'), source);
  const imports = [{as: 'policy_factory' as const, exportName: 'policy', file: 'policy.js'}];
  const both = [...imports, {as: 'capability_factory' as const, exportName: 'capabilities', file: 'policy.js'}];
  const contents = factoryModuleSource(options.both === true ? both : imports);
  const file = join(folder, `factories-${started.length}.mjs`);
  await build({
    stdin: {contents, resolveDir: folder},
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    outfile: file,
    logLevel: 'silent',
  });
  const factories = await loadFactories({
    engine: startEngine(),
    file,
    manifest: {
      ...manifest,
      policy_factory: 'policy.js#policy',
      ...(options.both === true ? {capability_factory: 'policy.js#capabilities'} : {}),
    },
    config: options.config ?? {},
  });
  started.push(factories);
  return factories;
}

const wallClock = (): number => performance.now();

function ask(rule: FactoryRule | undefined, asked: PolicyEvaluationContext = context): boolean {
  if (!rule?.when) throw new Error('the rule has no `when`');
  return rule.when(asked);
}

/** A policy whose only rule's `when` has this body. */
function withWhen(body: string): string {
  return `export const policy = () => [{id: 'r', trigger: 'on_tool_request', decision: 'deny', when: (context) => { ${body} }}];`;
}

describe('factories', () => {
  test('rules and capabilities are created from the config', async () => {
    const source = `
      export const policy = ({config}) => [
        {id: 'one', trigger: 'on_tool_request', decision: 'deny', reason: config.reason, when: ({tool_arguments}) => tool_arguments.n > config.max},
        {id: 'two', trigger: 'on_claim', decision: 'approval_required'},
      ];
      export const capabilities = ({config}) => ({required_env: {'a:b': ['TOKEN']}, network_allowlist: {'a:b': [config.host]}});`;
    const factories = await load(source, {
      both: true,
      config: {reason: 'too many', max: 3, host: 'e.example:443'},
    });
    expect(factories.faults).toEqual([]);
    expect(factories.rules).toMatchObject([
      {id: 'one', trigger: 'on_tool_request', decision: 'deny', reason: 'too many'},
      {id: 'two', trigger: 'on_claim', decision: 'approval_required'},
    ]);
    expect(factories.rules[1]).not.toHaveProperty('when');
    expect(factories.capabilities).toEqual({
      required_env: {'a:b': ['TOKEN']},
      network_allowlist: {'a:b': ['e.example:443']},
    });
    expect(ask(factories.rules[0])).toBe(false);
    expect(ask(factories.rules[0], {...context, tool_arguments: {n: 4}})).toBe(true);
  });

  test.each([
    ['a promise', `Promise.resolve([])`, 'it must return a list of rules'],
    [
      'a when that is none',
      `[{id: 'a', trigger: 'on_claim', decision: 'deny', when: {tool: '*'}}]`,
      'rule 0: `when` must be a function',
    ],
    [
      'a misspelt when',
      `[{id: 'a', trigger: 'on_claim', decision: 'deny', wen: () => true}]`,
      'rule 0: unknown key `wen`',
    ],
    ['a throw', `(() => { throw new Error('no config') })()`, 'no config'],
  ])('a policy that returns %s is refused', async (_, returned, fault) => {
    const {rules, faults} = await load(`export const policy = () => ${returned};`);
    expect(rules).toEqual([]);
    expect(faults).toEqual([{factory: 'policy_factory', message: expect.stringContaining(fault) as string}]);
  });

  test('invalid capabilities are rejected', async () => {
    const source = `export const policy = () => []; export const capabilities = () => undefined;`;
    expect((await load(source, {both: true})).faults).toEqual([
      {factory: 'capability_factory', message: 'it must return an object'},
    ]);
  });

  test.each([
    ['throws', `throw new Error('boom')`, 'boom'],
    ['answers no boolean', `return 1`, '`when` must return true or false, not number'],
    ['answers a promise', `return Promise.resolve(true)`, '`when` must return true or false, not object'],
  ])('a `when` that %s throws', async (_, body, message) => {
    const {rules} = await load(withWhen(body));
    expect(() => ask(rules[0])).toThrow(message);
  });
});

describe('in an isolate', () => {
  test('only the language is available', async () => {
    const names = [
      'fetch',
      'process',
      'require',
      'module',
      'setTimeout',
      'console',
      'WebAssembly',
      'Worker',
      'std',
      'os',
    ];
    const {rules} = await load(
      withWhen(`return context.tool_arguments.names.filter((name) => name in globalThis).length === 0`),
    );
    expect(ask(rules[0], {...context, tool_arguments: {names}})).toBe(true);
    expect(ask(rules[0], {...context, tool_arguments: {names: ['JSON']}})).toBe(false);
  });

  test('nothing can be imported', async () => {
    await expect(load(`import fs from 'node:fs'; export const policy = () => fs;`)).rejects.toThrow('node:fs');
    const {rules} = await load(`
      let found = 'nothing';
      import('node' + ':fs').then((fs) => { found = 'fs'; }, () => undefined);
      export const policy = () => [{id: 'r', trigger: 'on_claim', decision: 'deny', when: () => found === 'nothing'}];`);
    expect(ask(rules[0])).toBe(true);
  });

  test("the next call sees a call's changes, other packs and the host do not", async () => {
    const counting = withWhen(
      `globalThis.count = (globalThis.count ?? 0) + 1; Array.prototype.evil = 1; return globalThis.count === 2`,
    );
    const [first, second] = [await load(counting), await load(counting)];
    expect([ask(first.rules[0]), ask(first.rules[0]), ask(second.rules[0])]).toEqual([false, true, false]);
    expect(([] as {evil?: number}).evil).toBeUndefined();
    expect('count' in globalThis).toBe(false);
  });

  test.each([
    ['an endless loop', `for (;;);`],
    ['an endless recursion of promises', `const next = () => Promise.resolve().then(next); next(); for (;;);`],
    ['a pattern that backtracks', `/(a+)+$/.test('a'.repeat(60) + '!')`],
  ])('%s at load ends with a fault', async (_, code) => {
    const {faults} = await load(`export const policy = () => { ${code} };`);
    expect(faults).toEqual([{factory: 'policy_factory', message: 'it took longer than 1000 ms'}]);
  });

  test.each([
    ['at load', `const all = []; for (;;) all.push(new Array(10000).fill(7));`],
    ['in one piece', `'x'.repeat(2 ** 29).split('')`],
    ['in a buffer', `new Uint8Array(2 ** 30)`],
  ])('a memory bomb %s ends with a fault', async (_, code) => {
    const {faults} = await load(`export const policy = () => { ${code} };`);
    expect(faults[0]?.message).toMatch(/out of memory|invalid array buffer length|string too long/i);
  });

  test('endless recursion causes an error', async () => {
    const {faults} = await load(`const f = () => f() + 1; export const policy = () => f();`);
    expect(faults[0]?.message).toMatch(/stack/i);
  });

  test('an endless `when` throws in time, and the next one is answered', async () => {
    const {rules} = await load(withWhen(`while (context.tool_arguments.n === 1); return true`));
    expect(() => ask(rules[0])).toThrow('it took longer than 50 ms');
    expect(ask(rules[0], {...context, tool_arguments: {n: 2}})).toBe(true);
  });

  test('a loop inside a built-in function is killed with its thread; from then on every question throws', async () => {
    const {rules} = await load(
      withWhen(`return context.tool_arguments.n === 1 && [].indexOf.call({length: 2 ** 52}, 1) > 0`),
    );
    expect(ask(rules[0], {...context, tool_arguments: {n: 2}})).toBe(false);
    expect(() => ask(rules[0])).toThrow('could not be interrupted');
    expect(() => ask(rules[0], {...context, tool_arguments: {n: 2}})).toThrow('has ended');
  });

  test('a call that exceeds its memory throws', async () => {
    const {rules} = await load(withWhen(`return true`));
    expect(() => ask(rules[0], {...context, tool_arguments: {text: 'x'.repeat(5 * 1024 * 1024)}})).toThrow('too large');
  });

  test('top-level await is refused', async () => {
    const {faults} = await load(`await 0; export const policy = () => [];`);
    expect(faults[0]?.message).toBe('top-level await is not supported in a factory');
  });

  test('a loop inside a built-in function at load causes an error', async () => {
    const {faults} = await load(`export const policy = () => [].indexOf.call({length: 2 ** 52}, 1);`);
    expect(faults).toEqual([{factory: 'policy_factory', message: 'it could not be interrupted and was ended'}]);
  });

  test('its memory is bounded', async () => {
    const limits = {loadMs: 2000, whenMs: 50, memoryBytes: 20 * 1024 * 1024};
    const bomb = (megabytes: number): string =>
      `export function make() { return String(new Uint8Array(${megabytes} * 1024 * 1024).length) } export function ask() {}`;
    expect((await createQuickJsIsolate(limits, wallClock)).load(bomb(1), '{}')).toBe('1048576');
    const greedy = await createQuickJsIsolate(limits, wallClock);
    expect(() => greedy.load(bomb(30), '{}')).toThrow();
  });
});

test.each(['no JSON', 'null'])('factories that return %s as their results have a fault', async (text) => {
  const factories = await load(`JSON.stringify = () => '${text}'; export const policy = () => [];`);
  expect(factories.rules).toEqual([]);
  expect(factories.faults).toEqual([expect.objectContaining({factory: 'policy_factory'})]);
});

test('an unused engine ends, also while it starts', async () => {
  const workers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = workers();
  startEngine().end();
  await expect.poll(workers, {timeout: 60_000}).toBe(before);
});
