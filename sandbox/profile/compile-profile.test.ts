import {mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {failed} from '../outcome.ts';
import {globMatcher} from '../testing/glob-matcher.fixture.ts';
import {compileProfile} from './compile-profile.ts';
import {createHostFiles} from './host-files.ts';
import type {CompiledProfile, ProfileInput} from './profile-input.ts';
import {valueOf} from '../testing/value-of.fixture.ts';

let root: string;
let runner: string;

beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-profile-')));
  root = join(folder, 'workspace');
  mkdirSync(root);
  runner = join(folder, 'runner.js');
  writeFileSync(runner, '');
});
afterEach(() => rmSync(dirname(root), {recursive: true, force: true}));

function put(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), {recursive: true});
    if (!path.endsWith('/')) writeFileSync(join(root, path), '');
    else mkdirSync(join(root, path), {recursive: true});
  }
}

type Given = Partial<ProfileInput> & {readonly read?: string[]; readonly write?: string[]};

async function compile({read = [], write = [], ...more}: Given): Promise<CompiledProfile> {
  const result = valueOf(await compileProfile(inputOf({read, write, ...more})));
  return result;
}

function inputOf({read = [], write = [], ...more}: Given): ProfileInput {
  return {
    workspaceRoot: root,
    grant: {read, write, network: {posture: 'off', allowlist_entries: []}},
    denyOverlays: [],
    home: '/nonexistent',
    runtimePaths: [runner],
    limits: {},
    env: {},
    compilePattern: globMatcher,
    files: createHostFiles(),
    ...more,
  };
}

/** Targets relative to the workspace; the runner's is left out. */
async function mounts(given: Given): Promise<{read: string[]; write: string[]; hidden: string[]}> {
  const {profile} = await compile(given);
  const relative = (path: string): string => (path === root ? '.' : path.replace(`${root}/`, ''));
  for (const {source, target} of [...profile.readonly_bind_mounts, ...profile.writable_bind_mounts])
    expect(source).toBe(target);
  return {
    read: profile.readonly_bind_mounts.map(({target}) => relative(target)).filter((path) => path !== runner),
    write: profile.writable_bind_mounts.map(({target}) => relative(target)),
    hidden: profile.deny_overlays.map(({path, kind}) => `${relative(path)}${kind === 'directory' ? '/' : ''}`),
  };
}

test('an empty grant mounts only what the runner needs', async () => {
  put('a', '.env', '.lumenflow/');
  const {profile} = await compile({});
  expect(profile.readonly_bind_mounts).toEqual([{source: runner, target: runner}]);
  expect(profile).toMatchObject({
    writable_bind_mounts: [],
    deny_overlays: [],
    syscalls: 'standard',
    network_posture: 'off',
  });
});

test.each<[string, Given, string[], string[]]>([
  ['a tree mounts its directory', {read: ['src/**']}, ['src'], []],
  ['** mounts the workspace', {read: ['**']}, ['.'], []],
  ['a literal mounts the file', {read: ['README.md'], write: ['src/a.ts']}, ['README.md'], ['src/a.ts']],
  ['a pattern mounts its existing files only', {read: ['**/*.ts']}, ['docs/b.ts', 'src/a.ts', 'src/deep/c.ts'], []],
  ['a wildcard stays in its segment', {write: ['src/*.ts']}, [], ['src/a.ts']],
  ['directories that a tree pattern matches', {read: ['*/deep/**']}, ['src/deep'], []],
  [
    'a write grant includes reading, what lies below included',
    {read: ['src/deep/**', 'src/a.ts'], write: ['src/**']},
    [],
    ['src'],
  ],
  ['a writable part of a readable whole', {read: ['**'], write: ['src/deep/**']}, ['.'], ['src/deep']],
  ['the same path for both is writable', {read: ['docs/**'], write: ['docs/**']}, [], ['docs']],
])('%s', async (_, given, read, write) => {
  put('README.md', 'src/a.ts', 'src/deep/c.ts', 'docs/b.ts');
  expect(await mounts(given)).toEqual({read, write, hidden: []});
});

test('a path that cannot be mounted is reported with its reason', async () => {
  put('file', 'folder/');
  const {skipped, profile} = await compile({read: ['file/**', 'folder', 'x*'], write: ['new.txt', 'new/**']});
  expect(profile.readonly_bind_mounts).toHaveLength(1);
  expect(Object.fromEntries(skipped.map(({pattern, reason}) => [pattern, reason.split(':')[0]]))).toEqual({
    'file/**': 'is not a directory',
    folder: 'is not a file',
    'x*': 'does not match an existing path',
    'new.txt': 'does not exist yet',
    'new/**': 'does not exist yet',
  });
});

