import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, constants, lstatSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {Change} from './change.ts';
import {openAt, type OpenFile} from './open-at.ts';

let root: string;
let other: ChildProcess | undefined;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'lumenflow-open-'))));
afterEach(() => {
  other?.kill('SIGKILL');
  rmSync(root, {recursive: true, force: true});
});

function look(pid: number, fd: number): readonly OpenFile[] {
  const {ino, dev} = lstatSync(join(root, 'a'), {bigint: true});
  const change = {path: 'a', kind: 'modified', before: {kind: 'file', ino, dev}} as Change;
  return openAt({pid, fd}, new Map([['a', [change]]]), root);
}

describe.skipIf(process.platform !== 'linux')('a descriptor of another process', () => {
  test.each([
    ['for reading', constants.O_RDONLY, 0],
    ['for writing', constants.O_WRONLY, 1],
    ['for both', constants.O_RDWR, 1],
  ])('a file that is open %s', (_how, flags, count) => {
    writeFileSync(join(root, 'a'), '');
    const fd = openSync(join(root, 'a'), flags);
    expect(look(process.pid, fd)).toHaveLength(count);
    closeSync(fd);
    expect(look(process.pid, fd)).toEqual([]);
  });

  const showsInodes = process.platform === 'linux' && readFileSync('/proc/self/fdinfo/0', 'latin1').includes('\nino:');
  // As build tools do. Without the comparison of inodes, some of these looks see a file with the flags of the next one.
  test.skipIf(!showsInodes)(
    'a program that reads the file and writes others under the same number does not write the file',
    async () => {
      writeFileSync(join(root, 'a'), '');
      const program = `const {openSync, closeSync, writeSync} = require('fs');
      const keep = (fd) => { for (const until = process.hrtime.bigint() + 20_000n; process.hrtime.bigint() < until;); closeSync(fd); return fd; };
      writeSync(1, String(keep(openSync('a', 'r'))));
      for (;;) { keep(openSync('a', 'r')); keep(openSync('b', 'w')); }`;
      other = spawn(process.execPath, ['-e', program], {cwd: root, stdio: ['ignore', 'pipe', 'inherit']});
      const [line] = (await once(other.stdout!, 'data')) as [Buffer];
      const found = Array.from({length: 10_000}, () => look(other?.pid ?? 0, Number(line)).length);
      expect(found.filter((count) => count > 0)).toEqual([]);
    },
  );
});
