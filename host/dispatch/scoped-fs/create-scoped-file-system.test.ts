import {execFileSync, spawn} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {compileMatcher, parsePattern} from '@lumenflow/kernel/adapters';
import type {ToolError} from '@lumenflow/pack-sdk';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createScopedFileSystem, type HostFileSystem} from './create-scoped-file-system.ts';
import {fileBytesMax} from './read-file-in.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'scoped-fs-'));
  root = join(base, 'workspace');
  mkdirSync(join(root, 'docs/deep'), {recursive: true});
  mkdirSync(join(root, 'private'));
  writeFileSync(join(root, 'docs/a.md'), 'a');
  writeFileSync(join(root, 'docs/a.txt'), 'text');
  writeFileSync(join(root, 'docs/deep/b.md'), 'b');
  writeFileSync(join(root, 'private/secret.md'), 'secret');
  writeFileSync(join(base, 'outside.md'), 'outside');
});
afterEach(() => rmSync(base, {recursive: true, force: true}));

function matcher(patterns: readonly string[]): (path: string) => boolean {
  return compileMatcher(
    patterns.flatMap((text) => {
      const parsed = parsePattern(text);
      if (!parsed.ok) throw new Error(parsed.problem.message);
      return parsed.value;
    }),
  );
}

/** Markdown files below `docs` are readable and writable; `shared` is readable. */
function open(write: readonly string[] = ['docs/**/*.md']): HostFileSystem {
  const reads = matcher([...write, 'shared/**']);
  const writes = matcher(write);
  const leads = matcher(['docs', 'docs/**', 'shared']);
  return createScopedFileSystem(root, {
    allows: (path, access) => (access === 'read' ? reads : writes)(path),
    leadsToReadable: (path) => path === '.' || leads(path),
  });
}

const text = async (files: HostFileSystem, path: string): Promise<string> =>
  Buffer.from(await files.read(path)).toString();
const content = (written: string, exclusive = false) => ({bytes: Buffer.from(written), exclusive});

async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  return await promise.then(
    () => undefined,
    (error: unknown) => (error as ToolError).code,
  );
}

describe('within the grant', () => {
  test('reads any spelling of the path', async () => {
    const files = open();
    expect(await text(files, 'docs/a.md')).toBe('a');
    expect(await text(files, './docs//deep/../a.md')).toBe('a');
  });

  test('writes whole files, creates parents, keeps permissions and leaves no temporary files', async () => {
    const files = open();
    chmodSync(join(root, 'docs/a.md'), 0o640);
    await files.write('docs/a.md', content('new'));
    await files.write('docs/x/y/z.md', content('made'));
    expect(readFileSync(join(root, 'docs/a.md'), 'utf8')).toBe('new');
    expect(statSync(join(root, 'docs/a.md')).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(root, 'docs/x/y'))).toEqual(['z.md']);
    expect(files.written()).toEqual(['docs/a.md', 'docs/x/y/z.md']);
  });

  test('an exclusive write fails if the file exists, and one of many concurrent writes wins', async () => {
    const files = open();
    expect(await codeOf(files.write('docs/a.md', content('new', true)))).toBe('EXISTS');
    const codes = await Promise.all(
      Array.from({length: 20}, async (_, i) => await codeOf(files.write('docs/one.md', content(`${i}`, true)))),
    );
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set([undefined, 'EXISTS']));
    expect(readdirSync(join(root, 'docs'))).toEqual(['a.md', 'a.txt', 'deep', 'one.md']);
  });

  test('lists only readable entries and directories that lead to them', async () => {
    const files = open();
    expect(await files.list('.')).toEqual([{name: 'docs', kind: 'directory'}]);
    expect(await files.list('docs')).toEqual([
      {name: 'a.md', kind: 'file'},
      {name: 'deep', kind: 'directory'},
    ]);
    expect(await codeOf(files.list('private'))).toBe('SCOPE_DENIED');
    expect(await codeOf(files.list('docs/gone'))).toBe('NOT_FOUND');
    expect(await codeOf(files.list('docs/a.md'))).toBe('NOT_A_DIRECTORY');
  });

  test('stat reports kind and size, and nothing about missing files', async () => {
    const files = open();
    expect(await files.stat('docs/a.md')).toEqual({kind: 'file', size: 1, mtime_ms: expect.any(Number)});
    expect(await files.stat('.')).toMatchObject({kind: 'directory'});
    expect(await files.stat('docs/none.md')).toBeUndefined();
    expect(await files.stat('docs/a.md/b.md')).toBeUndefined();
  });

  test('removes files and empty directories', async () => {
    const files = open(['docs/**']);
    expect(await codeOf(files.remove('docs/deep'))).toBe('NOT_EMPTY');
    await files.remove('docs/deep/b.md');
    await files.remove('docs/deep');
    expect(existsSync(join(root, 'docs/deep'))).toBe(false);
    expect(await codeOf(files.remove('docs/deep'))).toBe('NOT_FOUND');
  });

  test('a hard link elsewhere keeps its content when the file is written', async () => {
    linkSync(join(root, 'private/secret.md'), join(root, 'docs/linked.md'));
    await open().write('docs/linked.md', content('changed'));
    expect(readFileSync(join(root, 'private/secret.md'), 'utf8')).toBe('secret');
  });
});