test('symlinks are not followed, in the path or at its end', async () => {
  put('real/a.ts');
  symlinkSync('/etc', join(root, 'etc'));
  symlinkSync('real', join(root, 'alias'));
  symlinkSync('/etc/passwd', join(root, 'real/passwd.ts'));
  const {profile, skipped} = await compile({
    read: ['etc/**', 'alias/**', 'alias/a.ts', 'etc/*', '**/*.ts'],
    write: ['real/passwd.ts'],
  });
  expect(profile.readonly_bind_mounts.map(({target}) => target)).toEqual([runner, join(root, 'real/a.ts')]);
  expect(profile.writable_bind_mounts).toEqual([]);
  expect(skipped.filter(({reason}) => reason.includes('is a symlink'))).toHaveLength(5);
});

test('all .env files are hidden, examples of them are not', async () => {
  put(
    '.env.local',
    'a/.env.production',
    '.ENV.test',
    '.env.example',
    'a/.env.local.sample',
    '.environment',
    '.env.d/x',
  );
  const {hidden} = await mounts({read: ['**']});
  expect(hidden).toEqual(['.ENV.test', '.env.d/', '.env.local', 'a/.env.production']);
});

test('state, .env files and overlays are hidden only where they exist', async () => {
  put('.lumenflow/log', '.env', 'packages/a/.env', 'secrets/key', 'deep/x/private.pem', 'node_modules/m/.env');
  const denyOverlays = ['secrets/**', '**/*.pem', 'absent.txt', '~/nothing'];
  expect(await mounts({read: ['**'], denyOverlays})).toEqual({
    read: ['.'],
    write: [],
    hidden: ['.env', '.lumenflow/', 'deep/x/private.pem', 'node_modules/m/.env', 'packages/a/.env', 'secrets/'],
  });
  expect((await mounts({read: ['packages/**'], denyOverlays})).hidden).toEqual(['packages/a/.env']);
});

test('no pattern grants a hidden path', async () => {
  put('.lumenflow/log', '.env', 'secrets/key', 'a.pem');
  const given = {
    read: ['.env', 'secrets/key', '.lumenflow/**', '*.pem', '**/key'],
    write: ['secrets/**', '.lumenflow/log'],
  };
  expect(await mounts({...given, denyOverlays: ['secrets', '*.pem']})).toEqual({read: [], write: [], hidden: []});
  expect(await mounts({read: ['**'], denyOverlays: ['**']})).toEqual({read: [], write: [], hidden: []});
});

test('a hidden symlink hides its target inside the mounts', async () => {
  put('conf/env.txt', 'a');
  symlinkSync('conf/env.txt', join(root, '.env'));
  symlinkSync('/etc/passwd', join(root, 'conf/.env'));
  expect((await mounts({read: ['**']})).hidden).toEqual(['conf/env.txt']);
});

test('credential stores are hidden when the workspace is the home directory or contains it', async () => {
  put('.ssh/id', 'me/.aws/credentials', '.config/gcloud/x', '.netrc');
  expect((await mounts({read: ['**'], home: root})).hidden).toEqual(['.config/gcloud/', '.netrc', '.ssh/']);
  expect((await mounts({read: ['**'], home: join(root, 'me')})).hidden).toEqual(['me/.aws/']);
});

test('trusted files stay read-only in a writable mount, their ancestors pinned', async () => {
  put(
    '.git/hooks/pre-commit',
    '.git/config',
    '.git/objects/aa/',
    '.npmrc',
    'packages/a/.vscode/tasks.json',
    '.github/workflows/ci.yml',
    '.git/modules/m/hooks/x',
    'sub/.git',
  );
  expect(await mounts({write: ['**']})).toEqual({
    read: [
      '.git/config',
      '.git/hooks',
      '.git/modules/m/hooks',
      '.github/workflows',
      '.npmrc',
      'packages/a/.vscode',
      'sub/.git',
    ],
    write: ['.', '.git', '.git/modules', '.git/modules/m', '.github', 'packages', 'packages/a', 'sub'],
    hidden: [],
  });
  // Nothing to protect where nothing is writable, nor among other people's code.
  expect((await mounts({read: ['**']})).read).toEqual(['.']);
  put('node_modules/m/.vscode/x');
  expect((await mounts({write: ['**']})).read).not.toContain('node_modules/m/.vscode');
});

test('a scope that names a trusted path lifts its protection; a wildcard does not', async () => {
  put('.git/hooks/pre-commit', '.git/config', '.npmrc', '.mcp.json', '.husky/pre-push', '.github/workflows/ci.yml');
  expect(await mounts({write: ['**', '.git/hooks/**', '.husky/pre-push', '.github/workflows/*.yml']})).toEqual({
    read: ['.git/config', '.github/workflows', '.husky', '.mcp.json', '.npmrc'],
    write: ['.', '.git', '.git/hooks', '.github', '.github/workflows/ci.yml', '.husky/pre-push'],
    hidden: [],
  });
  expect(await mounts({write: ['.n*', '*.json', '.git/**']})).toEqual({
    read: ['.git/config', '.git/hooks', '.mcp.json', '.npmrc'],
    write: ['.git'],
    hidden: [],
  });
});

