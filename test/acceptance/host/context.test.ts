// The context is the same in every environment: on the pool, in a sandbox, and in the test kit's memory. State has its own suite.
import type {Host, Session} from '@lumenflow/host';
import type {ToolOutput} from '@lumenflow/pack-sdk';
import {runTool} from '@lumenflow/pack-sdk/testing';
import {readFileSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {fail} from './both-pack/tools/report.ts';
import {useContext, type ContextStep} from './both-pack/tools/use-context.ts';
import {opened} from '../../support/opened.ts';

const files = {'docs/a.md': 'aye', 'docs/deep/b.md': 'bee', 'docs/new.md': 'old', 'src/c.ts': 'sea', 'out/kept': ''};
const env = {BOTH_TOKEN: 't-1'};
const config = {motto: 'both'};
const grants = {read: ['docs/**'], write: ['docs/new.md', 'out/**']};

interface Reported {
  readonly outcomes: readonly unknown[];
  readonly progress: readonly unknown[];
  /** All of it, as it is kept. */
  readonly log: string;
}

interface Home {
  run(steps: readonly ContextStep[]): Promise<Reported>;
  fail(how: string): Promise<Omit<ToolOutput, 'data'>>;
}

let workspace: HostWorkspace;
let host: Host;
let session: Session;

beforeAll(async () => {
  workspace = makeHostWorkspace({
    copied: {both: join(import.meta.dirname, 'both-pack')},
    pins: {both: {trust: 'in_process'}},
    direct: ['pool:*'],
    files,
    yaml: `both: ${JSON.stringify(config)}\n`,
  });
  symlinkSync('../src/c.ts', join(workspace.root, 'docs/leak.md'));
  host = await workspace.start({env: {PATH: process.env['PATH'], HOST_SECRET: 'hidden', ...env}});
  session = opened(await host.openSession({by: 'tester'}));
});
afterAll(async () => await workspace.remove());

function hosted(place: 'pool' | 'sandbox'): Home {
  return {
    async run(steps) {
      const progress: unknown[] = [];
      const output = await session.call(
        `${place}:context`,
        {steps},
        {onProgress: (reported) => progress.push(reported)},
      );
      if (output.error) throw new Error(`${output.error.code}: ${output.error.message}`);
      const receipt = await host.runtime.evidence.receipt(String(output.metadata?.receipt_id));
      const ref = receipt?.finished?.log_ref;
      const log = ref === undefined ? '' : await host.runtime.evidence.readBlob(ref);
      return {outcomes: output.data as readonly unknown[], progress, log: log ?? ''};
    },
    fail: (how) => session.call(`${place}:fail`, {how}),
  };
}

const memory: Home = {
  async run(steps) {
    const reported = await runTool(useContext, {steps}, {files, env, config, grants, callTool: answer});
    return {outcomes: reported.output.data ?? [], progress: reported.progress, log: JSON.stringify(reported.log)};
  },
  fail: async (how) => (await runTool(fail, {how})).output,
};

/** What the host's `pool:echo` gives, and what it says to a name that it does not know. */
function answer(name: string, data: unknown): ToolOutput {
  return name === 'pool:echo' ? {success: true, data} : {success: false, error: {code: 'TOOL_NOT_FOUND', message: ''}};
}

describe.each<[string, Home]>([
  ['the pool', hosted('pool')],
  ['a sandbox', hosted('sandbox')],
  ['memory', memory],
])('in %s', (place, home) => {
  const outcomes = async (...steps: readonly ContextStep[]) => (await home.run(steps)).outcomes;

  test('it contains the caller, the position and the input', async () => {
    const ids = ['task_id', 'run_id', 'session_id', 'receipt_id', 'lane_id'];
    const [granted, given, config_, aborted, ...found] = await outcomes(
      ['granted_scopes.write'],
      ['env'],
      ['config'],
      ['signal.aborted'],
      ...ids.map((id): ContextStep => [id]),
    );
    expect(granted).toEqual(['docs/new.md', 'out/**']);
    expect([given, config_, aborted]).toEqual([env, config, false]);
    expect(found).toEqual(ids.map(() => expect.stringMatching(/^[\w.-]+$/)));
    if (place === 'memory') return;
    const {task_id, run_id, session_id} = session;
    expect(found.slice(0, 3)).toEqual([task_id, run_id, session_id]);
    expect(found[4]).toBe('core');
    expect(await outcomes(['workspace_root'])).toEqual([workspace.root]);
  });

  test('progress reaches the caller in order, the log is kept', async () => {
    const {progress, log} = await home.run([
      ['progress', {percent: 10}],
      ['log.debug', 'looking', {at: 1}],
      ['log.error', 'found'],
      ['progress', 'half way'],
    ]);
    expect(progress).toEqual([{percent: 10}, 'half way']);
    for (const kept of ['debug', 'looking', '"at":1', 'error', 'found']) expect(log).toContain(kept);
  });

  test('files are read as far as granted', async () => {
    expect(
      await outcomes(
        ['fs.read', 'docs/a.md'],
        ['fs.readText', './docs//deep/b.md'],
        ['fs.read', 'src/c.ts'],
        ['fs.read', 'docs/../src/c.ts'],
        ['fs.read', 'src/../docs/a.md'],
        ['fs.read', 'docs/../../c.ts'],
        ['fs.read', '/etc/hostname'],
        ['fs.read', 'docs/none.md'],
        ['fs.read', 'docs'],
        ['fs.stat', 'docs/none.md'],
        ['fs.stat', 'src'],
        ['fs.list', 'docs/deep'],
        ['fs.list', 'docs/a.md'],
        ['fs.list', 'src'],
      ),
    ).toEqual([
      'aye',
      'bee',
      'SCOPE_DENIED',
      'SCOPE_DENIED',
      'aye',
      'INVALID_PATH',
      'INVALID_PATH',
      'NOT_FOUND',
      'NOT_A_FILE',
      null,
      'SCOPE_DENIED',
      [{name: 'b.md', kind: 'file'}],
      'NOT_A_DIRECTORY',
      'SCOPE_DENIED',
    ]);
    expect(await outcomes(['fs.stat', 'docs/a.md'])).toMatchObject([{kind: 'file', size: 3}]);
  });

  test('files are written and removed as far as granted', async () => {
    expect(
      await outcomes(
        ['fs.write', 'docs/new.md', 'new'],
        ['fs.readText', 'docs/new.md'],
        ['fs.write', 'docs/new.md', 'again', {exclusive: true}],
        ['fs.write', 'docs/a.md', 'x'],
        ['fs.write', 'docs/newer.md', 'x'],
        ['fs.write', 'out/x/y.txt', 'y'],
        ['fs.remove', 'out'],
        ['fs.remove', 'out/x'],
        ['fs.remove', 'out/x/y.txt'],
        ['fs.remove', 'out/x'],
        ['fs.stat', 'out/x'],
        ['fs.remove', 'docs/a.md'],
        ['fs.remove', 'out/none'],
      ),
    ).toEqual([
      null,
      'new',
      'EXISTS',
      'SCOPE_DENIED',
      'SCOPE_DENIED',
      null,
      'NOT_EMPTY',
      'NOT_EMPTY',
      null,
      null,
      null,
      'SCOPE_DENIED',
      'NOT_FOUND',
    ]);
  });

  test('another tool returns its output unchanged', async () => {
    const [echoed, unknown, odd] = await outcomes(
      ['callTool', 'pool:echo', {deep: [1, null]}],
      ['callTool', 'no:such', {}],
      ['callTool', 7, {}],
    );
    expect(echoed).toMatchObject({success: true, data: {deep: [1, null]}});
    expect(unknown).toMatchObject({success: false, error: {code: 'TOOL_NOT_FOUND'}});
    expect(odd).toBe('INVALID_INPUT');
    if (place === 'memory') return;
    const child = (echoed as ToolOutput).metadata?.receipt_id;
    expect((await host.runtime.evidence.receipt(String(child)))?.started.tool_name).toBe('pool:echo');
  });

  test('commands run where there are walls for them', async () => {
    const [ran, missing] = await outcomes(
      [
        'exec',
        'sh',
        ['-c', 'cat docs/a.md; cat >&2; echo "$EXTRA${BOTH_TOKEN-}"; exit 3'],
        {stdin: 'in', env: {EXTRA: 'e'}},
      ],
      ['exec', 'no-such-command', []],
    );
    if (place !== 'a sandbox') return expect([ran, missing]).toEqual(['EXEC_NEEDS_SANDBOX', 'EXEC_NEEDS_SANDBOX']);
    expect(ran).toEqual({stdout: 'ayee\n', stderr: 'in', exit_code: 3, truncated: false, timed_out: false});
    expect(missing).toMatchObject({exit_code: 127});
    expect(
      await outcomes(['exec', 'sleep', ['9'], {timeout_ms: 50}], ['exec', 'yes', [], {max_bytes: 9, timeout_ms: 300}]),
    ).toMatchObject([{timed_out: true}, {truncated: true, stdout: 'y\ny\ny\ny\ny'}]);
  });

  test.each([
    ['tool-error', {code: 'MY_CODE', message: 'reported by the author', details: {detail: [1]}}],
    [
      'error',
      {
        code: 'TOOL_EXECUTION_FAILED',
        message: 'broken',
        details: {stack: expect.stringContaining('TypeError: broken')},
      },
    ],
    ['value', {code: 'TOOL_EXECUTION_FAILED', message: 'the handler threw `"a text"`'}],
    ['output', {code: 'OWN', message: 'as a value'}],
    ['not-json', {code: 'INVALID_OUTPUT', details: {issues: [{pointer: '/data/big'}]}}],
  ])('a handler that fails by %s is reported as such', async (how, error) => {
    expect(await home.fail(how)).toMatchObject({success: false, error});
  });
});

test('a link inside of the grant does not lead out of it', async () => {
  for (const home of [hosted('pool'), hosted('sandbox')]) {
    const {outcomes} = await home.run([
      ['fs.read', 'docs/leak.md'],
      ['fs.list', 'docs'],
    ]);
    expect(outcomes[0]).toBe('SCOPE_DENIED');
  }
});

test('the stack of a throw leads to the author’s own file', async () => {
  const line = readFileSync(join(workspace.root, 'packs/both/tools/report.ts'), 'utf8')
    .split('\n')
    .findIndex((text) => text.includes("new TypeError('broken')"));
  for (const place of ['pool', 'sandbox'] as const) {
    const {error} = await hosted(place).fail('error');
    expect(String(error?.details?.['stack']), place).toMatch(new RegExp(`tools/report\\.ts:${line + 1}:`));
  }
});
