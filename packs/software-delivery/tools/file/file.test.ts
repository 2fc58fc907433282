import {createHash} from 'node:crypto';
import {readFile, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createTestWorkspace} from '../../test-workspace.fixture.ts';
import {fileDelete} from './delete.ts';
import {fileEdit} from './edit.ts';
import {fileRead} from './read.ts';
import {fileWrite} from './write.ts';

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

describe('file:read', () => {
  it('returns a whole text, including byte order mark and line endings', async () => {
    const workspace = await createTestWorkspace();
    const text = '\uFEFFone\r\nzwei ü\nthree';
    await workspace.put('ä b.txt', text);
    expect(await fileRead.run({path: 'ä b.txt'}, workspace.context({}))).toEqual({
      path: 'ä b.txt',
      encoding: 'utf-8',
      content: text,
      sha256: sha256(text),
      size: Buffer.byteLength(text),
      total_lines: 3,
      start_line: 1,
      end_line: 3,
      truncated: false,
    });
  });

  it('returns a range of lines', async () => {
    const workspace = await createTestWorkspace();
    const context = workspace.context({});
    await workspace.put('a', 'one\ntwo\nthree\n');
    await workspace.put('empty', '');
    expect(await fileRead.run({path: 'a', start_line: 2, end_line: 9}, context)).toMatchObject({
      content: 'two\nthree\n',
      total_lines: 3,
      start_line: 2,
      end_line: 3,
    });
    expect(await fileRead.run({path: 'empty'}, context)).toMatchObject({content: '', total_lines: 0, end_line: 0});
    for (const range of [{start_line: 4}, {start_line: 3, end_line: 2}]) {
      await expect(fileRead.run({path: 'a', ...range}, context)).rejects.toMatchObject({
        code: 'LINES_OUT_OF_RANGE',
        details: {total_lines: 3},
      });
    }
  });

  it('cuts between characters and reports it', async () => {
    const workspace = await createTestWorkspace();
    await workspace.put('a', 'ab\nüü\n');
    expect(await fileRead.run({path: 'a', max_bytes: 6}, workspace.context({}))).toMatchObject({
      content: 'ab\nü',
      end_line: 2,
      truncated: true,
      sha256: sha256('ab\nüü\n'),
    });
  });

  it('returns bytes as base64 if they are not text, or on request', async () => {
    const workspace = await createTestWorkspace();
    const context = workspace.context({});
    const bytes = new Uint8Array([0xff, 0xfe, 1, 2]);
    await workspace.put('bin', bytes);
    await workspace.put('nul', 'a\0b');
    await workspace.put('text', 'text');
    expect(await fileRead.run({path: 'bin', max_bytes: 3}, context)).toEqual({
      path: 'bin',
      encoding: 'base64',
      content: '//4B',
      sha256: sha256(bytes),
      size: 4,
      truncated: true,
    });
    expect(await fileRead.run({path: 'nul'}, context)).toMatchObject({encoding: 'base64'});
    expect(await fileRead.run({path: 'text', encoding: 'base64'}, context)).toMatchObject({content: 'dGV4dA=='});
    await expect(fileRead.run({path: 'bin', encoding: 'utf-8'}, context)).rejects.toMatchObject({code: 'NOT_TEXT'});
    await expect(fileRead.run({path: 'bin', start_line: 1}, context)).rejects.toMatchObject({code: 'NOT_TEXT'});
  });

  it('rejects a path that is missing, not a file, too large or not granted', async () => {
    const workspace = await createTestWorkspace();
    const context = workspace.context({}, ['src/**', 'big', 'none', 'link']);
    await workspace.put('src/a', 'a');
    await workspace.put('big', new Uint8Array(16 * 1024 * 1024 + 1));
    await symlink('big', join(workspace.root, 'link'));
    await expect(fileRead.run({path: 'none'}, context)).rejects.toMatchObject({code: 'NOT_FOUND'});
    await expect(fileRead.run({path: 'src'}, context)).rejects.toMatchObject({code: 'NOT_A_FILE'});
    await expect(fileRead.run({path: 'link'}, context)).rejects.toMatchObject({code: 'NOT_A_FILE'});
    await expect(fileRead.run({path: 'big'}, context)).rejects.toMatchObject({code: 'TOO_LARGE'});
    await expect(fileRead.run({path: 'other'}, context)).rejects.toMatchObject({code: 'SCOPE_DENIED'});
  });
});

