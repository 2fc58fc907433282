import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {BlobWindows} from '../blobs/blob-windows.ts';
import {sha256Hex} from '../system/sha256.ts';
import {BlobCheck} from './blob-check.ts';
import {HoldCheck} from './hold-check.ts';
import type {VerifyFinding} from './verify-finding.ts';

const hash = sha256Hex('content');
const other = sha256Hex('another content');
const at = {seq: 1, where: () => 'line 1'};
let folder: string;
let findings: VerifyFinding[];
let blobs: BlobCheck;
let windows: BlobWindows;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-blobs-'));
  writeFileSync(join(folder, hash), 'content');
  findings = [];
  windows = new BlobWindows(folder);
  const reported = {deletions: new HoldCheck(), lost: new Map<string, number>()};
  blobs = new BlobCheck({read: windows.read, reported, isSignedBefore: () => false}, findings);
});
afterEach(() => {
  windows.close();
  rmSync(folder, {recursive: true});
});

test('a content that was found sound is so for its own hash alone', async () => {
  blobs.note({ref: `inputs/${hash}`, hash, at, call: undefined});
  blobs.note({ref: `inputs/${hash}`, hash, at, call: undefined});
  await blobs.settle();
  expect(findings).toEqual([]);
  expect(blobs.count).toBe(1);
  blobs.note({ref: `inputs/${hash}`, hash: other, at, call: undefined});
  await blobs.settle();
  expect(findings).toMatchObject([{status: 'tampered', text: expect.stringContaining('line 1')}]);
});

test.each([
  ['a record without a hash', `inputs/${hash}`, undefined],
  ['a ref that is none', '../../etc/passwd', hash],
  ['a place before the beginning of a pack', 'inputs/pack-0123456789ab:1:7', hash],
])('%s: tampered', async (_, ref, wanted) => {
  writeFileSync(join(folder, 'pack-0123456789ab'), 'content '.repeat(100));
  blobs.note({ref, hash: wanted, at, call: undefined});
  await blobs.settle();
  expect(findings).toMatchObject([{status: 'tampered'}]);
});
