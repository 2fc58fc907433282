// One submission, against witnesses that answer anything.
import {mkdtempSync, rmSync} from 'node:fs';
import {generateKeyPairSync} from 'node:crypto';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {noteText} from '@lumenflow/kernel/adapters';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {CosignedNotes} from './cosigned-notes.ts';
import type {WitnessResponse} from './post-to-witness.ts';
import {submitCheckpoint, type SubmissionResult} from './submit-checkpoint.ts';
import {parseWitnessKey, witnessKeyOf} from './witness-key.ts';

const key = witnessKeyOf('w.example', generateKeyPairSync('ed25519').privateKey);
const witness = parseWitnessKey(key.verifierKey)!;
const impostor = witnessKeyOf('w.example', generateKeyPairSync('ed25519').privateKey);
const plain = 'text/plain';
let folder: string;
let cosigned: CosignedNotes;
let sizes: number[];
let rebuilt: number;
let newest: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lumenflow-submit-'));
  cosigned = new CosignedNotes(folder, 'traces');
  [sizes, rebuilt, newest] = [[], 0, 4];
});
afterEach(() => rmSync(folder, {recursive: true}));

const noteOf = (size: number): string => `log\n${size}\nroot\n\n— log AAAAAAAA\n`;

/** The witness answers in turn; the last answer is repeated. */
async function submit(...answers: readonly (WitnessResponse | 'cosigns')[]): Promise<SubmissionResult> {
  const left = [...answers];
  return await submitCheckpoint({
    witness,
    cosigned,
    head: async (from, rebuild) => {
      if (rebuild) rebuilt += 1;
      return await Promise.resolve({size: newest, note: noteOf(newest), path: from > newest ? undefined : []});
    },
    async post(body) {
      sizes.push(Number(/^old (\d+)/u.exec(body)?.[1]));
      const answer = (left.length > 1 ? left.shift() : left[0]) ?? 'cosigns';
      const text = noteText(noteOf(newest)) ?? '';
      return await Promise.resolve(
        answer === 'cosigns' ? {status: 200, contentType: plain, body: key.cosign(text, 1_700_000_000)} : answer,
      );
    },
  });
}

const conflict = (size: number): WitnessResponse => ({status: 409, contentType: 'text/x.tlog.size', body: `${size}\n`});

test('stores the cosignature with the checkpoint, and does not ask for it again', async () => {
  expect(await submit('cosigns')).toEqual({ok: true, size: 4});
  expect(await submit('cosigns')).toEqual({ok: true, size: 4});
  newest = 9;
  expect(await submit('cosigns')).toEqual({ok: true, size: 9});
  expect(sizes).toEqual([0, 4]);
  expect(cosigned.complete(9, noteOf(9)).split('\n')).toHaveLength(noteOf(9).split('\n').length + 1);
});

test('continues from the size that the witness has, when its answer was lost', async () => {
  expect(await submit(conflict(3), 'cosigns')).toEqual({ok: true, size: 4});
  expect(sizes).toEqual([0, 3]);
});

test.each([
  ['another history', {status: 422, contentType: plain, body: 'no'}],
  ['the same size with another root', {status: 409, contentType: plain, body: 'no'}],
])('reports %s as rewritten, after the hashes were computed again', async (_, answer) => {
  expect(await submit(conflict(3), answer)).toMatchObject({ok: false, kind: 'rewritten'});
  expect(rebuilt).toBe(1);
});

test('reports a witness that has cosigned more as a log that was rolled back', async () => {
  expect(await submit(conflict(40))).toMatchObject({ok: false, kind: 'rolled_back'});
  await cosigned.keep(50, witness.id, `${noteOf(50)}${key.cosign('log\n50\nroot\n', 1)}`);
  expect(await submit('cosigns')).toMatchObject({ok: false, kind: 'rolled_back'});
});

test.each([
  [404, 'rejected'],
  [403, 'rejected'],
  [500, 'unreachable'],
  [302, 'unreachable'],
  [429, 'unreachable'],
])('%d is %s, with the reason', async (status, kind) => {
  const answer = {status, contentType: plain, body: 'because\nof this'};
  expect(await submit(answer)).toEqual({ok: false, kind, message: `it answers ${status}: because`});
});

test.each([
  '',
  'cosigned',
  key.cosign('log\n3\nroot\n', 1),
  key.cosign('log\n5\nroot\n', 1),
  key.cosign('other\n4\nroot\n', 1),
  impostor.cosign('log\n4\nroot\n', 1),
  noteOf(4),
  `— w.example ${'A'.repeat(100)}\n`,
])('200 with %j is not a cosignature', async (body) => {
  expect(await submit({status: 200, contentType: plain, body})).toMatchObject({ok: false, kind: 'rejected'});
  expect(cosigned.list()).toEqual([]);
});

test('a witness whose size changes with each answer is left for later', async () => {
  expect(await submit(conflict(1), conflict(2), conflict(3), conflict(1), conflict(2))).toMatchObject({
    kind: 'unreachable',
  });
  expect(sizes).toHaveLength(5);
});
