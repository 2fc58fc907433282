import {symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createTestWorkspace, type TestWorkspace} from '../../test-workspace.fixture.ts';
import {fileList} from './list.ts';
import {fileSearch} from './search.ts';

async function createTree(): Promise<TestWorkspace> {
  const workspace = await createTestWorkspace();
  await workspace.put('.gitignore', '*.log\n/build/\n');
  await workspace.put('.hidden/x.ts', 'needle\n');
  await workspace.put('.git/config', 'needle\n');
  await workspace.put('build/out.ts', 'needle\n');
  await workspace.put('src/.gitignore', '!keep.log\ngenerated\n');
  await workspace.put('src/a.ts', 'zero\none needle\r\ntwo Needle needle\nthree\n');
  await workspace.put('src/generated/b.ts', 'needle\n');
  await workspace.put('src/keep.log', 'needle\n');
  await workspace.put('src/drop/x.log', 'needle\n');
  await workspace.put('src/ü b.md', 'no such\n');
  await symlink('a.ts', join(workspace.root, 'src/link.ts'));
  return workspace;
}

describe('file:list', () => {
  it('lists one directory', async () => {
    const workspace = await createTree();
    expect(await fileList.run({}, workspace.context({}))).toEqual({
      path: '.',
      entries: [{path: 'src', kind: 'directory'}],
      truncated: false,
    });
    expect(await fileList.run({include_hidden: true, include_ignored: true}, workspace.context({}))).toMatchObject({
      entries: [{path: '.gitignore'}, {path: '.hidden'}, {path: 'build'}, {path: 'src'}],
    });
  });

  it('lists a tree without ignored files, also those ignored by a parent’s .gitignore', async () => {
    const workspace = await createTree();
    const context = workspace.context({});
    const entries = [
      {path: 'src/a.ts', kind: 'file'},
      {path: 'src/drop', kind: 'directory'},
      {path: 'src/keep.log', kind: 'file'},
      {path: 'src/link.ts', kind: 'symlink'},
      {path: 'src/ü b.md', kind: 'file'},
    ];
    for (const path of ['src', './src/', 'src//']) {
      expect(await fileList.run({path, recursive: true}, context)).toEqual({path, entries, truncated: false});
    }
    expect(await fileList.run({path: 'src', recursive: true, include_ignored: true}, context)).toMatchObject({
      entries: expect.arrayContaining([
        {path: 'src/generated/b.ts', kind: 'file'},
        {path: 'src/drop/x.log', kind: 'file'},
      ]),
    });
    expect(await fileList.run({recursive: true, glob: '*.{ts,md}', kinds: ['file']}, context)).toMatchObject({
      entries: [{path: 'src/a.ts'}, {path: 'src/ü b.md'}],
    });
    expect(await fileList.run({recursive: true, max_depth: 1}, context)).toMatchObject({entries: [{path: 'src'}]});
    expect(await fileList.run({recursive: true, max_entries: 2}, context)).toMatchObject({
      entries: [{path: 'src'}, {path: 'src/a.ts'}],
      truncated: true,
    });
  });

  it('rejects a missing path, and works if .gitignore is not granted', async () => {
    const workspace = await createTree();
    await expect(fileList.run({path: 'none'}, workspace.context({}))).rejects.toMatchObject({code: 'NOT_FOUND'});
    const narrow = workspace.context({}, ['src/generated/**']);
    expect(await fileList.run({path: 'src/generated'}, narrow)).toMatchObject({
      entries: [{path: 'src/generated/b.ts'}],
    });
  });
});

