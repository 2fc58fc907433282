// `.lumenflow/` is out of reach of every tool, in every notation and for every handler.
import type {Host, Session} from '@lumenflow/host';
import {createHash} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, statSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, afterEach, expect, test} from 'vitest';
import {everything, makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
let host: Host;
let session: Session;
let before: ReadonlyMap<string, {readonly size: number; readonly mark: string}>;

const stateFolder = (): string => join(workspace.root, '.lumenflow');

beforeAll(async () => {
  workspace = makeHostWorkspace({
    firstParty: ['software-delivery'],
    copied: {attack: join(import.meta.dirname, 'attack-pack')},
    pins: {'software-delivery': {trust: 'in_process'}},
    files: {'a/file.txt': 'a\n'},
    spec: {
      lanes: [{id: 'core', allowed_scopes: everything}, ...wildLanes],
      security: {allowed_scopes: everything},
    },
  });
  symlinkSync('.lumenflow', join(workspace.root, 'link'));
  symlinkSync(join(workspace.root, '.lumenflow', 'kernel'), join(workspace.root, 'a', 'link'));
  host = await workspace.start();
  session = opened(await host.openSession({by: 'attacker'}));
});
afterAll(async () => await workspace.remove());

/**
 * The runtime itself only appends, so existing bytes must remain. Built packs do not grow: the ctime reveals a change of one of their
 * many files.
 */
function markOf(path: string, size: number): string {
  const full = join(stateFolder(), path);
  const {ino, ctimeMs} = statSync(full);
  if (path.startsWith('cache/')) return `${ino} ${ctimeMs}`;
  return createHash('sha256').update(readFileSync(full).subarray(0, size)).digest('hex');
}

/** But for the views of calls, which come and go. */
function pathsOfState(): readonly string[] {
  const names = readdirSync(stateFolder()).filter((name) => name !== 'transactions');
  return names.flatMap((name) => {
    if (!statSync(join(stateFolder(), name)).isDirectory()) return [name];
    return [
      name,
      ...readdirSync(join(stateFolder(), name), {recursive: true}).map((inside) => join(name, String(inside))),
    ];
  });
}

const isLog = (path: string): boolean => /^kernel\/(events|evidence|tasks)\/|^keys\/|^cache\//.test(path);

beforeEach(() => {
  const paths = pathsOfState().filter(isLog);
  const found = paths.flatMap((path) => {
    const stat = statSync(join(stateFolder(), path));
    return stat.isFile() ? [[path, {size: stat.size, mark: markOf(path, stat.size)}] as const] : [];
  });
  expect(found.length).toBeGreaterThan(3);
  before = new Map(found);
});
afterEach(() => {
  const changed = [...before].filter(([path, {size, mark}]) => markOf(path, size) !== mark);
  expect(changed).toEqual([]);
  const planted = pathsOfState().filter((path) => path.endsWith('planted'));
  expect(planted).toEqual([]);
});

const spellings = [
  '.lumenflow/planted',
  './/.lumenflow/planted',
  '././.lumenflow/planted',
  'a/../.lumenflow/planted',
  'a//..//.lumenflow//planted',
  '.lumenflow/kernel/../planted',
  'link/planted',
  'a/link/planted',
  './link/kernel/planted',
  '.Lumenflow/planted',
  '.LUMENFLOW/planted',
  '.lumenflow/kernel/events/planted',
  '.lumenflow',
];

test.each(spellings)('reserved-spellings: file:write to %s', async (path) => {
  for (const spelled of [path, `${workspace.root}/${path}`]) {
    const output = await session.call('file:write', {path: spelled, content: 'planted'});
    expect(output.success, spelled).toBe(false);
  }
});

test.each(spellings)('reserved-spellings: reading and deleting by %s', async (path) => {
  const victim = path.replace('planted', 'kernel/tasks');
  for (const tool of ['file:read', 'file:list', 'file:delete']) {
    const output = await session.call(tool, {path: victim});
    if (output.success) expect(output.data, tool).not.toMatchObject({entries: [expect.anything()]});
  }
});

test.each(spellings)('reserved-spellings: a handler that uses node:fs on %s', async (path) => {
  for (const spelled of [path, `${workspace.root}/${path}`]) {
    await must(session, 'attack:write', {path: spelled, content: 'planted'});
  }
  const log = path.replace('planted', 'kernel/events');
  expect(await must(session, 'attack:read', {path: log})).toMatchObject({outcome: expect.stringMatching(/^E/)});
});

test.each([
  ['append', 'for file in $(find -L .lumenflow link a/link -type f); do echo planted >> $file; done'],
  ['plant', 'touch .lumenflow/planted link/planted a/link/planted .lumenflow/kernel/tasks/planted'],
  ['move away', 'mv .lumenflow gone; mv .lumenflow/kernel gone; ln -sfn a .lumenflow'],
  ['remove', 'rm -rf .lumenflow link/ .lumenflow/* link/* a/link/*'],
  [
    'put something over it',
    'mkdir -p over/kernel; mount --bind over .lumenflow; cp -rT over .lumenflow; rmdir .lumenflow',
  ],
  [
    'hard link out',
    'ln .lumenflow/kernel/events/* a/; for file in .lumenflow/kernel/tasks/*; do ln $file a/hard && echo x >> a/hard; done',
  ],
  [
    'make it anew',
    'mkdir .lumenflow .lumenflow/kernel; umount .lumenflow; chmod -R 777 .lumenflow; truncate -s 0 .lumenflow/kernel/events/*',
  ],
  [
    'through another process',
    'for root in /proc/[0-9]*/root; do rm -rf $root/$PWD/.lumenflow; touch $root/$PWD/.lumenflow/planted; done',
  ],
])('reserved-spellings: a child process that tries to %s', async (_name, script) => {
  await must(session, 'attack:shell', {script});
  expect(statSync(stateFolder()).isDirectory()).toBe(true);
  expect(await must(session, 'file:read', {path: 'a/file.txt'})).toMatchObject({content: 'a\n'});
});

test('reserved-spellings: a link planted in one call is not followed by the next call', async () => {
  await must(session, 'attack:shell', {
    script: 'rm -rf b; ln -s .lumenflow b; ln -s ../.lumenflow/kernel/tasks a/tasks',
  });
  for (const path of ['b/planted', 'a/tasks/planted']) {
    expect((await session.call('file:write', {path, content: 'planted'})).success).toBe(false);
    expect(await must(session, 'attack:write', {path})).toMatchObject({outcome: expect.stringMatching(/^E/)});
  }
});

const wildLanes = [
  '**/.lumenflow/**',
  '.lumenflo?/**',
  '{.lumenflow,a}/**',
  '.*/**',
  '.lumenflow',
  '././.lumenflow/**',
].map((pattern, index) => ({
  id: `wild-${index}`,
  allowed_scopes: [{type: 'path' as const, pattern, access: 'write' as const}],
}));

test.each(wildLanes.map(({id, allowed_scopes: [scope]}) => [String(scope?.pattern), id]))(
  'reserved-spellings: a lane that grants %s grants no state',
  async (_pattern, lane) => {
    const wild = opened(await host.openSession({by: 'attacker', lane}));
    const path = '.lumenflow/planted';
    expect((await wild.call('file:write', {path, content: 'planted'})).success).toBe(false);
    const output = await wild.call('attack:write', {path});
    if (output.success) expect(output.data).toMatchObject({outcome: expect.stringMatching(/^E/)});
    mkdirSync(join(workspace.root, 'a'), {recursive: true});
  },
);

test('and after all that the evidence verifies', async () => {
  await host.runtime.evidence.checkpoint();
  expect(await host.runtime.evidence.verify()).toMatchObject({status: 'verified', findings: []});
});
