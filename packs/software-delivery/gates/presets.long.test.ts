// Presets on small real repositories, with the languages' own programs if the machine has them.
import {execFileSync} from 'node:child_process';
import {mkdtemp, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import type {GatesConfig} from '../pack-config.ts';
import {createTestWorkspace, type TestWorkspace} from '../test-workspace.fixture.ts';
import {gates} from '../tools/gates/gates.ts';
import type {GateReport} from './gate-report.ts';

async function repository(files: Readonly<Record<string, string>>): Promise<TestWorkspace> {
  const workspace = await createTestWorkspace();
  await workspace.git('init', '--quiet', '--initial-branch=main');
  for (const [path, text] of Object.entries(files)) await workspace.put(path, text);
  return workspace;
}

async function run(workspace: TestWorkspace, config: GatesConfig): Promise<GateReport> {
  return (await gates.run({}, workspace.context({gates: config}))) as GateReport;
}

const passedOf = ({gates: results}: GateReport): object =>
  Object.fromEntries(results.map(({name, passed}) => [name, passed]));

function lacks(program: string, question = '--version'): boolean {
  try {
    execFileSync(program, [question], {stdio: 'ignore'});
    return false;
  } catch {
    return true;
  }
}

describe('presets', () => {
  it('node: every script runs, and a missing one is a failure', async () => {
    const scripts = {'format:check': 'node ok.mjs', lint: 'node ok.mjs', test: 'node --test'};
    const workspace = await repository({
      'package.json': JSON.stringify({type: 'module', scripts}),
      'ok.mjs': '',
      'sum.test.mjs':
        "import {test} from 'node:test';\nimport assert from 'node:assert';\ntest('sum', () => assert.equal(1 + 1, 2));\n",
    });
    const report = await run(workspace, {preset: 'node'});
    expect(passedOf(report)).toEqual({format: true, lint: true, typecheck: false, test: true});
    expect(report.gates[2]?.output_tail).toMatch(/missing script: "?typecheck/i);
    expect(await run(workspace, {preset: 'node', commands: {typecheck: false}})).toMatchObject({passed: true});
    await workspace.put(
      'sum.test.mjs',
      "import {test} from 'node:test';\ntest('sum', () => { throw new Error('no'); });\n",
    );
    expect(passedOf(await run(workspace, {preset: 'node'}))).toMatchObject({test: false});
  });

  it.skipIf(lacks('python3'))('python: tests run and leave no files behind', async () => {
    const workspace = await repository({
      'pyproject.toml': '[project]\nname = "sum"\nversion = "1"\n',
      'sümme.py': 'def add(a, b):\n    return a + b\n',
      'test_sum.py':
        'import unittest\nfrom sümme import add\n\nclass Sum(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 1), 2)\n',
    });
    const commands = {
      format: false,
      lint: false,
      typecheck: 'python3 -m compileall -q .',
      test: 'python3 -m unittest -q',
    } as const;
    expect(passedOf(await run(workspace, {preset: 'python', commands}))).toEqual({typecheck: true, test: true});
    expect(await workspace.git('status', '--porcelain', '--untracked-files=all')).not.toContain('__pycache__');
    await workspace.put('sümme.py', 'def add(a, b):\n    return a - b\n');
    expect(passedOf(await run(workspace, {preset: 'python', commands}))).toEqual({typecheck: true, test: false});
  });

  it.skipIf(lacks('go', 'version'))('go: format, vet, build and tests run', {timeout: 240_000}, async () => {
    const workspace = await repository({
      'go.mod': 'module example.org/sum\n\ngo 1.19\n',
      'sum.go': 'package sum\n\n// Add adds.\nfunc Add(a, b int) int { return a + b }\n',
      'sum_test.go':
        'package sum\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 1) != 2 {\n\t\tt.Fatal("no")\n\t}\n}\n',
    });
    expect(passedOf(await run(workspace, {preset: 'go'}))).toEqual({
      format: true,
      lint: true,
      typecheck: true,
      test: true,
    });
    await workspace.put('sum.go', 'package sum\n\n// Add adds.\nfunc Add(a,b int) int { return a - b }\n');
    expect(passedOf(await run(workspace, {preset: 'go'}))).toMatchObject({format: false, typecheck: true, test: false});
  });

  it.skipIf(lacks('make'))('make: targets run, and a missing one is a failure', async () => {
    const makefile = 'test: sum\n\t./sum\nsum:\n\tprintf "#!/bin/sh\\nexit 0\\n" > sum && chmod +x sum\n';
    const workspace = await repository({Makefile: makefile});
    expect(passedOf(await run(workspace, {preset: 'make'}))).toEqual({lint: false, test: true});
  });

  it.each(['go', 'rust', 'java', 'dotnet', 'ruby', 'php'] as const)(
    '%s: a program that is missing is a failure',
    async (preset) => {
      const workspace = await repository({README: ''});
      const programs = await mkdtemp(join(tmpdir(), 'programs-'));
      onTestFinished(() => rm(programs, {recursive: true}));
      await symlink('/bin/sh', join(programs, 'sh'));
      const context = workspace.context({gates: {preset}});
      const exec: typeof context.exec = (command, args, options = {}) => {
        const env = {...options.env, ...(options.env?.['CI'] === 'true' && {PATH: programs})};
        return context.exec(command, args, {...options, env});
      };
      const report = (await gates.run({}, {...context, exec})) as GateReport;
      expect(report.gates.length).toBeGreaterThan(1);
      expect(report.gates.map(({passed}) => passed)).not.toContain(true);
      expect(report.gates.map(({exit_code: code}) => code)).toContain(127);
    },
  );
});
