import {generateKeyPairSync, sign, verify} from 'node:crypto';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {decodeBase64, encodeBase64} from './base64.ts';
import {checkpointText, parseCheckpoint} from './checkpoint.ts';
import {decodeHex, encodeHex} from './hex.ts';
import {openNote, signNote, type NoteSigner, type NoteVerifier} from './signed-note.ts';

function keyPair(name: string): NoteSigner & NoteVerifier {
  const {privateKey, publicKey} = generateKeyPairSync('ed25519');
  return {
    name,
    keyId: Uint8Array.of(1, 2, 3, 4),
    sign: (text) => sign(null, Buffer.from(text), privateKey),
    named: () => keyPair(name),
    verify: (text, signature) => verify(null, Buffer.from(text), publicKey, signature),
  };
}

describe('base64 and hex', () => {
  test('are what Node makes of bytes, and back', () => {
    fc.assert(
      fc.property(fc.uint8Array({maxLength: 100}), (bytes) => {
        expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
        expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
        expect(encodeHex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
        expect(decodeHex(encodeHex(bytes))).toEqual(bytes);
      }),
    );
  });

  test.each(['A', 'AB=', 'AB==C', 'AC==', 'AAB=', 'A-==', '====', ' AAA'])('%j is not valid base64', (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  });

  test.each(['a', 'AB', 'zz', ' 00'])('%j is not valid hex', (text) => {
    expect(decodeHex(text)).toBeUndefined();
  });
});

describe('signed notes', () => {
  const key = keyPair('example.org/log');
  const note = signNote('first\n\nsecond — line\n', key);

  test('open with the key that signed', () => {
    const opened = {text: 'first\n\nsecond — line\n', verifier: key, isWhole: true};
    expect(openNote(note, [keyPair('other'), key])).toEqual(opened);
  });

  test('open when one of several signatures is known', () => {
    const other = keyPair('other');
    const second = signNote('first\n\nsecond — line\n', other).split('\n').at(-2) ?? '';
    expect(openNote(`${note}${second}\n`, [other])?.verifier).toBe(other);
    expect(openNote(`${note}${second}\n`, [key])).toMatchObject({verifier: key, isWhole: false});
    expect(openNote(`${note}${second}\n`, [key, other])).toMatchObject({verifier: key, isWhole: true});
  });

  test('do not open for another key of the same name and id', () => {
    expect(openNote(note, [keyPair('example.org/log')])).toBeUndefined();
    expect(openNote(note, [{...key, keyId: Uint8Array.of(1, 2, 3, 5)}])).toBeUndefined();
    expect(openNote(note, [])).toBeUndefined();
  });

  test('do not open with an invalid signature of a known key, nor count one of an unknown key as whole', () => {
    const other = keyPair('other');
    const both = signNote('first\n', key, other);
    for (let index = both.indexOf('\n— other') + 1; index < both.length; index += 1) {
      const code = String.fromCharCode(both.charCodeAt(index) ^ 1);
      expect(openNote(both.slice(0, index) + code + both.slice(index + 1), [key, other])?.isWhole ?? false).toBe(false);
    }
  });

  test('no changed character goes unnoticed', () => {
    for (let index = 0; index < note.length; index += 1) {
      const code = String.fromCharCode(note.charCodeAt(index) ^ 1);
      expect(openNote(note.slice(0, index) + code + note.slice(index + 1), [key])).toBeUndefined();
      expect(openNote(note.slice(0, index), [key])).toBeUndefined();
    }
  });
});

describe('checkpoints', () => {
  const root = new Uint8Array(32).fill(7);

  test('are read as they are written', () => {
    const head = {origin: 'example.org/log', size: 42, root};
    const text = checkpointText({...head, extensions: []});
    expect(text).toBe(`example.org/log\n42\n${Buffer.from(root).toString('base64')}\n`);
    expect(parseCheckpoint(text)).toEqual({...head, extensions: []});
    expect(checkpointText({...head, extensions: ['events 7']})).toBe(`${text}events 7\n`);
    expect(parseCheckpoint(`${text}events 7\nmore\n`)).toEqual({...head, extensions: ['events 7', 'more']});
  });

  test.each([
    ['no root', 'o\n1\n'],
    ['a short root', `o\n1\n${encodeBase64(new Uint8Array(31))}\n`],
    ['no origin', `\n1\n${encodeBase64(root)}\n`],
    ['a padded size', `o\n01\n${encodeBase64(root)}\n`],
    ['a negative size', `o\n-1\n${encodeBase64(root)}\n`],
    ['no end of line', `o\n1\n${encodeBase64(root)}`],
    ['nothing', ''],
  ])('%s is none', (_, text) => {
    expect(parseCheckpoint(text)).toBeUndefined();
  });
});
