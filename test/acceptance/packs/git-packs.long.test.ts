// Packs from git: only `pack install` fetches them, packs.lock pins the commit, and nothing of them runs during installation.
import {appendFileSync, chmodSync, chownSync, existsSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commitAll, git, greeter, makePackStage, type PackStage} from './pack-stage.ts';
import {serveRepositories} from './serve-repositories.ts';

const pin = (more: object = {}): object => ({
  id: 'greeter',
  version: '1.0.0',
  integrity: 'dev',
  source: 'git',
  url: '../repo',
  ref: 'main',
  ...more,
});

function makeRepository(stage: PackStage, words: Parameters<typeof greeter>[1] = {}): string {
  stage.write(greeter('repo', words));
  return commitAll(join(stage.root, 'repo'));
}

test('a branch of a bare repository is fetched, locked to its commit, and works without the repository', async () => {
  const stage = makePackStage();
  const commit = makeRepository(stage);
  git(stage.root, 'clone', '--quiet', '--bare', 'repo', 'bare.git');
  stage.pin([pin({url: '../bare.git'})]);
  expect(await stage.problems('tools', 'list')).toMatchObject([
    {code: 'PACK_NOT_FOUND', where: 'workspace.yaml:3:5', help: 'run `lumenflow pack install greeter`'},
  ]);
  const {code, document} = await stage.json('pack', 'install');
  expect({code, document}).toMatchObject({
    code: 0,
    document: {lock_changed: true, packs: [{id: 'greeter', fetched: true, resolved: commit}]},
  });
  expect(stage.lock().packs['greeter']).toMatchObject({from: '../bare.git#main', resolved: commit});
  rmSync(join(stage.root, 'bare.git'), {recursive: true});
  expect(await stage.hello()).toEqual({greeting: 'hi'});
  expect(await stage.json('pack', 'install')).toMatchObject({
    code: 0,
    document: {lock_changed: false, packs: [{fetched: false}]},
  });
});

test('over HTTP on loopback: by branch, by tag, and by a commit that is not a tip', async () => {
  const stage = makePackStage();
  const first = makeRepository(stage);
  git(join(stage.root, 'repo'), 'tag', '-a', '-m', 'one', 'v1');
  stage.write(greeter('repo', {word: 'hello'}));
  const second = commitAll(join(stage.root, 'repo'));
  const url = `${await serveRepositories(stage.root)}/repo/.git`;
  for (const [ref, commit, greeting] of [
    ['main', second, 'hello'],
    ['v1', first, 'hi'],
    [first, first, 'hi'],
  ] as const) {
    stage.pin([pin({url, ref})]);
    expect(await stage.json('pack', 'install')).toMatchObject({code: 0});
    expect(stage.lock().packs['greeter']).toMatchObject({from: `${url}#${ref}`, resolved: commit});
    expect(await stage.hello()).toEqual({greeting});
  }
});

test('a branch that moved stays at its commit until --update; a lost cache is fetched again at that commit', async () => {
  const stage = makePackStage();
  const first = makeRepository(stage);
  stage.pin([pin()]);
  await stage.json('pack', 'install');
  const second = makeRepository(stage, {word: 'hello'});
  rmSync(join(stage.workspace, '.lumenflow/cache'), {recursive: true});
  expect(await stage.json('pack', 'install', '--frozen')).toMatchObject({
    code: 0,
    document: {packs: [{fetched: true, resolved: first}]},
  });
  expect(await stage.hello()).toEqual({greeting: 'hi'});
  expect(await stage.json('pack', 'install', '--update')).toMatchObject({document: {packs: [{resolved: second}]}});
  expect(await stage.hello()).toEqual({greeting: 'hello'});
});

test('--frozen fails where packs.lock does not say the commit, and where it would change', async () => {
  const stage = makePackStage();
  makeRepository(stage);
  stage.pin([pin()]);
  expect(await stage.problems('pack', 'install', '--frozen')).toMatchObject([
    {code: 'PACK_LOCK_FROZEN', where: 'workspace.yaml:3:5', help: expect.stringContaining('without --frozen')},
  ]);
  stage.write(greeter('ws/local'));
  stage.pin([pin({source: 'local', path: 'local', url: undefined, ref: undefined})]);
  expect(await stage.problems('pack', 'install', '--frozen')).toMatchObject([
    {code: 'PACK_LOCK_FROZEN', message: expect.stringContaining('not up to date with the pack `greeter`')},
  ]);
  expect(existsSync(join(stage.workspace, 'packs.lock'))).toBe(false);
  expect(await stage.json('pack', 'install', '--frozen', '--update')).toMatchObject({
    code: 2,
    document: {error: {code: 'USAGE'}},
  });
});

test('changed files in the cache are refused, and pack install fetches them again', async () => {
  const stage = makePackStage();
  makeRepository(stage);
  stage.pin([pin()]);
  await stage.json('pack', 'install');
  const cache = join(stage.workspace, '.lumenflow/cache/git');
  const [name = ''] = readdirSync(cache);
  appendFileSync(join(cache, name, 'greet.mjs'), '// changed');
  expect(await stage.problems('tools', 'list')).toMatchObject([
    {
      code: 'PACK_INSTALLED_CHANGED',
      where: 'workspace.yaml:3:5',
      help: expect.stringContaining('pack install greeter'),
    },
  ]);
  expect((await stage.run('pack', 'list')).stdout).toMatch(/^greeter .* modified /mu);
  expect(await stage.json('pack', 'install')).toMatchObject({code: 0, document: {packs: [{fetched: true}]}});
  expect(await stage.hello()).toEqual({greeting: 'hi'});
});

