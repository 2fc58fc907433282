import {mkdir, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {GateReport} from '../../gates/gate-report.ts';
import {createTestWorkspace, type TestWorkspace} from '../../test-workspace.fixture.ts';
import {gates} from './gates.ts';
import {commitAll} from '../git/git-repository.fixture.ts';
import {gatesResults} from './results.ts';

async function createRepository(): Promise<TestWorkspace> {
  const workspace = await createTestWorkspace();
  await workspace.git('init', '--quiet', '--initial-branch=main');
  await workspace.put('a b.txt', 'content\n');
  return workspace;
}

async function runGates(
  workspace: TestWorkspace,
  commands: Record<string, string | {command: string; timeout_ms?: number; optional?: boolean}>,
  input: Parameters<typeof gates.run>[0] = {},
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

  it('fails on a missing command, but not on an optional one', async () => {
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

  it('fails a gate that times out, with its output', async () => {
    const workspace = await createRepository();
    const report = await runGates(workspace, {test: {command: 'echo begun; sleep 60', timeout_ms: 2000}});
    expect(report).toMatchObject({
      passed: false,
      gates: [{passed: false, exit_code: null, timed_out: true, output_tail: 'begun'}],
    });
  });

  it('runs the requested gates, and skips the rest after a failure on request', async () => {
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

  it('fails if no gate would run', async () => {
    const workspace = await createRepository();
    for (const config of [undefined, {}, {gates: {commands: {}}}]) {
      await expect(gates.run({}, workspace.context(config))).rejects.toMatchObject({code: 'NO_GATES_CONFIGURED'});
    }
    await expect(runGates(workspace, {test: 'true'}, {only: ['tests']})).rejects.toMatchObject({
      code: 'UNKNOWN_GATE',
      details: {unknown: ['tests'], configured: ['test']},
    });
  });

  it('identifies the tree by git, regardless of the index, and writes nothing to the repository', async () => {
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

  it('lets gates write in their copy, which contains exactly the tree', async () => {
    const workspace = await createRepository();
    await workspace.put('.gitignore', 'secret\nnode_modules\n');
    await workspace.put('secret', 'x');
    await workspace.put('node_modules/tool/index.js', '');
    await workspace.put('node_modules/.cache/x', '');
    await workspace.put('.npmrc', 'x=1\n');
    const script = 'echo more >> "a b.txt"; mkdir node_modules/.cache; git status --porcelain; ls -A . node_modules';
    const report = await runGates(workspace, {test: script});
    expect(report).toMatchObject({passed: true});
    const lines = report.gates[0]?.output_tail.split('\n') ?? [];
    expect(lines).toEqual(expect.arrayContaining(['a b.txt', '.npmrc', 'node_modules', 'tool']));
    expect(lines).not.toContain('secret');
    expect(await workspace.text('a b.txt')).toBe('content\n');
  });

  it('links packages of the same tree to their copies', async () => {
    const workspace = await createRepository();
    await workspace.put('.gitignore', 'node_modules\n');
    await workspace.put('packages/a/name.txt', 'a\n');
    await workspace.put('node_modules/b/name.txt', 'b\n');
    await mkdir(join(workspace.root, 'node_modules/@own'));
    await symlink('../../packages/a', join(workspace.root, 'node_modules/@own/a'));
    await workspace.put('packages/a/node_modules/c/name.txt', 'c\n');
    const report = await runGates(workspace, {
      test: 'echo x >> packages/a/name.txt; cat node_modules/@own/a/name.txt node_modules/b/name.txt packages/a/node_modules/c/name.txt',
    });
    expect(report.gates[0]?.output_tail).toBe('a\nx\nb\nc');
  });

  it('does not repeat gates that passed on this tree, unless requested', async () => {
    const workspace = await createRepository();
    const commands = {test: 'true', lint: 'false'};
    await runGates(workspace, commands);
    expect(await runGates(workspace, commands)).toMatchObject({
      passed: false,
      gates: [
        {passed: true, cached_from: 'rcp-1', exit_code: null},
        {passed: false, exit_code: 1},
      ],
    });
    expect((await runGates(workspace, commands, {fresh: true})).gates[0]).toMatchObject({exit_code: 0});
    expect((await runGates(workspace, {test: 'true '})).gates[0]).toMatchObject({exit_code: 0});
    await workspace.put('a b.txt', 'other\n');
    expect((await runGates(workspace, commands)).gates[0]).toMatchObject({exit_code: 0});
  });

  it('runs on a commit, regardless of the current files', async () => {
    const workspace = await createRepository();
    const commit = await commitAll(workspace, 'first');
    await workspace.put('a b.txt', 'broken\n');
    const tree = (await workspace.git('rev-parse', `${commit}^{tree}`)).trim();
    const commands = {test: 'grep content "a b.txt"'};
    expect(await runGates(workspace, commands, {commit})).toMatchObject({passed: true, tree_hash: tree});
    expect(await runGates(workspace, commands)).toMatchObject({passed: false});
    await expect(runGates(workspace, commands, {commit: 'none'})).rejects.toMatchObject({code: 'UNKNOWN_REVISION'});
  });

  it('records the gates that a person waived', async () => {
    const workspace = await createRepository();
    const skip = [{gate: 'lint', reason: 'the linter is broken'}];
    expect(await runGates(workspace, {test: 'true', lint: 'false'}, {skip})).toMatchObject({
      passed: true,
      gates: [{passed: true}, {passed: false, waived: 'the linter is broken', exit_code: null}],
    });
    expect(await gatesResults.run({}, workspace.context(undefined))).toMatchObject({
      runs: [{task_id: 'task-1', receipt_id: 'rcp-1', passed: true, gates: [{}, {waived: 'the linter is broken'}]}],
    });
  });

  it('reports what it would run', async () => {
    const workspace = await createRepository();
    const report = await runGates(workspace, {test: 'touch /tmp/must-not-run'}, {dry_run: true});
    expect(report).toMatchObject({passed: false, dry_run: true, gates: [{name: 'test', exit_code: null}]});
    expect(await gatesResults.run({}, workspace.context(undefined))).toEqual({runs: [], more: false});
  });

  it('runs a conditional gate if a changed path triggers it', async () => {
    const workspace = await createRepository();
    await commitAll(workspace, 'first');
    const conditional = [
      {trigger_patterns: ['docs/**'], command: 'false', severity: 'error' as const, guidance: 'mind the docs'},
      {name: 'notes', trigger_patterns: ['*.txt'], command: 'false', severity: 'warn' as const},
    ];
    const run = async (): Promise<object> => await gates.run({}, workspace.context({gates: {conditional}}));
    expect(await run()).toMatchObject({passed: false, gates: [{not_triggered: true}, {not_triggered: true}]});
    await workspace.put('a b.txt', 'new\n');
    expect(await run()).toMatchObject({
      passed: true,
      gates: [
        {name: 'conditional-1', passed: true, not_triggered: true},
        {name: 'notes', passed: false, optional: true},
      ],
    });
    await workspace.put('docs/ä.md', 'new\n');
    expect(await run()).toMatchObject({passed: false, gates: [{passed: false, guidance: 'mind the docs'}, {}]});
  });

  it('checks the coverage that other gates measured', async () => {
    const workspace = await createRepository();
    const run = async (min: number, report = 'out/lcov.info'): Promise<object> => {
      const test = 'mkdir out; printf "LF:4\\nLH:3\\n" > out/lcov.info; echo "no" > out/other';
      return await gates.run({}, workspace.context({gates: {commands: {test}, coverage: {min, report}}}));
    };
    const coverage = {name: 'coverage', output_tail: 'out/lcov.info: 75.00 % of lines'};
    expect(await run(75)).toMatchObject({passed: true, gates: [{exit_code: 0}, {...coverage, passed: true}]});
    expect(await run(76)).toMatchObject({passed: false, gates: [{exit_code: 0}, {...coverage, passed: false}]});
    expect(await run(75)).toMatchObject({passed: true, gates: [{cached_from: 'rcp-1'}, {cached_from: 'rcp-1'}]});
    expect(await run(1, 'out/other')).toMatchObject({
      passed: false,
      gates: [{}, {output_tail: expect.stringMatching(/coverage format is unknown/)}],
    });
    expect(await run(1, 'none')).toMatchObject({
      passed: false,
      gates: [{}, {output_tail: expect.stringMatching(/no gate wrote it/)}],
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
