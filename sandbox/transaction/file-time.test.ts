import {lstatSync, lutimesSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {fileTime} from './file-time.ts';

const folder = mkdtempSync(join(tmpdir(), 'lumenflow-time-'));
const path = join(folder, 'file');
writeFileSync(path, '');
afterAll(() => rmSync(folder, {recursive: true}));

function afterSetting(ns: bigint): bigint {
  lutimesSync(path, fileTime(ns), fileTime(ns));
  return lstatSync(path, {bigint: true}).mtimeNs;
}

test.each([0n, 1_044_057_600n, 1_795_417_696n, 4_102_444_800n, -312_854_400n])(
  '%d s after 1970 is exact',
  (seconds) => {
    expect(afterSetting(seconds * 1_000_000_000n)).toBe(seconds * 1_000_000_000n);
  },
);

test('any time after 1970 is exact to a microsecond', () => {
  for (let index = 0; index < 2000; index += 1) {
    const ns = BigInt(Math.floor(Math.random() * 4e15)) * 1000n + BigInt(index % 1000);
    expect([ns, afterSetting(ns) / 1000n]).toEqual([ns, ns / 1000n]);
  }
});
