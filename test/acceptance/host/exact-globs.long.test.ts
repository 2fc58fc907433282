// What patterns say is what file tools and handlers can do, path by path, in the sandbox and on the pool.
import type {Host, Session} from '@lumenflow/host';
import type {Scope} from '@lumenflow/schemas';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {codeOf, everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const scopes = (access: 'read' | 'write', ...patterns: readonly string[]): Scope[] =>
  patterns.map((pattern) => ({type: 'path', pattern, access}));

const files = [
  'src/a.ts',
  'src/deep/er/b.ts',
  'src/a.js',
  'src/.hidden/c.ts',
  'srcs/a.ts',
  'README.md',
  'docs/x/.dot/y.md',
  'docs/y.txt',
  'packages/one/src/i.ts',
  'packages/one/lib/i.ts',
  'packages/two/deep/src/i.ts',
  'packages/.p/src/i.ts',
  'é/ü.ts',
];

interface GlobCase {
  readonly name: string;
  readonly lane: readonly Scope[];
  readonly task?: readonly Scope[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Files that are not there yet. */
  readonly creates: readonly string[];
  readonly createsNot: readonly string[];
}

const cases: readonly GlobCase[] = [
  {
    name: 'src/**/*.ts',
    lane: scopes('write', 'src/**/*.ts'),
    reads: ['src/a.ts', 'src/deep/er/b.ts', 'src/.hidden/c.ts'],
    writes: ['src/a.ts', 'src/deep/er/b.ts', 'src/.hidden/c.ts'],
    creates: ['src/new.ts', 'src/made/by/it.ts', 'src/.made/x.ts'],
    createsNot: ['src/new.js', 'new.ts', 'srcs/new.ts', 'src/ts'],
  },
  {
    name: '**/*.md under ** stays **/*.md',
    lane: scopes('write', '**'),
    task: scopes('write', '**/*.md'),
    reads: ['README.md', 'docs/x/.dot/y.md'],
    writes: ['README.md', 'docs/x/.dot/y.md'],
    creates: ['new.md', 'a/b/new.md', '.a/.b.md'],
    createsNot: ['new.txt', 'a/md', 'README.mdx'],
  },
  {
    name: 'packages/*/src/**',
    lane: scopes('write', 'packages/*/src/**'),
    reads: ['packages/one/src/i.ts', 'packages/.p/src/i.ts'],
    writes: ['packages/one/src/i.ts', 'packages/.p/src/i.ts'],
    creates: ['packages/three/src/new/i.ts'],
    createsNot: ['packages/src/i.ts', 'packages/one/srcs/i.ts', 'packages/three/deep/src/i.ts'],
  },
  {
    name: 'packages/*/src/** ∩ packages/one/**, read elsewhere',
    lane: [...scopes('write', 'packages/*/src/**'), ...scopes('read', '**')],
    task: [...scopes('write', 'packages/one/**'), ...scopes('read', 'docs/*')],
    reads: ['docs/y.txt', 'packages/one/src/i.ts', 'packages/one/lib/i.ts'],
    writes: ['packages/one/src/i.ts'],
    creates: ['packages/one/src/new.ts'],
    createsNot: ['packages/one/new.ts', 'packages/.p/src/new.ts', 'docs/new.txt'],
  },
  {
    name: 'src/{deep,none}/** ∩ ./src/deep/**, and one character',
    lane: scopes('write', 'src/{deep,none}/**', '?/*.ts'),
    task: scopes('write', './src/deep/**', '*/ü.ts'),
    reads: ['src/deep/er/b.ts', 'é/ü.ts'],
    writes: ['src/deep/er/b.ts', 'é/ü.ts'],
    creates: ['src/deep/new.ts'],
    createsNot: ['src/none/new.ts', 'e/x.ts'],
  },
];

let workspace: HostWorkspace;
let host: Host;

beforeAll(async () => {
  workspace = makeHostWorkspace({
    firstParty: ['software-delivery'],
    copied: {attack: join(import.meta.dirname, 'attack-pack')},
    pins: {'software-delivery': {trust: 'in_process'}},
    files: Object.fromEntries(files.map((path) => [path, `${path}\n`])),
    spec: {
      lanes: cases.map(({lane}, index) => ({id: `lane-${index}`, allowed_scopes: [...lane]})) as never,
      security: {allowed_scopes: everything},
    },
  });
  host = await workspace.start();
});
afterAll(async () => await workspace.remove());

async function open({task}: GlobCase, index: number): Promise<Session> {
  return opened(
    await host.openSession({
      by: 'tester',
      lane: `lane-${index}`,
      ...(task && {task: {declared_scopes: [...task]}}),
    }),
  );
}

async function succeeding(session: Session, tool: string, inputs: readonly {path: string}[]): Promise<string[]> {
  const codes = await Promise.all(
    inputs.map(async (input) => [input.path, await codeOf(session, tool, input)] as const),
  );
  expect(codes.filter(([, code]) => code !== 'success' && code !== 'SCOPE_DENIED' && code !== 'NOT_FOUND')).toEqual([]);
  return codes.filter(([, code]) => code === 'success').map(([path]) => path);
}

test.each(cases.map((one, index) => [one.name, one, index] as const))('exact-globs: %s', async (_name, one, index) => {
  const session = await open(one, index);
  expect(
    await succeeding(
      session,
      'file:read',
      files.map((path) => ({path})),
    ),
  ).toEqual(one.reads);
  const written = files.map((path) => ({path, content: `${path}\n`}));
  expect(await succeeding(session, 'file:write', written)).toEqual(one.writes);
  const created = [...one.creates, ...one.createsNot];
  const made = created.map((path) => ({path, content: 'new\n', create_only: true}));
  expect(await succeeding(session, 'file:write', made)).toEqual(one.creates);
  expect(created.filter((path) => existsSync(join(workspace.root, path)))).toEqual(one.creates);
  expect(
    await succeeding(
      session,
      'file:delete',
      created.map((path) => ({path})),
    ),
  ).toEqual(one.creates);
});

test.each(cases.map((one, index) => [one.name, one, index] as const))(
  'exact-globs, past the SDK, never more: %s',
  async (_name, one, index) => {
    for (const path of files) workspace.write({[path]: `${path}\n`});
    const session = await open(one, index);
    const outcomes = async (tool: string): Promise<string[]> => {
      const tried = await Promise.all(
        files.map(async (path) => {
          const {data, error} = await session.call(tool, {path, content: 'past the SDK\n'});
          expect(error?.message, path).toBeUndefined();
          return [path, (data as {outcome: string}).outcome] as const;
        }),
      );
      return tried.filter(([, outcome]) => !outcome.startsWith('E')).map(([path]) => path);
    };
    // Mounts contain the existing files: reading is exact, and so is writing.
    expect(await outcomes('attack:read')).toEqual(one.reads);
    expect(await outcomes('attack:write')).toEqual(one.writes);
    for (const path of files.filter((path) => !one.writes.includes(path))) {
      expect(readFileSync(join(workspace.root, path), 'utf8')).not.toContain('past');
    }
  },
);

test('partial-denial: the refusal of a tool that writes with a read grant names the layer that denies', async () => {
  const session = opened(
    await host.openSession({
      by: 'tester',
      lane: 'lane-3',
      task: {declared_scopes: scopes('read', 'docs/*')},
    }),
  );
  const output = await session.call('file:write', {path: 'docs/y.txt', content: ''});
  expect(output.error).toMatchObject({code: 'SCOPE_DENIED', details: {layer: 'task'}});
  expect(await codeOf(session, 'file:read', {path: 'docs/y.txt'})).toBe('success');
});
