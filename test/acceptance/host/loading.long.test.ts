// Packs as they come from disk: errors are reported at once with their position, and what was hashed is what runs.
import {startHost, type Host} from '@lumenflow/host';
import {appendFileSync, chmodSync, mkdtempSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {codeOf, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const workspaces: HostWorkspace[] = [];
afterEach(async () => await Promise.all(workspaces.splice(0).map((workspace) => workspace.remove())));

type Files = Readonly<Record<string, string>>;

const declare = (name: string, handler_entry: string): object => ({
  name,
  description: name,
  handler_entry,
  permission: 'read',
  required_scopes: [{type: 'path', pattern: '**', access: 'read'}],
});

/** A pack in the folder of its id. */
function pack(id: string, tools: readonly object[], more: object = {}): Files {
  const manifest = {id, version: '1.0.0', manifest_version: 1, task_types: [id], tools, ...more};
  return {[`${id}/manifest.yaml`]: JSON.stringify(manifest, undefined, 1)};
}

const pin = (id: string, integrity = 'dev'): object => ({id, version: '1.0.0', integrity, source: 'local', path: id});

function make(files: Files, pins: readonly object[] = [pin('p')]): HostWorkspace {
  const workspace = makeHostWorkspace({files, spec: {packs: pins} as object});
  workspaces.push(workspace);
  return workspace;
}

async function problemsOf(
  workspace: HostWorkspace,
): Promise<readonly {code: string; where: string; message: string; help?: string}[]> {
  const error: unknown = await workspace.start().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return (error as {problems?: []} | undefined)?.problems ?? [];
}

const answer = (name: string): string => `export const ${name} = () => '${name}';\n`;

test('path#export everywhere: TS, MTS, CTS, JS, MJS and CJS handlers', async () => {
  const workspace = make({
    ...pack('p', [
      declare('p:ts', 'a/ts.ts#ts'),
      declare('p:mts', 'a/mts.mts#mts'),
      declare('p:cts', 'a/cts.cts#cts'),
      declare('p:js', 'a/js.js#js'),
      declare('p:mjs', 'a/mjs.mjs#mjs'),
      declare('p:cjs', 'a/cjs.cjs#cjs'),
      declare('p:tsx', 'a/both.ts#second'),
    ]),
    'p/package.json': '{"name": "p", "type": "module"}',
    'p/a/ts.ts':
      "interface A {readonly a: string}\nconst a: A = {a: 'ts'};\nexport const ts = (): string => a.a satisfies string;\n",
    'p/a/mts.mts': answer('mts'),
    'p/a/cts.cts': "exports.cts = (): string => 'cts';\n",
    'p/a/js.js': answer('js'),
    'p/a/mjs.mjs': "import {word} from './word.mjs';\nexport function mjs() { return word; }\n",
    'p/a/word.mjs': "export const word = 'mjs';\n",
    'p/a/cjs.cjs': "const {join} = require('node:path');\nmodule.exports = {cjs: async () => join('cjs')};\n",
    'p/a/both.ts': answer('first') + "export async function second(): Promise<string> { return 'tsx'; }\n",
  });
  const session = opened(await (await workspace.start()).openSession({by: 'tester'}));
  for (const kind of ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'tsx']) {
    expect((await session.call(`p:${kind}`, {})).data, kind).toBe(kind);
  }
});

test('missing entry, syntax error and imports of nothing are found together, each at its place', async () => {
  const problems = await problemsOf(
    make({
      ...pack('p', [
        declare('p:a', 'none.ts#a'),
        declare('p:c', 'broken.ts#c'),
        declare('p:d', 'd.ts#d'),
        declare('p:e', 'e.ts#e'),
      ]),
      'p/broken.ts': 'export const c = ;\n',
      'p/d.ts': "import {x} from './nowhere.ts';\nexport const d = x;\n",
      'p/e.ts': "import {x} from 'left-pad';\nexport const e = x;\n",
    }),
  );
  const reported = problems.map(({where, message}) => `${where} ${message}`).join('\n');
  expect(reported).toMatch(/p\/manifest\.yaml:\d+:\d+ .*none\.ts/);
  expect(reported).toMatch(/p\/broken\.ts:1:\d+ /);
  expect(reported).toMatch(/p\/d\.ts:1:\d+ .*nowhere/);
  expect(reported).toMatch(/p\/e\.ts:1:\d+ .*left-pad/);
});

test('missing export, beside a missing entry: both are reported with their positions', async () => {
  const workspace = make({
    ...pack('p', [declare('p:a', 'none.ts#a'), declare('p:b', 'b.ts#c')]),
    'p/b.ts': answer('b'),
  });
  const reported = (await problemsOf(workspace)).map(({where, message}) => `${where} ${message}`).join('\n');
  expect(reported).toMatch(/p\/manifest\.yaml:\d+:\d+ .*none\.ts/);
  expect(reported).toMatch(/p\/manifest\.yaml:\d+:\d+ .*`c`/);
});

test('throwing module: its calls fail with what it threw, its neighbours in the pack work', async () => {
  const workspace = make({
    ...pack('p', [declare('p:bad', 'bad.ts#bad'), declare('p:good', 'good.ts#good')]),
    'p/bad.ts': "export const bad = () => 1;\nthrow new Error('thrown at the top');\n",
    'p/good.ts': answer('good'),
  });
  const session = opened(await (await workspace.start()).openSession({by: 'tester'}));
  const {error} = await session.call('p:bad', {});
  expect(error?.message).toContain('thrown at the top');
  expect(await codeOf(session, 'p:good')).toBe('success');
});

test.each([
  ['by dots', 'p:a', '../outside.ts#a'],
  ['by an absolute path', 'p:a', '/etc/outside.ts#a'],
  ['by a symlink', 'p:a', 'link.ts#a'],
  ['by a symlinked folder', 'p:a', 'folder/outside.ts#a'],
])('entry outside the pack %s is refused', async (_name, tool, entry) => {
  const workspace = make({
    ...pack('p', [declare(tool, entry)]),
    'outside.ts': answer('a'),
    'out/outside.ts': answer('a'),
  });
  if (entry.startsWith('link')) symlinkSync('../outside.ts', join(workspace.root, 'p/link.ts'));
  if (entry.startsWith('folder')) symlinkSync('../out', join(workspace.root, 'p/folder'));
  expect((await problemsOf(workspace)).map(({where}) => where)).toContainEqual(expect.stringMatching(/^p\//));
});

test('duplicate tool names, within a pack and between packs, name both places', async () => {
  const within = await problemsOf(
    make({...pack('p', [declare('p:a', 'a.ts#a'), declare('p:a', 'a.ts#a')]), 'p/a.ts': answer('a')}),
  );
  expect(within.map(({message}) => message).join()).toMatch(/`p:a`/);
  const files = {...pack('p', [declare('x:a', 'a.ts#a')]), ...pack('q', [declare('x:a', 'a.ts#a')])};
  const between = await problemsOf(
    make({...files, 'p/a.ts': answer('a'), 'q/a.ts': answer('a')}, [pin('p'), pin('q')]),
  );
  expect(between.map(({message, where}) => `${where} ${message}`).join()).toMatch(
    /q\/manifest\.yaml:\d+:\d+.*`q`.*`p`.*p\/manifest\.yaml:\d+:\d+/,
  );
});

test.each(['tool.ts', 'word.ts', 'dist/built.js', 'node_modules/dep/index.js', 'new-file.txt'])(
  'tampered file %s: the load is refused with both hashes',
  async (file) => {
    const files = {
      ...pack('p', [declare('p:a', 'tool.ts#a'), declare('p:b', 'dist/built.js#b')]),
      'p/package.json': '{"name": "p", "type": "module", "dependencies": {"dep": "1.0.0"}}',
      'p/tool.ts': "import {word} from './word.ts';\nimport {dep} from 'dep';\nexport const a = () => word + dep;\n",
      'p/word.ts': "export const word = 'w';\n",
      'p/dist/built.js': answer('b'),
      'p/node_modules/dep/package.json': '{"name": "dep", "version": "1.0.0", "type": "module", "main": "index.js"}',
      'p/node_modules/dep/index.js': "export const dep = 'd';\n",
    };
    const [unpinned] = await problemsOf(make(files, [pin('p', `sha256:${'0'.repeat(64)}`)]));
    const [right = ''] = /sha256:(?!0{64})[0-9a-f]{64}/.exec(JSON.stringify(unpinned)) ?? [];
    const workspace = make(files, [pin('p', right)]);
    const session = opened(await (await workspace.start()).openSession({by: 'tester'}));
    expect((await session.call('p:a', {})).data).toBe('wd');
    appendFileSync(join(workspace.root, 'p', file), '\n');
    const problems = await problemsOf(workspace);
    expect(problems).toHaveLength(1);
    const reported = JSON.stringify(problems);
    expect(reported).toContain(right);
    expect(reported.replaceAll(right, '')).toMatch(/sha256:[0-9a-f]{64}/);
  },
);

test('changed after load: what was hashed is what runs, on the pool and in the sandbox', async () => {
  const tools = [{...declare('p:pool', 'a.ts#a'), handler: 'in_process'}, declare('p:sandbox', 'a.ts#a')];
  const workspace = make({...pack('p', tools), 'p/a.ts': answer('a')}, [{...pin('p'), trust: 'in_process'}]);
  const session = opened(await (await workspace.start()).openSession({by: 'tester'}));
  workspace.write({'p/a.ts': "export const a = () => 'changed';\n"});
  for (const tool of ['p:pool', 'p:sandbox']) expect((await session.call(tool, {})).data, tool).toBe('a');
});

test('a build in the cache that was changed is not executed by the next start', async () => {
  const workspace = make({...pack('p', [declare('p:a', 'a.ts#a')]), 'p/a.ts': answer('a')});
  const first = await workspace.start();
  const module = first.runtime.workspace.tools.get('p:a')?.module_path ?? '';
  await first.close();
  chmodSync(module, 0o644);
  appendFileSync(module, "\nprocess.stdout.write('changed');\nthrow new Error('changed');\n");
  const session = opened(await (await workspace.start()).openSession({by: 'tester'}));
  expect((await session.call('p:a', {})).data).toBe('a');
});

test('SPEC_TAMPERED: once workspace.yaml is edited every call is refused, until a restart', async () => {
  const workspace = make({...pack('p', [declare('p:a', 'a.ts#a')]), 'p/a.ts': answer('a')});
  const host: Host = await workspace.start();
  const session = opened(await host.openSession({by: 'tester'}));
  expect(await codeOf(session, 'p:a')).toBe('success');
  appendFileSync(join(workspace.root, 'workspace.yaml'), '# loosened\n');
  expect(await codeOf(session, 'p:a')).toBe('SPEC_TAMPERED');
  expect(await codeOf(session, 'none:such')).toBe('SPEC_TAMPERED');
  expect(await host.openSession({by: 'other'})).toMatchObject({success: false, error: {code: 'SPEC_TAMPERED'}});
  const {receipts} = await host.runtime.evidence.readTraces({result: 'denied'});
  expect(receipts).toHaveLength(2);
  expect(await codeOf(opened(await (await workspace.start()).openSession({by: 'tester'})), 'p:a')).toBe('success');
});

test('an empty directory: what is missing, and what to do', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'lumenflow-empty-'));
  try {
    await expect(startHost({workspaceRoot: empty})).rejects.toMatchObject({
      code: 'LOAD_FAILED',
      problems: [{code: 'WORKSPACE_NOT_FOUND', help: expect.stringContaining('lumenflow init')}],
    });
    await expect(startHost({workspaceRoot: join(empty, 'none')})).rejects.toThrow(/none/);
  } finally {
    rmSync(empty, {recursive: true});
  }
});

test('three mistakes are reported together, each with file, line and column', async () => {
  const workspace = make({...pack('p', [declare('p:a', 'none.ts#a')], {config_schema: 'none.json'}), 'a.ts': ''}, [
    pin('p'),
    {...pin('p'), id: 'gone', path: 'gone'},
  ]);
  const problems = (await problemsOf(workspace)).filter(({message}) => !message.includes('is not pinned'));
  expect(problems.length).toBeGreaterThanOrEqual(2);
  for (const {where} of problems) expect(where).toMatch(/\.yaml:\d+:\d+$/);
  const mistaken = makeHostWorkspace({
    spec: {
      lanes: [{id: 'core', allowed_scopes: [{type: 'path', pattern: '../x', access: 'write'}], wip_limit: 0}],
      security: {allowed_scopes: [], network_defualt: 'off'},
      policies: {default_decision: 'alow'},
    } as object,
  });
  workspaces.push(mistaken);
  const reported = await problemsOf(mistaken);
  expect(reported.length).toBeGreaterThanOrEqual(3);
  expect(reported.map(({message}) => message).join('\n')).toMatch(/wip_limit|network_defualt/);
});
