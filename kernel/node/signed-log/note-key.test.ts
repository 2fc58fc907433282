import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openNote, signNote} from '@lumenflow/kernel/adapters';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {openSigningKeys, parseVerifierKey, readVerifierKeys} from './note-key.ts';

let keyFolder: string;
beforeEach(() => {
  keyFolder = mkdtempSync(join(tmpdir(), 'lumenflow-keys-'));
});
afterEach(() => rmSync(keyFolder, {recursive: true, force: true}));

describe('verifier keys', () => {
  /** The example of Go's golang.org/x/mod/sumdb/note. */
  const peter = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
  const text =
    'If you think cryptography is the answer to your problem,\nthen you don’t know what your problem is.\n'.replace(
      '’',
      "'",
    );
  const note = `${text}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;

  test('open the notes of other implementations', () => {
    const verifier = parseVerifierKey(peter);
    expect(verifier && openNote(note, [verifier])?.text).toBe(text);
    expect(verifier && openNote(note.replace('answer', 'Answer'), [verifier])).toBeUndefined();
  });

  test.each([
    '',
    'name',
    'PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    'Peter+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    'PeterNeumann+c74f20a3+AhPc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy',
  ])('%j is none', (key) => {
    expect(parseVerifierKey(key)).toBeUndefined();
  });
});

describe('the own key', () => {
  test('is made once, for this user alone, and signs what its published half opens', async () => {
    const opened = await Promise.all([1, 2, 3].map(() => openSigningKeys({keyFolder})));
    const signers = opened.map(({signer}) => signer);
    const [first] = signers;
    for (const signer of signers) expect(signer.name).toBe(first?.name);
    expect(statSync(join(keyFolder, 'evidence.key')).mode & 0o777).toBe(0o600);
    const [published = ''] = readVerifierKeys(keyFolder);
    const verifier = parseVerifierKey(published);
    const note = first && signNote('text\n', first);
    expect(verifier && openNote(note ?? '', [verifier])?.text).toBe('text\n');
    expect((await openSigningKeys({keyFolder})).signer.name).toBe(first?.name);
  });

  test('that is damaged is reported, not replaced', async () => {
    await openSigningKeys({keyFolder});
    writeFileSync(join(keyFolder, 'evidence.key'), 'spoiled');
    await expect(openSigningKeys({keyFolder})).rejects.toMatchObject({code: 'LOAD_FAILED'});
    expect(readFileSync(join(keyFolder, 'evidence.key'), 'utf8')).toBe('spoiled');
  });

  test('is published again on a new line after half a line or zeros of a crash', async () => {
    await openSigningKeys({keyFolder});
    const path = join(keyFolder, 'evidence.pub');
    const whole = readFileSync(path, 'utf8');
    for (const left of ['', whole.slice(0, 20), whole.slice(0, -1).replace('+', '-'), '\0'.repeat(40)]) {
      writeFileSync(path, left);
      await openSigningKeys({keyFolder});
      expect(readVerifierKeys(keyFolder)).toContain(whole.trim());
    }
  });

  test('a folder without keys has none', () => {
    expect(readVerifierKeys(join(keyFolder, 'nowhere'))).toEqual([]);
  });
});
