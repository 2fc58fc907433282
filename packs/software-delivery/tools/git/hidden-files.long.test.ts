// Files that a call may not read. Git knows their content, but its tools must not reveal it.
import {unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {beforeEach, describe, expect, it} from 'vitest';
import type {TestWorkspace} from '../../test-workspace.fixture.ts';
import {gitAdd} from './add.ts';
import {gitCommit} from './commit.ts';
import {gitDiff} from './diff.ts';
import {commitAll, config, createRepository} from './git-repository.fixture.ts';
import {gitLog} from './log.ts';
import {gitShow} from './show.ts';
import {gitStatus} from './status.ts';

const grant = ['src/**', '.git/**', 'README.md', 'moved'];
let workspace: TestWorkspace;
let base: string;

beforeEach(async () => {
  workspace = await createRepository();
  await workspace.put('src/a', 'one\n');
  await workspace.put('secrets/t', 'tok=T0P\nmore\nlines\n');
  await workspace.put('.env', 'KEY=T0P\n');
  base = await commitAll(workspace, 'base');
});

const narrow = () => workspace.context(config, grant);

describe('reading', () => {
  it('a commit is shown without them, in files and patch', async () => {
    const output = await gitShow.run({}, narrow());
    expect(output).toMatchObject({files: [{path: 'src/a'}]});
    expect(JSON.stringify(output)).not.toMatch(/T0P|secrets|\.env/);
  });

  it.each(['secrets/t', '.env', 'secrets', './secrets//t'])(
    '%s in a commit is rejected like the file',
    async (path) => {
      await expect(gitShow.run({revision: base, path}, narrow())).rejects.toMatchObject({code: 'SCOPE_DENIED'});
      await expect(gitDiff.run({paths: [path]}, narrow())).rejects.toMatchObject({code: 'SCOPE_DENIED'});
      await expect(gitLog.run({paths: [path]}, narrow())).rejects.toMatchObject({code: 'SCOPE_DENIED'});
      await expect(gitStatus.run({paths: [path]}, narrow())).rejects.toMatchObject({code: 'SCOPE_DENIED'});
      await expect(gitAdd.run({paths: [path]}, narrow())).rejects.toMatchObject({code: 'SCOPE_DENIED'});
    },
  );

  it('a diff omits them, also as one side of a rename', async () => {
    await workspace.put('src/a', 'two\n');
    await workspace.put('.env', 'KEY=T0P2\n');
    await workspace.git('mv', 'secrets/t', 'src/t');
    const output = await gitDiff.run({from: 'HEAD'}, narrow());
    expect(output).toMatchObject({
      files: [
        {path: 'src/a', status: 'modified'},
        {path: 'src/t', status: 'added'},
      ],
    });
    expect(JSON.stringify(output)).not.toMatch(/secrets|\.env|KEY/);
  });

  it('files and folders of a commit cannot be sides of a diff', async () => {
    for (const [from, to] of [
      ['HEAD:secrets/t', 'HEAD:src/a'],
      ['HEAD:secrets', 'HEAD:src'],
    ] as const) {
      await expect(gitDiff.run({from, to}, narrow())).rejects.toMatchObject({code: 'UNKNOWN_REVISION'});
    }
  });

  it('status does not list them', async () => {
    await workspace.put('src/a', 'two\n');
    await unlink(join(workspace.root, 'secrets/t'));
    expect(await gitStatus.run({}, narrow())).toMatchObject({entries: [{path: 'src/a'}], clean: false});
  });
});

describe('writing', () => {
  it('neither stages nor commits files that only look deleted to the call', async () => {
    await workspace.put('src/a', 'two\n');
    await unlink(join(workspace.root, 'secrets/t'));
    await unlink(join(workspace.root, '.env'));
    expect(await gitAdd.run({all: true}, narrow())).toMatchObject({staged: [{path: 'src/a'}]});
    expect(await workspace.git('diff', '--cached', '--name-only')).toBe('src/a\n');
    expect(await gitCommit.run({message: 'edit'}, narrow())).toMatchObject({files: [{path: 'src/a'}]});
    expect(await workspace.git('show', '--format=', '--name-only', 'HEAD')).toBe('src/a\n');
    expect(await workspace.git('show', 'HEAD:secrets/t')).toContain('tok=');
  });

  it('leaves a person’s staged changes of them staged, and out of the call’s commit', async () => {
    await workspace.put('src/a', 'two\n');
    await workspace.put('secrets/t', 'tok=NEW\n');
    await workspace.git('add', '--all');
    await gitCommit.run({message: 'edit'}, narrow());
    expect(await workspace.git('show', '--format=', '--name-only', 'HEAD')).toBe('src/a\n');
    expect(await workspace.git('diff', '--cached', '--name-only')).toBe('secrets/t\n');
  });

  it('has nothing to commit if only they are staged', async () => {
    await workspace.put('secrets/t', 'tok=NEW\n');
    await workspace.git('add', '--all');
    await expect(gitCommit.run({message: 'edit'}, narrow())).rejects.toMatchObject({code: 'NOTHING_TO_COMMIT'});
  });
});
