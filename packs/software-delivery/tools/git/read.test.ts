import {chown, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createTestWorkspace} from '../../test-workspace.fixture.ts';
import {gitAdd} from './add.ts';
import {gitCommit} from './commit.ts';
import {gitDiff} from './diff.ts';
import {gitLog} from './log.ts';
import {author, commitAll, config, createRepository} from './git-repository.fixture.ts';
import {gitStatus} from './status.ts';

describe('git:status', () => {
  it('describes a repository before its first commit', async () => {
    const workspace = await createRepository();
    await workspace.put('a.txt', 'a');
    expect(await gitStatus.run({}, workspace.context({}))).toEqual({
      branch: 'main',
      head: null,
      entries: [{path: 'a.txt', kind: 'untracked'}],
      clean: false,
      truncated: false,
    });
  });

  it('reports odd paths unchanged, both paths of renames, and conflicts', async () => {
    const workspace = await createRepository();
    const odd = 'ein täst  mit\n"*" zeile.txt';
    await workspace.put(odd, 'one\n');
    await workspace.put('old name.txt', 'some content that stays\nthe same\n');
    await workspace.put('both.txt', 'base\n');
    const base = await commitAll(workspace, 'base');
    await workspace.git('mv', 'old name.txt', 'new name.txt');
    await workspace.put(odd, 'two\n');
    await workspace.put('sub/x', 'x');
    const status = await gitStatus.run({}, workspace.context({}));
    expect(status).toMatchObject({head: base, clean: false});
    expect('entries' in status && status.entries).toEqual([
      {path: odd, kind: 'changed', unstaged: 'modified'},
      {path: 'new name.txt', orig_path: 'old name.txt', kind: 'changed', staged: 'renamed'},
      {path: 'sub/', kind: 'untracked'},
    ]);
    expect(await gitStatus.run({paths: ['sub'], untracked: 'all'}, workspace.context({}))).toMatchObject({
      entries: [{path: 'sub/x', kind: 'untracked'}],
    });

    await workspace.git('reset', '--quiet', '--hard');
    await workspace.git('checkout', '--quiet', '-b', 'other');
    await workspace.put('both.txt', 'other\n');
    await commitAll(workspace, 'other');
    await workspace.git('checkout', '--quiet', 'main');
    await workspace.put('both.txt', 'main\n');
    await commitAll(workspace, 'main');
    await expect(workspace.git('-c', 'user.name=x', '-c', 'user.email=x@y', 'merge', 'other')).rejects.toThrow();
    expect(await gitStatus.run({paths: ['both.txt']}, workspace.context({}))).toMatchObject({
      entries: [{path: 'both.txt', kind: 'conflicted', conflict: 'both_modified'}],
    });
    expect(await gitDiff.run({paths: ['both.txt'], patch: false}, workspace.context({}))).toMatchObject({
      files: [{path: 'both.txt', status: 'conflicted'}],
    });
    await expect(gitCommit.run({message: 'no'}, workspace.context(config))).rejects.toMatchObject({code: 'CONFLICT'});
  });

  it('limits its entries and reports it', async () => {
    const workspace = await createRepository();
    for (const name of ['a', 'b', 'c']) await workspace.put(name, name);
    expect(await gitStatus.run({max_entries: 2}, workspace.context({}))).toMatchObject({
      entries: [{path: 'a'}, {path: 'b'}],
      truncated: true,
    });
  });

  it('writes nothing into the repository', async () => {
    const workspace = await createRepository();
    await workspace.put('a.txt', 'a');
    await commitAll(workspace, 'a');
    const before = await workspace.text('.git/index');
    await workspace.put('a.txt', 'a');
    await gitStatus.run({}, workspace.context({}));
    expect(await workspace.text('.git/index')).toBe(before);
  });

  it('reports that a folder is not a repository, even inside another one', async () => {
    const workspace = await createTestWorkspace();
    await expect(gitStatus.run({}, workspace.context({}))).rejects.toMatchObject({code: 'NOT_A_REPOSITORY'});
  });

  it.skipIf(process.getuid?.() !== 0)('works on a repository that another user owns', async () => {
    const workspace = await createRepository();
    await chown(workspace.root, 1234, 1234);
    await chown(join(workspace.root, '.git'), 1234, 1234);
    await expect(workspace.git('status')).rejects.toThrow('dubious ownership');
    expect(await gitStatus.run({}, workspace.context({}))).toMatchObject({branch: 'main'});
  });
});

