import {mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {DispatchRequest, Dispatcher, Grant, RegisteredTool} from '@lumenflow/kernel';
import {compileMatcher, normalizePath, parsePattern, type PathPattern} from '@lumenflow/kernel/adapters';
import {createProcessRegistry} from '@lumenflow/kernel/node';
import {createSandbox} from '@lumenflow/sandbox';
import type {ToolDeclaration} from '@lumenflow/schemas';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {createPool} from '../pool/index.ts';
import {createDispatcher, type DispatcherOptions} from './create-dispatcher.ts';

const handlers = fileURLToPath(new URL('./fixtures/handlers.mjs', import.meta.url));
const runnerPath = fileURLToPath(new URL('../../sandbox/dist/runner.cjs', import.meta.url));

let base: string;
let root: string;
let dispatcher: Dispatcher;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'dispatch-')));
  root = join(base, 'workspace');
  mkdirSync(join(root, 'docs'), {recursive: true});
  mkdirSync(join(root, 'private'));
  writeFileSync(join(root, 'docs/a.md'), 'a');
  writeFileSync(join(root, 'docs/.env'), 'SECRET=1');
  writeFileSync(join(root, 'private/secret.md'), 'secret');
  writeFileSync(join(base, 'outside.md'), 'outside');
  dispatcher = createDispatcher({
    pool: createPool({threadsMax: 2, graceMs: 50}),
    sandbox: createSandbox({searchPath: '/usr/bin:/bin', runnerPath}),
    ...ofHost({TOKEN: 'token', OTHER: 'other'}),
  });
});
const ofHost = (env: DispatcherOptions['env']): Omit<DispatcherOptions, 'pool' | 'sandbox'> => ({
  env,
  workspaceRoot: root,
  home: '/nonexistent',
  stateFolder: join(base, 'state'),
  processes: createProcessRegistry(),
  now: () => Date.now(),
});
afterAll(async () => {
  await dispatcher.close();
  rmSync(base, {recursive: true, force: true});
});
beforeEach(() => rmSync(join(root, 'docs/new'), {recursive: true, force: true}));

