// The archive is judged by the machine's own tar.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {tarArchive, type TarEntry} from './tar-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'lumenflow-tar-'));
afterAll(() => rmSync(folder, {recursive: true}));

async function archiveOf(entries: readonly TarEntry[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of tarArchive(entries)) parts.push(part);
  return Buffer.concat(parts);
}

test('tar reads what was written, long names too, and the bytes depend on the content alone', async () => {
  const source = join(folder, 'source');
  writeFileSync(source, 'x'.repeat(1000));
  const long = `/deep/${'long-'.repeat(30)}name`;
  const entries: readonly TarEntry[] = [
    {path: '/deep', kind: 'directory'},
    {path: long, kind: 'file', isExecutable: true, size: 1000, content: {path: source, mtimeMs: 0}},
    {path: '/link', kind: 'symlink', target: long},
    {path: 'text.json', kind: 'file', isExecutable: false, size: 2, content: {text: '{}'}},
  ];
  const archive = await archiveOf(entries);
  expect(
    execFileSync('tar', ['tv', '--numeric-owner'], {input: archive, encoding: 'utf8'}).replaceAll(/ +/g, ' '),
  ).toBe(
    [
      'drwxr-xr-x 0/0 0 1970-01-01 00:00 deep/',
      `-rwxr-xr-x 0/0 1000 1970-01-01 00:00 ${long.slice(1)}`,
      `lrwxrwxrwx 0/0 0 1970-01-01 00:00 link -> ${long}`,
      '-rw-r--r-- 0/0 2 1970-01-01 00:00 text.json',
      '',
    ].join('\n'),
  );
  execFileSync('tar', ['x', '--no-same-owner', '-C', folder], {input: archive});
  expect(readFileSync(join(folder, long), 'utf8')).toBe('x'.repeat(1000));
  expect(statSync(join(folder, long)).mode & 0o777).toBe(0o755);
  expect(await archiveOf(entries)).toEqual(archive);
});

test('a file that grew is not archived', async () => {
  const path = join(folder, 'grown');
  writeFileSync(path, 'more than that');
  const entry: TarEntry = {path, kind: 'file', isExecutable: false, size: 4, content: {path, mtimeMs: 0}};
  await expect(archiveOf([entry])).rejects.toThrow(`\`${path}\` changed while it was read`);
});