describe('git:diff', () => {
  it('compares working tree, index and revisions', async () => {
    const workspace = await createRepository();
    const context = workspace.context(config);
    await workspace.put('ü x.txt', 'one\ntwo\n');
    await workspace.put('bin', new Uint8Array([0, 1, 2]));
    const first = await commitAll(workspace, 'first');
    await workspace.put('ü x.txt', 'one\n2\nthree\n');
    await workspace.put('bin', new Uint8Array([0, 1, 3]));
    const unstaged = await gitDiff.run({}, context);
    expect(unstaged).toMatchObject({
      files: [
        {path: 'bin', status: 'modified', additions: null, deletions: null},
        {path: 'ü x.txt', status: 'modified', additions: 2, deletions: 1},
      ],
      additions: 2,
      deletions: 1,
      truncated: false,
    });
    expect('patch' in unstaged && unstaged.patch).toContain('--- a/ü x.txt');
    expect(await gitDiff.run({staged: true}, context)).toMatchObject({files: [], patch: ''});
    await gitAdd.run({paths: ['bin']}, context);
    expect(await gitDiff.run({staged: true, patch: false}, context)).toMatchObject({files: [{path: 'bin'}]});
    const second = await commitAll(workspace, 'second');
    expect(await gitDiff.run({from: first, to: second, paths: ['bin'], patch: false}, context)).toEqual({
      files: [{path: 'bin', status: 'modified', additions: null, deletions: null}],
      additions: 0,
      deletions: 0,
      truncated: false,
    });
  });

  it('parses renames, and paths with tabs', async () => {
    const workspace = await createRepository();
    await workspace.put('a\tb\tc.txt', 'one\ntwo\nthree\nfour\n');
    await commitAll(workspace, 'first');
    await workspace.git('mv', 'a\tb\tc.txt', 'd.txt');
    await workspace.put('d.txt', 'one\ntwo\nthree\nfour\nfive\n');
    await workspace.git('add', '.');
    expect(await gitDiff.run({staged: true, patch: false}, workspace.context({}))).toMatchObject({
      files: [{path: 'd.txt', orig_path: 'a\tb\tc.txt', status: 'renamed', additions: 1, deletions: 0}],
    });
  });

  it('cuts a long patch and keeps the counts', async () => {
    const workspace = await createRepository();
    await workspace.put('a', '');
    await commitAll(workspace, 'a');
    await workspace.put('a', 'line\n'.repeat(1000));
    const diff = await gitDiff.run({max_bytes: 100}, workspace.context({}));
    expect(diff).toMatchObject({additions: 1000, truncated: true});
    expect('patch' in diff && diff.patch?.length).toBe(100);
  });

  it('treats a revision only as a revision', async () => {
    const workspace = await createRepository();
    const context = workspace.context(config);
    await workspace.put('a', 'a');
    await commitAll(workspace, 'a');
    await expect(gitDiff.run({from: '--output=stolen'}, context)).rejects.toMatchObject({code: 'UNKNOWN_REVISION'});
    await expect(gitDiff.run({from: 'nowhere'}, context)).rejects.toMatchObject({code: 'UNKNOWN_REVISION'});
    await expect(gitDiff.run({to: 'HEAD'}, context)).rejects.toMatchObject({code: 'INVALID_INPUT'});
    await expect(gitLog.run({revision: '--output=stolen'}, context)).rejects.toMatchObject({code: 'UNKNOWN_REVISION'});
  });

  it('does not start programs from the repository’s config', async () => {
    const workspace = await createRepository();
    await workspace.put('a', 'a');
    await commitAll(workspace, 'a');
    await workspace.put('.git/hooks/pre-commit', '#!/bin/sh\ntouch hooked\n');
    await workspace.git('config', 'core.fsmonitor', 'touch monitored');
    await workspace.git('config', 'diff.external', 'touch diffed');
    await workspace.git('config', 'core.pager', 'touch paged');
    await workspace.put('a', 'b');
    await gitStatus.run({}, workspace.context({}));
    await gitDiff.run({}, workspace.context({}));
    await commitAll(workspace, 'b');
    expect(await readdir(workspace.root)).toEqual(['.git', 'a']);
  });
});

describe('git:log', () => {
  it('is empty before the first commit', async () => {
    const workspace = await createRepository();
    expect(await gitLog.run({}, workspace.context({}))).toEqual({commits: [], more: false});
  });

  it('returns whole messages, newest first, in pages', async () => {
    const workspace = await createRepository();
    const context = workspace.context(config);
    await workspace.put('a', '1');
    const first = await commitAll(workspace, 'Größe: 1\n\nbody line\n\n# not a comment');
    await workspace.put('b', '2');
    const second = await commitAll(workspace, 'second');
    await workspace.git('tag', 'v1');
    expect(await gitLog.run({limit: 1}, context)).toMatchObject({
      commits: [{sha: second, parents: [first], summary: 'second', body: '', refs: ['HEAD -> main', 'tag: v1']}],
      more: true,
    });
    expect(await gitLog.run({limit: 1, skip: 1}, context)).toMatchObject({
      commits: [{sha: first, author, summary: 'Größe: 1', body: 'body line\n\n# not a comment'}],
      more: false,
    });
    expect(await gitLog.run({paths: ['a'], author: 'ada@'}, context)).toMatchObject({commits: [{sha: first}]});
    expect(await gitLog.run({author: 'a.a@'}, context)).toMatchObject({commits: []});
    expect(await gitLog.run({since: '2099-01-01'}, context)).toMatchObject({commits: []});
    await expect(gitLog.run({revision: 'nowhere'}, context)).rejects.toMatchObject({code: 'UNKNOWN_REVISION'});
  });
});