test('a pattern matches its literal names, at its literal depth', async () => {
  put('worktrees/wu-1/.git', 'worktrees/wu-1/.npmrc', '.git/worktrees/wu-1/gitdir', '.git/worktrees/wu-1/commondir');
  const {read, write} = await mounts({
    write: ['worktrees/**', '.git/**', 'worktrees/*/.git', '.git/worktrees/*/gitdir', '**/.npmrc', '.git/**/commondir'],
  });
  expect(read).toEqual(['.git/worktrees/wu-1/commondir', 'worktrees/wu-1/.npmrc']);
  expect(write).toEqual(expect.arrayContaining(['.git/worktrees/wu-1/gitdir', 'worktrees/wu-1/.git']));
});

test('a pattern that names a trusted directory opens its contents, even beside one that covers it too', async () => {
  put('.git/config', '.git/hooks/pre-commit', '.husky/pre-commit');
  const {read, write} = await mounts({write: ['**', '.git/hooks/**']});
  expect(write).toEqual(expect.arrayContaining(['.git/hooks']));
  expect(read).toEqual(expect.arrayContaining(['.git/config', '.husky']));
  expect(read).not.toContain('.git/hooks');
});

test('a pin never opens what another seal has closed', async () => {
  put('.husky/_/deep/.env', 'a/.env');
  const {read, write, hidden} = await mounts({write: ['**']});
  expect(write).toEqual(['.', 'a']);
  expect(read).toEqual(['.husky']);
  expect(hidden).toEqual(['.husky/_/deep/.env', 'a/.env']);
});

test('trusted paths that no mount can protect are watched', async () => {
  put('.git/hooks/x', 'real/');
  symlinkSync('real', join(root, '.vscode'));
  const {watched} = await compile({write: ['**']});
  expect(watched).toContainEqual({path: join(root, '.vscode'), link: 'real'});
  expect(watched).toContainEqual({path: join(root, '.npmrc'), link: undefined});
  expect(watched.map(({path}) => path)).not.toContain(join(root, '.git/hooks'));
  expect((await compile({read: ['**']})).watched).toEqual([]);
});

test('what the runner needs is mounted read-only, inside any mount', async () => {
  put('.lumenflow/packs/p/tool.js', 'tools/p/tool.js');
  const runtimePaths = [join(root, '.lumenflow/packs/p'), join(root, 'tools/p')];
  expect(await mounts({write: ['**'], runtimePaths})).toEqual({
    read: ['.lumenflow/packs/p', 'tools/p'],
    write: ['.', 'tools'],
    hidden: ['.lumenflow/'],
  });
});

test('the same files and grant have the same digest, another grant a different one', async () => {
  put('a/x', 'b/x');
  const one = await compile({read: ['a/**', 'b/**'], env: {A: '1', B: '2'}, limits: {processes: 9, open_files: 99}});
  const same = await compile({read: ['b/**', 'a/**'], env: {B: '2', A: '1'}, limits: {open_files: 99, processes: 9}});
  expect(same.digest).toBe(one.digest);
  expect(one.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect((await compile({read: ['a/**']})).digest).not.toBe(one.digest);
});

test('refuses a workspace or a runtime path that cannot be mounted as it is', async () => {
  symlinkSync(root, `${root}-link`);
  const refused: readonly (readonly [Given, string])[] = [
    [{workspaceRoot: `${root}-link`}, `\`${root}\``],
    [{workspaceRoot: '/'}, 'system directory'],
    [{workspaceRoot: `${root}/no`}, 'does not exist'],
    [{runtimePaths: [`${root}-link`]}, 'without symlinks'],
  ];
  for (const [given, text] of refused) {
    expect(await compileProfile(inputOf(given))).toEqual(failed(expect.stringContaining(text)));
  }
});

test('refuses mounts and entries over its limits', async () => {
  for (let index = 0; index < 2001; index += 1) writeFileSync(join(root, `f${index}.txt`), '');
  expect(await compileProfile(inputOf({read: ['*.txt']}))).toEqual(
    failed(expect.stringMatching(/2002 mounts; the limit is 2000/)),
  );
  const many = Array.from({length: 10_000}, (_, index) => ({
    name: `d${index}`,
    kind: index === 0 ? ('directory' as const) : ('file' as const),
  }));
  const endless = {...createHostFiles(), entries: () => many, pause: async () => undefined};
  expect(await compileProfile(inputOf({read: ['**'], files: endless, entriesMax: 50_000}))).toEqual(
    failed(expect.stringContaining('narrow the scopes')),
  );
});
