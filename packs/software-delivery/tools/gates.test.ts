import {describe, expect, it} from 'vitest';
import type {GateReport} from '../gates/gate-report.ts';
import {createTestWorkspace, type TestWorkspace} from '../test-context.fixture.ts';
import {gates} from './gates.ts';
import {gatesList} from './gates-list.ts';

async function createRepository(): Promise<TestWorkspace> {
  const workspace = await createTestWorkspace();
  await workspace.git('init', '--quiet', '--initial-branch=main');
  await workspace.put('a b.txt', 'content\n');
  return workspace;
}

async function runGates(
  workspace: TestWorkspace,
  commands: Record<string, string | {command: string; timeout_ms?: number; optional?: boolean}>,
  input: {only?: string[]; fail_fast?: boolean} = {},
): Promise<GateReport> {
  const output = await gates.run(input, workspace.context({gates: {commands}}));
  if (!('gates' in output)) throw new Error('no report');
  return output;
}

describe('gates', () => {
  it('runs the commands in order and reports each', async () => {
    const workspace = await createRepository();
    const report = await runGates(workspace, {
      format: 'grep -q content "a b.txt"',
      test: 'printf "\\033[31mred\\033[0m 10%%\\r100%%\\n"; echo err >&2; echo out; exit 3',
    });
    expect(report).toMatchObject({
      passed: false,
      tree_changed: false,
      gates: [
        {name: 'format', command: 'grep -q content "a b.txt"', passed: true, exit_code: 0, optional: false},
        {name: 'test', passed: false, exit_code: 3, output_tail: '100%\nerr\nout'},
      ],
    });
    expect(workspace.progress).toMatchObject([
      {gate: 'format', index: 1, total: 2, state: 'started'},
      {gate: 'format', state: 'finished', passed: true},
      {gate: 'test', state: 'started'},
      {gate: 'test', state: 'finished', passed: false},
    ]);
  });

  it('fails on a missing command, and passes over an optional one', async () => {
    const workspace = await createRepository();
    expect(await runGates(workspace, {lint: 'no-such-linter-here'})).toMatchObject({
      passed: false,
      gates: [{exit_code: 127}],
    });
    expect(await runGates(workspace, {lint: {command: 'false', optional: true}, test: 'true'})).toMatchObject({
      passed: true,
      gates: [{passed: false, optional: true}, {passed: true}],
    });
  });

  it('fails a gate that takes too long, with what it said', async () => {
    const workspace = await createRepository();
    const report = await runGates(workspace, {test: {command: 'echo begun; sleep 60', timeout_ms: 300}});
    expect(report).toMatchObject({
      passed: false,
      gates: [{passed: false, exit_code: null, timed_out: true, output_tail: 'begun'}],
    });
  });

  it('runs those asked for, and skips after a failure when asked to', async () => {
    const workspace = await createRepository();
    const commands = {format: 'false', test: 'true'};
    expect(await runGates(workspace, commands, {only: ['test']})).toMatchObject({
      passed: true,
      gates: [{name: 'test'}],
    });
    expect(await runGates(workspace, commands, {fail_fast: true})).toMatchObject({
      passed: false,
      gates: [
        {name: 'format', passed: false},
        {name: 'test', passed: false, skipped: true, exit_code: null},
      ],
    });
  });

  it('refuses when no gate would run', async () => {
    const workspace = await createRepository();
    for (const config of [undefined, {}, {gates: {commands: {}}}]) {
      await expect(gates.run({}, workspace.context(config))).rejects.toMatchObject({code: 'NO_GATES_CONFIGURED'});
    }
    await expect(runGates(workspace, {test: 'true'}, {only: ['tests']})).rejects.toMatchObject({
      code: 'UNKNOWN_GATE',
      details: {unknown: ['tests'], configured: ['test']},
    });
  });

  it('names the tree by git, whatever is staged, and writes nothing into the repository', async () => {
    const workspace = await createRepository();
    await workspace.put('.gitignore', 'ignored\n');
    await workspace.put('.lumenflow/kernel/log', '1');
    await workspace.put('ignored', 'x');
    const first = await runGates(workspace, {test: 'true'});
    expect(await workspace.git('count-objects')).toContain('0 objects');
    await workspace.put('.lumenflow/kernel/log', '2');
    await workspace.put('ignored', 'y');
    await workspace.git('add', '--all');
    await workspace.git('rm', '-r', '--quiet', '--cached', '.lumenflow');
    expect(await runGates(workspace, {test: 'true'})).toMatchObject({tree_hash: first.tree_hash});
    expect((await workspace.git('write-tree')).trim()).toBe(first.tree_hash);
    await workspace.put('a b.txt', 'CONTENT\n');
    const second = await runGates(workspace, {test: 'true', lint: 'true'});
    expect(second.tree_hash).not.toBe(first.tree_hash);
    expect(second.config_hash).not.toBe(first.config_hash);
  });

  it('lets no result count for a tree that changed meanwhile', async () => {
    const workspace = await createRepository();
    expect(await runGates(workspace, {test: 'echo more >> "a b.txt"'})).toMatchObject({
      passed: false,
      tree_changed: true,
      gates: [{passed: true}],
    });
  });

  it('stays small enough to be evidence', async () => {
    const workspace = await createRepository();
    const loud = String.raw`i=0; while [ $i -lt 400 ]; do echo '"\"\"\"\"\"\"\"ü'; i=$((i+1)); done; echo last`;
    const commands = Object.fromEntries(Array.from({length: 16}, (_, index) => [`gate-${index}`, loud]));
    const report = await runGates(workspace, commands);
    expect(Buffer.byteLength(JSON.stringify(report))).toBeLessThanOrEqual(48 * 1024);
    expect(report.gates.every(({output_tail: tail}) => tail.endsWith('last'))).toBe(true);
  });

  it('needs a repository', async () => {
    const workspace = await createTestWorkspace();
    await expect(runGates(workspace, {test: 'true'})).rejects.toMatchObject({code: 'NOT_A_REPOSITORY'});
  });
});

describe('gates:list', () => {
  it('fills in the defaults', async () => {
    const workspace = await createTestWorkspace();
    const commands = {test: 'npm test', e2e: {command: 'npm run e2e', timeout_ms: 5, optional: true}};
    expect(await gatesList.run({}, workspace.context({gates: {commands}}))).toEqual({
      gates: [
        {name: 'test', command: 'npm test', timeout_ms: 600_000, optional: false},
        {name: 'e2e', command: 'npm run e2e', timeout_ms: 5, optional: true},
      ],
    });
    expect(await gatesList.run({}, workspace.context(undefined))).toEqual({gates: []});
  });
});