function patternsOf(text: string): readonly PathPattern[] {
  const parsed = parsePattern(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value;
}

function grantOf(...patterns: readonly string[]): Grant {
  const write = patterns.flatMap(patternsOf);
  const holes = patternsOf('.lumenflow');
  const inHole = compileMatcher(patternsOf('.lumenflow/**'));
  const matches = compileMatcher(write);
  const network = {posture: 'off' as const, allowlist_entries: []};
  return {
    read: write,
    write,
    network: network as unknown as Grant['network'],
    holes: {list: holes.map((pattern) => ({pattern, where: undefined})), cuts: inHole} as unknown as Grant['holes'],
    allows(path) {
      const normalized = normalizePath(path);
      return normalized !== undefined && matches(normalized) && !inHole(normalized);
    },
    // The kernel's own tests cover its answers; here they must reach the handler.
    whyNot: (path, access) =>
      matches(path)
        ? undefined
        : {
            path,
            access,
            layer: 'lane',
            where: 'workspace.yaml:9:5',
            message: `the lane leaves out ${path}`,
            help: 'add it',
          },
    toGrantedScopes: () => ({read: [], write: write.map(({text}) => text), network}),
  };
}

type Trust = 'in_process' | 'sandboxed';

function tool(name: string, trust: Trust, declared: Partial<ToolDeclaration> = {}): RegisteredTool {
  return {
    name: `demo:${name}`,
    module_path: handlers,
    export_name: name,
    where: 'manifest.yaml:1:1',
    declaration: {
      name: `demo:${name}`,
      description: name,
      handler_entry: `handlers.mjs#${name}`,
      handler: 'in_process',
      permission: 'write',
      ...declared,
    },
    pack: {pin: {id: 'demo', version: '1.0.0', integrity: 'dev', source: 'local', trust}, config: {colour: 'red'}},
  } as unknown as RegisteredTool;
}

function request(called: RegisteredTool, overrides: Partial<DispatchRequest> = {}): DispatchRequest {
  const grant = grantOf('docs/**');
  return {
    receipt_id: 'rcp-1',
    depth: 0,
    tool: called,
    input: {a: 1},
    task_id: 'task-1',
    run_id: 'run-1',
    session_id: 'ses-1',
    lane_id: 'lane-1',
    grant,
    scope_enforced: grant.toGrantedScopes(),
    writes: 'direct',
    onProgress: () => {},
    onLog: () => {},
    callTool: async (_name, input) => ({success: true, data: input}),
    ...overrides,
  };
}

test.each([
  ['in_process', 'in_process', 'pool'],
  ['in_process', 'sandboxed', 'sandbox'],
  ['in_process', undefined, 'sandbox'],
  ['subprocess', 'in_process', 'sandbox'],
  [undefined, 'in_process', 'sandbox'],
] as const)('a handler declared %s of a pack with trust %s runs in the %s', (handler, trust, mode) => {
  const declared = tool('where', trust as Trust, {handler: handler as 'in_process'});
  expect(dispatcher.modeOf(declared, 'direct')).toBe(mode);
  expect(dispatcher.modeOf(declared, 'transactional')).toBe('sandbox');
});

test('a tool that needs a guarantee never runs in the pool', () => {
  const declared = tool('needs', 'in_process', {handler: 'in_process', needs: ['filesystem']});
  expect(dispatcher.modeOf(declared, 'direct')).toBe('sandbox');
});

describe.each<Trust>(['in_process', 'sandboxed'])('a handler of a pack with trust %s', (trust) => {
  const home = trust === 'in_process' ? 'pool' : 'sandbox';

  test('receives only its input, its config and the environment that it requires', async () => {
    const called = tool('where', trust, {required_env: ['TOKEN']});
    const {output, enforcement} = await dispatcher.dispatch(request(called));
    expect(output).toEqual({
      success: true,
      data: {
        input: {a: 1},
        env: {TOKEN: 'token'},
        config: {colour: 'red'},
        workspace_root: root,
        on_thread: home === 'pool',
      },
    });
    expect(enforcement).toMatchObject(
      home === 'pool'
        ? {backend: 'pool', tier: 'none', degraded: [expect.stringContaining('not enforced')]}
        : {backend: 'bubblewrap', tier: 'standard', self_test: expect.any(String)},
    );
  });

  test('does not run when the host lacks a variable that it requires', async () => {
    const called = tool('where', trust, {required_env: ['TOKEN', 'GONE']});
    const {output} = await dispatcher.dispatch(request(called));
    expect(output.error).toMatchObject({code: 'TOOL_EXECUTION_FAILED', details: {missing_env: ['GONE']}});
    expect(output.error?.message).toContain('`GONE`');
  });

  test('reaches only the files of its grant through the host', async () => {
    const logs: string[] = [];
    const outcome = await dispatcher.dispatch(
      request(tool('files', trust), {onLog: ({message}) => logs.push(message)}),
    );
    expect(outcome.enforcement?.denials).toContainEqual(expect.stringMatching(/^file \S*\.env: /));
    expect(outcome.output.data).toEqual({
      denied: {
        outside: 'INVALID_PATH',
        private: 'SCOPE_DENIED',
        env: 'SCOPE_DENIED',
        state: 'SCOPE_DENIED',
        hook: 'SCOPE_DENIED',
        workspace: 'SCOPE_DENIED',
      },
      text: 'a',
      list: ['docs'],
      docs: ['a.md', 'new'],
    });
    expect(outcome.artifacts_written).toEqual(['docs/new/made.md']);
    expect(readFileSync(join(root, 'docs/new/made.md'), 'utf8')).toBe('made');
    expect(logs).toContain('tried');
  });

  test('calls tools through the kernel, a bounded number of times', async () => {
    const names: string[] = [];
    const {output} = await dispatcher.dispatch(
      request(tool('children', trust), {
        input: {count: 1002},
        async callTool(name, input) {
          names.push(name);
          return {success: true, data: input};
        },
      }),
    );
    expect(output.data).toEqual({answers: 1000, error: 'LIMIT_EXCEEDED'});
    expect(names).toHaveLength(1000);
  });

  test('reports progress, logs and printed output', async () => {
    const progress: unknown[] = [];
    const logs: unknown[] = [];
    await dispatcher.dispatch(
      request(tool('report', trust), {
        onProgress: (payload) => progress.push(payload),
        onLog: ({level, message}) => logs.push([level, message]),
      }),
    );
    expect(progress).toEqual([{percent: 50}]);
    expect(logs).toEqual(
      expect.arrayContaining([
        ['info', 'printed'],
        ['warn', 'logged'],
      ]),
    );
  });

  test('returns its answer although its listener throws', async () => {
    const logs: string[] = [];
    const {output} = await dispatcher.dispatch(
      request(tool('report', trust), {
        onProgress() {
          throw new Error('listener broke');
        },
        onLog: ({message}) => logs.push(message),
      }),
    );
    expect(output).toEqual({success: true, data: 'done'});
    expect(logs.some((message) => message.includes('listener broke'))).toBe(true);
  });

  test('finishes and reports its pending file operations before the outcome', async () => {
    const {artifacts_written} = await dispatcher.dispatch(request(tool('unawaited', trust)));
    expect(artifacts_written).toEqual(['docs/late.md']);
    expect(readFileSync(join(root, 'docs/late.md'), 'utf8')).toBe('late');
    rmSync(join(root, 'docs/late.md'));
  });

  test('ends on its own timeout, on a cancel and on its own exit', async () => {
    const late = await dispatcher.dispatch(request(tool('never', trust, {timeout_ms: 300})));
    expect(late.output.error?.code).toBe('TOOL_TIMEOUT');
    const controller = new AbortController();
    const left = await dispatcher.dispatch(
      request(tool('never', trust), {signal: controller.signal, onProgress: () => controller.abort()}),
    );
    expect(left.output.error?.code).toBe('TOOL_CANCELLED');
    const crashed = await dispatcher.dispatch(request(tool('exit', trust)));
    expect(crashed.output.error?.code).toBe('TOOL_CRASHED');
    expect(crashed.enforcement?.exit_code).toBe(home === 'pool' ? undefined : 7);
  });

  test('fails with LIMIT_EXCEEDED when nested too deep', async () => {
    const {output} = await dispatcher.dispatch(request(tool('where', trust), {depth: 9}));
    expect(output.error?.code).toBe('LIMIT_EXCEEDED');
  });
});

test('a trusted file can be written under a scope that names it, but not under a wildcard', async () => {
  const hooks = request(tool('files', 'in_process'), {grant: grantOf('docs/**', 'docs/.git/hooks/**')});
  const {output} = await dispatcher.dispatch(hooks);
  expect(output.data).toMatchObject({denied: {hook: 'done', env: 'SCOPE_DENIED'}});
  rmSync(join(root, 'docs/.git'), {recursive: true});
});

test('a missing bundle is reported as an outcome of the call', async () => {
  for (const trust of ['in_process', 'sandboxed'] as const) {
    const gone = {...tool('where', trust), module_path: join(base, 'gone.mjs')};
    const {output} = await dispatcher.dispatch(request(gone));
    expect(output.error?.code).toBe('TOOL_EXECUTION_FAILED');
    expect(output.error?.message).toMatch(/handlers\.mjs|gone\.mjs/u);
  }
});

test('without a backend the sandbox is refused, never replaced', async () => {
  const bare = createDispatcher({
    pool: createPool({threadsMin: 1, threadsMax: 1}),
    sandbox: createSandbox({searchPath: '/nonexistent', runnerPath}),
    ...ofHost({}),
  });
  const {output} = await bare.dispatch(request(tool('where', 'sandboxed')));
  expect(output.error?.code).toBe('SANDBOX_UNAVAILABLE');
  await bare.close();
});