test('a pack in a folder of its repository', async () => {
  const stage = makePackStage();
  stage.write(greeter('repo/packs/greeter'));
  commitAll(join(stage.root, 'repo'));
  stage.pin([pin({path: 'packs/greeter'})]);
  expect(await stage.json('pack', 'install')).toMatchObject({code: 0});
  expect(await stage.hello()).toEqual({greeting: 'hi'});
  stage.pin([pin({path: '../elsewhere'})]);
  expect((await stage.problems('pack', 'install'))[0]?.message).toContain('leads out of the repository');
});

test('nothing that a repository or its user brings runs while it is fetched', async () => {
  const stage = makePackStage({HOME: 'home'});
  const ran = join(stage.root, 'ran');
  const touch = `touch '${ran}'`;
  makeRepository(stage);
  stage.write({
    'repo/.gitattributes': '* filter=evil\n',
    'repo/.githooks/post-checkout': `#!/bin/sh\n${touch}\n`,
    'repo/.gitmodules': `[submodule "s"]\n\tpath = s\n\turl = ext::sh -c "${touch}"\n`,
    'ws/home/.gitconfig': `[filter "evil"]\n\tsmudge = ${touch}; cat\n\tclean = cat\n[core]\n\thooksPath = ${stage.root}/repo/.githooks\n\tfsmonitor = ${touch}\n[init]\n\ttemplateDir = ${stage.root}/template\n`,
    'template/hooks/post-checkout': `#!/bin/sh\n${touch}\n`,
  });
  chmodSync(join(stage.root, 'repo/.githooks/post-checkout'), 0o755);
  chmodSync(join(stage.root, 'template/hooks/post-checkout'), 0o755);
  const commit = git(join(stage.root, 'repo'), 'rev-parse', 'HEAD');
  git(join(stage.root, 'repo'), 'add', '--all');
  git(join(stage.root, 'repo'), 'update-index', '--add', '--cacheinfo', `160000,${commit},s`);
  git(join(stage.root, 'repo'), 'commit', '--quiet', '-m', 'evil');
  stage.pin([pin()]);
  expect(await stage.json('pack', 'install')).toMatchObject({code: 0});
  expect(existsSync(ran)).toBe(false);
  // The same checkout by a git that obeys all of it does run something.
  const home = {...process.env, HOME: join(stage.workspace, 'home')};
  const {spawnSync} = await import('node:child_process');
  spawnSync('git', ['clone', '--quiet', 'repo', 'clone'], {cwd: stage.root, env: home});
  expect(existsSync(ran)).toBe(true);
});

test('all pins are tried, and each failure has its place and a fix', async () => {
  const stage = makePackStage();
  makeRepository(stage);
  const named = (id: string, more: object): object => pin({...more, id});
  stage.pin([
    named('a', {url: `ext::sh -c "touch ${stage.root}/ran"`}),
    named('b', {url: '--upload-pack=touch ran'}),
    named('c', {ref: '--upload-pack=x'}),
    named('d', {ref: 'gone'}),
    named('e', {url: 'http://example.com/x.git'}),
    named('f', {url: 'https://user:secret@example.com/x.git'}),
    pin(),
  ]);
  const {code, stdout, stderr} = await stage.run('pack', 'install');
  expect({code, stdout}).toEqual({code: 1, stdout: ''});
  expect(stderr).not.toContain('secret');
  expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  const problems = await stage.problems('pack', 'install');
  expect(problems.map(({code: name, where}) => `${name} ${where}`)).toEqual([
    'PACK_SOURCE_REFUSED workspace.yaml:3:5',
    'PACK_SOURCE_REFUSED workspace.yaml:4:5',
    'PACK_SOURCE_REFUSED workspace.yaml:5:5',
    'PACK_FETCH_FAILED workspace.yaml:6:5',
    'PACK_SOURCE_REFUSED workspace.yaml:7:5',
    'PACK_SOURCE_REFUSED workspace.yaml:8:5',
  ]);
  expect(problems.every(({help}) => help.length > 0)).toBe(true);
  expect(Object.keys(stage.lock().packs)).toEqual(['greeter']);
  expect(existsSync(join(stage.root, 'ran'))).toBe(false);
});

test('without git it says what is missing', async () => {
  const stage = makePackStage({PATH: '/nowhere'});
  makeRepository(stage);
  stage.pin([pin()]);
  expect(await stage.problems('pack', 'install')).toMatchObject([
    {
      code: 'PACK_FETCH_FAILED',
      message: expect.stringContaining('`git` does not start'),
      help: expect.stringContaining('install git'),
    },
  ]);
  expect(readdirSync(join(stage.workspace, '.lumenflow/cache/git'))).toEqual([]);
});

test.skipIf(process.getuid?.() !== 0)(
  'a repository of another user of this machine is refused, in words that help',
  async () => {
    const stage = makePackStage();
    makeRepository(stage);
    for (const path of ['repo', 'repo/.git']) chownSync(join(stage.root, path), 65_534, 65_534);
    stage.pin([pin()]);
    expect(await stage.problems('pack', 'install')).toMatchObject([
      {
        message: expect.stringContaining('belongs to another user'),
        help: expect.stringContaining('your own clone'),
      },
    ]);
  },
);