describe('file:search', () => {
  it('finds literal text with context lines', async () => {
    const workspace = await createTree();
    await workspace.put('src/bin', 'needle\0');
    expect(await fileSearch.run({pattern: 'needle', context_lines: 1}, workspace.context({}))).toEqual({
      matches: [
        {path: 'src/a.ts', line: 2, column: 5, text: 'one needle', before: ['zero'], after: ['two Needle needle']},
        {path: 'src/a.ts', line: 3, column: 12, text: 'two Needle needle', before: ['one needle'], after: ['three']},
        {path: 'src/keep.log', line: 1, column: 1, text: 'needle', before: [], after: []},
      ],
      files_searched: 3,
      files_skipped: 1,
      truncated: false,
    });
  });

  it('matches special characters literally, and ignores case on request', async () => {
    const workspace = await createTestWorkspace();
    const context = workspace.context({});
    await workspace.put('a', 'x.y-$[z]{1}/\\\nX.Y-$[Z]{1}/\\\nxay');
    const pattern = 'x.y-$[z]{1}/\\';
    expect(await fileSearch.run({pattern}, context)).toMatchObject({matches: [{line: 1}]});
    expect(await fileSearch.run({pattern, ignore_case: true}, context)).toMatchObject({
      matches: [{line: 1}, {line: 2}],
    });
    expect(await fileSearch.run({pattern: '^X.y$', regex: true, ignore_case: true}, context)).toMatchObject({
      matches: [{line: 3, column: 1}],
    });
  });

  it('selects files by path and globs', async () => {
    const workspace = await createTree();
    const context = workspace.context({});
    const pattern = 'needle';
    expect(await fileSearch.run({pattern, path: 'build/out.ts'}, context)).toMatchObject({files_searched: 1});
    expect(await fileSearch.run({pattern, path: 'src', globs: ['*.log']}, context)).toMatchObject({
      matches: [{path: 'src/keep.log'}],
      files_searched: 1,
    });
    expect(await fileSearch.run({pattern, exclude_globs: ['src/*.ts', '*.md']}, context)).toMatchObject({
      matches: [{path: 'src/keep.log'}],
    });
    expect(await fileSearch.run({pattern, globs: ['*.ts'], include_hidden: true}, context)).toMatchObject({
      matches: [{path: '.hidden/x.ts'}, {path: 'src/a.ts'}, {path: 'src/a.ts'}],
    });
    const narrow = workspace.context({}, ['src/a.ts']);
    expect(await fileSearch.run({pattern, path: 'src/a.ts'}, narrow)).toMatchObject({files_searched: 1});
    await expect(fileSearch.run({pattern, path: 'src/keep.log'}, narrow)).rejects.toMatchObject({code: 'SCOPE_DENIED'});
  });

  it('limits results and lines', async () => {
    const workspace = await createTestWorkspace();
    const context = workspace.context({});
    for (let file = 0; file < 20; file += 1) await workspace.put(`f${file}`, `x${'y'.repeat(3000)}\n`.repeat(3));
    await workspace.put('z-large', 'x'.repeat(4 * 1024 * 1024 + 1));
    const found = await fileSearch.run({pattern: 'x', max_results: 50}, context);
    expect(found).toMatchObject({truncated: true});
    expect('matches' in found && found.matches.map(({text}) => text.length)).toEqual(Array(50).fill(1000));
    expect(await fileSearch.run({pattern: 'x', max_results: 60}, context)).toMatchObject({
      files_searched: 20,
      files_skipped: 1,
      truncated: false,
    });
  });

  it('rejects invalid patterns, and is not blocked by malicious ones', async () => {
    const workspace = await createTestWorkspace();
    const context = workspace.context({});
    await workspace.put('a', `${'a'.repeat(5000)}!\n`);
    for (const pattern of ['(', String.raw`(a)\1`, '(?=a)']) {
      await expect(fileSearch.run({pattern, regex: true}, context)).rejects.toMatchObject({code: 'INVALID_PATTERN'});
    }
    await expect(fileSearch.run({pattern: 'a\nb'}, context)).rejects.toMatchObject({code: 'INVALID_PATTERN'});
    expect(await fileSearch.run({pattern: '^(a+)+$', regex: true}, context)).toMatchObject({matches: []});
  });
});