describe('outside of the grant', () => {
  test.each(['private/secret.md', 'docs/a.txt', 'docs/../private/secret.md'])('%s is SCOPE_DENIED', async (path) => {
    const files = open();
    expect(await codeOf(files.read(path))).toBe('SCOPE_DENIED');
    expect(await codeOf(files.write(path, content('x')))).toBe('SCOPE_DENIED');
    expect(await codeOf(files.stat(path))).toBe('SCOPE_DENIED');
    expect(await codeOf(files.remove(path))).toBe('SCOPE_DENIED');
    expect(readFileSync(join(root, 'private/secret.md'), 'utf8')).toBe('secret');
  });

  test.each(['../outside.md', 'docs/../../outside.md', '/etc/passwd', 'docs/a.md\0', '', 'docs\\a.md'])(
    '%j is INVALID_PATH',
    async (path) => {
      const files = open(['**']);
      expect(await codeOf(files.read(path))).toBe('INVALID_PATH');
      expect(await codeOf(files.write(path, content('x')))).toBe('INVALID_PATH');
      expect(await codeOf(files.list(path))).toBe('INVALID_PATH');
      expect(await codeOf(files.remove(path))).toBe('INVALID_PATH');
    },
  );

  test('a read grant does not write', async () => {
    expect(await codeOf(open().write('shared/a.md', content('x')))).toBe('SCOPE_DENIED');
  });
});

describe('symlinks', () => {
  test.each([
    ['out of the workspace', () => join(base, 'outside.md')],
    ['to what is not granted', () => join(root, 'private/secret.md')],
    ['to nothing', () => join(root, 'nothing')],
  ])('a file that leads %s is neither read nor written through', async (_name, target) => {
    symlinkSync(target(), join(root, 'docs/link.md'));
    const files = open();
    expect(await codeOf(files.read('docs/link.md'))).toMatch(/SCOPE_DENIED|NOT_FOUND/);
    expect(await codeOf(files.write('docs/link.md', content('x')))).toBe('SCOPE_DENIED');
    expect(await codeOf(files.write('docs/link.md', content('x', true)))).toBe('SCOPE_DENIED');
    expect(readFileSync(join(base, 'outside.md'), 'utf8')).toBe('outside');
    expect(readFileSync(join(root, 'private/secret.md'), 'utf8')).toBe('secret');
    expect(await files.stat('docs/link.md')).toMatchObject({kind: 'symlink'});
    await files.remove('docs/link.md');
    expect(existsSync(join(base, 'outside.md'))).toBe(true);
  });

  test('does not enter a directory symlink that leads elsewhere, and creates nothing behind it', async () => {
    symlinkSync(base, join(root, 'docs/up'));
    symlinkSync(join(root, 'private'), join(root, 'docs/side'));
    const files = open();
    for (const path of ['docs/up/outside.md', 'docs/side/secret.md']) {
      expect(await codeOf(files.read(path))).toBe('SCOPE_DENIED');
      expect(await codeOf(files.write(path, content('x')))).toBe('SCOPE_DENIED');
      expect(await codeOf(files.remove(path))).toBe('SCOPE_DENIED');
    }
    expect(await codeOf(files.write('docs/up/new/x.md', content('x')))).toBe('SCOPE_DENIED');
    expect(await codeOf(files.list('docs/up'))).toBe('SCOPE_DENIED');
    expect(readdirSync(base).toSorted()).toEqual(['outside.md', 'workspace']);
  });

  test('reads, but never writes, through a symlink to a readable file', async () => {
    mkdirSync(join(root, 'shared'));
    writeFileSync(join(root, 'shared/c.md'), 'c');
    symlinkSync('../shared', join(root, 'docs/shared'));
    symlinkSync('a.md', join(root, 'docs/same.md'));
    const files = open();
    expect(await text(files, 'docs/shared/c.md')).toBe('c');
    expect(await files.list('docs/shared')).toEqual([{name: 'c.md', kind: 'file'}]);
    expect(await text(files, 'docs/same.md')).toBe('a');
    expect(await codeOf(files.write('docs/same.md', content('x')))).toBe('SCOPE_DENIED');
    expect(lstatSync(join(root, 'docs/same.md')).isSymbolicLink()).toBe(true);
  });

  test('symlinks swapped in at any moment never lead out', async () => {
    const files = open();
    mkdirSync(join(base, 'elsewhere'));
    writeFileSync(join(base, 'elsewhere/f.md'), 'outside');
    const attacker = spawn(process.execPath, ['-e', flipping(join(root, 'docs'), join(base, 'elsewhere'))]);
    await new Promise((resolve) => attacker.stdout.once('data', resolve));
    const seen = new Set<string>();
    try {
      for (let i = 0; i < 300; i++) {
        for (const path of ['docs/dir/f.md', 'docs/file.md']) {
          const read = await text(files, path).catch((error: unknown) => (error as ToolError).code);
          seen.add(read);
          seen.add((await codeOf(files.write(path, content('inside')))) ?? 'written');
        }
      }
    } finally {
      attacker.kill('SIGKILL');
    }
    expect(seen.has('outside')).toBe(false);
    expect(readFileSync(join(base, 'elsewhere/f.md'), 'utf8')).toBe('outside');
    expect(readdirSync(join(base, 'elsewhere'))).toEqual(['f.md']);
    // The race happened: both outcomes occurred.
    expect([...seen]).toEqual(expect.arrayContaining(['inside', 'written', 'SCOPE_DENIED']));
  });
});

