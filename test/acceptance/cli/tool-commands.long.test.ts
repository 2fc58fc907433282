// Every tool is a command: flags from its input schema, help, completion, and sessions that continue.
import {spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {assertBuilt, makeFolder, runCommandForJson, runCommand} from '../../support/lumenflow-program.ts';

const folder = makeFolder();
const cwd = folder.path;
const program = join(import.meta.dirname, '../../../host/dist/main.js');
const run = (...args: readonly string[]) => runCommand(args, {cwd});
const json = (...args: readonly string[]) => runCommandForJson(args, {cwd});

const workspace = {
  id: 'demo',
  packs: [{id: 'units', version: '0.1.0', integrity: 'dev', source: 'local', path: 'units', trust: 'in_process'}],
  lanes: [{id: 'core', allowed_scopes: [], wip_limit: 1}],
  security: {allowed_scopes: []},
  policies: {default_decision: 'allow'},
};

beforeAll(() => {
  assertBuilt();
  cpSync(join(import.meta.dirname, '../units-pack'), join(cwd, 'units'), {recursive: true});
  const modules = join(cwd, 'units/node_modules/@lumenflow');
  mkdirSync(modules, {recursive: true});
  cpSync(join(import.meta.dirname, '../../../pack-sdk'), join(modules, 'pack-sdk'), {recursive: true});
  writeFileSync(join(cwd, 'workspace.yaml'), JSON.stringify(workspace));
  writeFileSync(join(cwd, 'unit.json'), '{"id": "U-2", "title": "From a file", "tests": {"e2e": ["x"]}}');
});
afterAll(() => folder.remove());

describe('a call', () => {
  test('takes typed, nested and repeated flags', async () => {
    const flags = '--id U-1 --size 3 --labels a --labels b --priority P1 --no-draft --tests.unit t --extra {"k":1}';
    expect(await json('unit', 'new', ...flags.split(' '))).toMatchObject({
      code: 0,
      document: {
        ok: true,
        tool: 'unit:new',
        data: {size: 3, labels: ['a', 'b'], priority: 'P1', draft: false, tests: {unit: ['t']}, extra: {k: 1}},
      },
    });
  });

  test('takes a file, over which flags win, and a tool without a verb', async () => {
    const file = await json('unit', 'new', '--input', 'unit.json', '--title', 'Mine', '--tests.unit', 't');
    expect(file.document).toMatchObject({data: {id: 'U-2', title: 'Mine', tests: {e2e: ['x'], unit: ['t']}}});
    expect((await json('gates', '--only', 'lint', '--dry-run')).document).toMatchObject({
      data: {passed: ['lint'], dry_run: true},
    });
  });

  test('that claims names the session, and later calls continue in it', async () => {
    const {stdout, stderr} = await run('unit', 'claim', '--id', 'U-1');
    const session = /session_id +(\S+)/u.exec(stdout)?.[1] ?? '';
    expect(stderr).toContain(`export LUMENFLOW_SESSION=${session}`);
    const where = {document: {data: {task_id: 'U-1'}}};
    expect(await json('unit', 'where', '--session', session)).toMatchObject(where);
    const env = {LUMENFLOW_SESSION: session};
    expect(await runCommandForJson(['tools', 'call', 'unit:where'], {cwd, env})).toMatchObject(where);
    const done = await runCommandForJson(['unit', 'end', '--id', 'U-1', '--how', 'complete'], {cwd, env});
    expect(done.document).toMatchObject({task_id: 'U-1', data: {state: 'done'}});
    const after = await runCommandForJson(['unit', 'where'], {cwd, env});
    expect(after.document).toMatchObject({data: {task_id: expect.stringMatching(/^cli-[0-9a-f]{12}$/) as string}});
    expect((await json('task', 'list', '--state', 'active')).document).toMatchObject({tasks: []});
  });
});

test('the board shows planned tasks, not those of sessions and calls', async () => {
  const {document} = await json('board', '--lane', 'core');
  const done = {lane_id: 'core', wip_limit: 1, in_progress: 0, done: 1};
  expect(document).toMatchObject({lanes: [{...done, tasks: [{task_id: 'U-2', title: 'Mine', state: 'ready'}]}]});
  expect(await json('board', '--lane', 'cor')).toMatchObject({code: 2, document: {error: {code: 'LANE_NOT_FOUND'}}});
});

test.each([
  [['unit', 'nwe'], 'unknown command `nwe`', 'did you mean `new`?'],
  [['evidence', 'lits'], 'unknown command `lits`', 'did you mean `list`?'],
  [['unit', 'new', '--id', 'x', '--prioriti', 'P1'], 'unknown flag `--prioriti`', 'did you mean `--priority`?'],
  [
    ['unit', 'new', '--size', '0'],
    '`--id` is missing; `--size` is `0`, which is too small (write a number of at least 1)',
    'see `lumenflow unit new --help`',
  ],
])('%j is reported in terms of the command line', async (args, message, help) => {
  expect(await json(...args)).toMatchObject({code: 2, document: {error: {code: 'USAGE', message, details: {help}}}});
});

test("where a domain is a command's, too, the command wins and the tool goes by what the command lacks, or by its name", async () => {
  expect((await json('evidence', 'list')).document).toHaveProperty('receipts');
  for (const words of [['evidence', 'count'], ['evidence:count']]) {
    expect((await json(...words)).document).toMatchObject({tool: 'evidence:count'});
  }
  expect((await json('tools', 'call', 'task')).document).toMatchObject({tool: 'task'});
});

test('help comes from the descriptions, within 80 columns', async () => {
  const [domain, help] = [await run('unit'), await run('help', 'unit', 'new')];
  expect(domain.stdout).toMatch(/^ {2}new +Plans a task$/m);
  expect(help.stdout).toMatch(/^ {2}--priority <P0\|P1\|P2> +How soon$/m);
  expect(help.stdout).toMatch(/^ {2}--draft +Not to be shown yet \(or --no-draft\)$/m);
  for (const line of [...domain.stdout.split('\n'), ...help.stdout.split('\n')]) {
    expect(line.length).toBeLessThanOrEqual(80);
  }
});

test('shells complete commands, tools, flags and values', async () => {
  expect((await run('complete', '--', 'unit', 'new', '--priority', '')).stdout).toBe(
    'P0\tHow soon\nP1\tHow soon\nP2\tHow soon\n',
  );
  expect((await json('complete', 'un')).document).toMatchObject({suggestions: [{value: 'unit'}]});
  expect((await runCommandForJson(['complete', 'ev'], {cwd: '/'})).document).toMatchObject({
    suggestions: [{value: 'evidence'}],
  });
  expect(await json('completion', 'tcsh')).toMatchObject({code: 2});
  const {stdout: script} = await run('completion', 'bash');
  const line = `lumenflow() { ${process.execPath} ${program} "$@"; }; ${script}
    COMP_WORDS=(lumenflow unit en); COMP_CWORD=2; _lumenflow; printf '%s' "\${COMPREPLY[*]}"`;
  expect(spawnSync('bash', ['-c', line], {cwd, encoding: 'utf8'}).stdout).toBe('end');
});

describe('code', () => {
  test('runs, with its report in the document, also of a failure', async () => {
    writeFileSync(
      join(cwd, 'code.mjs'),
      `console.log('begun'); return (await tools.unit.new({id: 'U-9', title: 'Mine'})).id;`,
    );
    expect(await json('code', 'run', 'code.mjs')).toMatchObject({
      code: 0,
      document: {
        ok: true,
        data: {value: 'U-9', stdout: 'begun\n', calls: [{tool_id: 'unit:new', status: 'succeeded'}]},
      },
    });
    expect(await json('code', 'run', 'code.mjs', '--allow', 'gates', '--allow', 'x:*')).toMatchObject({
      code: 1,
      document: {
        ok: false,
        error: {code: 'TOOL_EXECUTION_FAILED'},
        data: {stdout: 'begun\n', calls: [{tool_id: 'unit:new', error: {code: 'TOOL_NOT_ALLOWED'}}]},
      },
    });
    expect((await json('code', 'run', 'unit.json')).document).toMatchObject({error: {code: 'INVALID_ARGUMENT'}});
    expect((await run('code', 'types')).stdout).toContain('new(args: UnitNewInput.Value)');
  });
});