describe('file:write', () => {
  it('creates and replaces, and returns the hash of the old file', async () => {
    const workspace = await createTestWorkspace();
    const context = workspace.context({});
    expect(await fileWrite.run({path: 'new/a', content: 'ü', create_only: true}, context)).toEqual({
      path: 'new/a',
      sha256: sha256('ü'),
      bytes: 2,
      created: true,
      root: '.',
      dry_run: false,
    });
    expect(await fileWrite.run({path: 'new/a', content: 'b', expect_sha256: sha256('ü')}, context)).toMatchObject({
      created: false,
      previous_sha256: sha256('ü'),
    });
    expect(await workspace.text('new/a')).toBe('b');
    await fileWrite.run({path: 'bin', content: '//4=', encoding: 'base64'}, context);
    expect(new Uint8Array(await readFile(join(workspace.root, 'bin')))).toEqual(new Uint8Array([0xff, 0xfe]));
  });

  it('rejects unexpected content, and writes nothing', async () => {
    const workspace = await createTestWorkspace();
    const context = workspace.context({});
    await workspace.put('a', 'a');
    const refused = [
      [{path: 'a', content: 'x', create_only: true}, 'EXISTS'],
      [{path: 'a', content: 'x', create_only: true, dry_run: true}, 'EXISTS'],
      [{path: 'a', content: 'x', expect_sha256: sha256('b')}, 'CONTENT_CHANGED'],
      [{path: 'none', content: 'x', expect_sha256: sha256('b')}, 'CONTENT_CHANGED'],
      [{path: 'a', content: '\uD800'}, 'INVALID_CONTENT'],
      [{path: 'a', content: 'no base64!', encoding: 'base64'}, 'INVALID_CONTENT'],
    ] as const;
    for (const [input, code] of refused) {
      await expect(fileWrite.run(input, context)).rejects.toMatchObject({code});
    }
    expect(await fileWrite.run({path: 'a', content: 'x', dry_run: true}, context)).toMatchObject({dry_run: true});
    expect(await workspace.text('a')).toBe('a');
  });
});

describe('file:edit', () => {
  it('changes nothing except the text', async () => {
    const workspace = await createTestWorkspace();
    const before = '\uFEFFa\r\nb\r\n';
    await workspace.put('a', before);
    const edit = {path: 'a', old_text: 'b', new_text: 'c', expect_sha256: sha256(before)};
    const expected = {
      path: 'a',
      replacements: 1,
      lines: [2],
      sha256_before: sha256(before),
      sha256_after: sha256('\uFEFFa\r\nc\r\n'),
      bytes: 9,
      root: '.',
    };
    const context = workspace.context({});
    expect(await fileEdit.run({...edit, dry_run: true}, context)).toEqual({...expected, dry_run: true});
    expect(await workspace.text('a')).toBe(before);
    expect(await fileEdit.run(edit, context)).toEqual({...expected, dry_run: false});
    expect(await workspace.text('a')).toBe('\uFEFFa\r\nc\r\n');
    await expect(fileEdit.run(edit, context)).rejects.toMatchObject({code: 'CONTENT_CHANGED'});
  });

  it('rejects binary files and text that UTF-8 cannot encode', async () => {
    const workspace = await createTestWorkspace();
    await workspace.put('bin', new Uint8Array([0xff]));
    await workspace.put('a', 'x');
    const edit = {old_text: 'x', new_text: '\uDC00'};
    await expect(fileEdit.run({path: 'bin', ...edit}, workspace.context({}))).rejects.toMatchObject({code: 'NOT_TEXT'});
    await expect(fileEdit.run({path: 'a', ...edit}, workspace.context({}))).rejects.toMatchObject({
      code: 'INVALID_CONTENT',
    });
  });
});

describe('file:delete', () => {
  it('deletes the expected file, or a link itself', async () => {
    const workspace = await createTestWorkspace();
    const context = workspace.context({});
    await workspace.put('a', 'a');
    await workspace.put('dir/b', 'b');
    await workspace.put('big', new Uint8Array(16 * 1024 * 1024 + 1));
    await symlink('a', join(workspace.root, 'link'));
    const deleted = {root: '.', path: 'a', kind: 'file', sha256: sha256('a')};
    await expect(fileDelete.run({path: 'a', expect_sha256: sha256('b')}, context)).rejects.toMatchObject({
      code: 'CONTENT_CHANGED',
    });
    await expect(fileDelete.run({path: 'link', expect_sha256: sha256('a')}, context)).rejects.toMatchObject({
      code: 'NOT_A_FILE',
    });
    await expect(fileDelete.run({path: 'dir'}, context)).rejects.toMatchObject({code: 'NOT_A_FILE'});
    await expect(fileDelete.run({path: 'none'}, context)).rejects.toMatchObject({code: 'NOT_FOUND'});
    expect(await fileDelete.run({path: 'a', dry_run: true}, context)).toEqual({...deleted, dry_run: true});
    expect(await fileDelete.run({path: 'link'}, context)).toEqual({
      path: 'link',
      kind: 'symlink',
      root: '.',
      dry_run: false,
    });
    expect(await workspace.text('a')).toBe('a');
    expect(await fileDelete.run({path: 'a'}, context)).toEqual({...deleted, dry_run: false});
    expect(await fileDelete.run({path: 'big'}, context)).toEqual({
      path: 'big',
      kind: 'file',
      root: '.',
      dry_run: false,
    });
    await expect(workspace.text('a')).rejects.toThrow('ENOENT');
  });
});