/** A program that endlessly replaces a directory and a file by symlinks to `elsewhere`, and restores them. */
function flipping(docs: string, elsewhere: string): string {
  return `
    const fs = require('fs');
    const [dir, file, elsewhere] = ${JSON.stringify([join(docs, 'dir'), join(docs, 'file.md'), elsewhere])};
    const tries = (...steps) => steps.forEach((step) => { try { step(); } catch {} });
    process.stdout.write('go');
    for (;;) tries(
      () => fs.rmSync(dir, {recursive: true}), () => fs.symlinkSync(elsewhere, dir),
      () => fs.rmSync(file), () => fs.symlinkSync(elsewhere + '/f.md', file),
      () => fs.unlinkSync(dir), () => fs.mkdirSync(dir), () => fs.writeFileSync(dir + '/f.md', 'inside'),
      () => fs.rmSync(file), () => fs.writeFileSync(file, 'inside'),
    );`;
}

describe('entries that are not regular files', () => {
  test('a FIFO does not block', async () => {
    execFileSync('mkfifo', [join(root, 'docs/pipe.md')]);
    const files = open();
    expect(await codeOf(files.read('docs/pipe.md'))).toBe('NOT_A_FILE');
    expect(await codeOf(files.write('docs/pipe.md', content('x')))).toBe('NOT_A_FILE');
    expect(await files.stat('docs/pipe.md')).toMatchObject({kind: 'other'});
  });

  test('directories cannot be read or written as files', async () => {
    const files = open(['docs/**']);
    expect(await codeOf(files.read('docs/deep'))).toBe('NOT_A_FILE');
    expect(await codeOf(files.write('docs/deep', content('x')))).toBe('NOT_A_FILE');
  });

  test('a file over the size limit is LIMIT_EXCEEDED', async () => {
    writeFileSync(join(root, 'docs/big.md'), '');
    truncateSync(join(root, 'docs/big.md'), fileBytesMax + 1);
    expect(await codeOf(open().read('docs/big.md'))).toBe('LIMIT_EXCEEDED');
  });

  test('a file replaced during a read is read as either the old or the new file', async () => {
    const files = open();
    const other = join(root, 'docs/other.md');
    const reads = Array.from({length: 100}, async () => await text(files, 'docs/a.md'));
    for (let i = 0; i < 100; i++) {
      writeFileSync(other, 'b');
      renameSync(other, join(root, 'docs/a.md'));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await Promise.all(reads)).every((read) => read === 'a' || read === 'b')).toBe(true);
  });

  test.skipIf(process.getuid?.() === 0)('a file that the user cannot read is PERMISSION_DENIED', async () => {
    chmodSync(join(root, 'docs/a.md'), 0);
    expect(await codeOf(open().read('docs/a.md'))).toBe('PERMISSION_DENIED');
  });
});
