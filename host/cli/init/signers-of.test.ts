import {generateKeyPairSync} from 'node:crypto';
import {noteKeyOf} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {signPack} from '../../packs/signing/pack-signature.ts';
import {signersOf, type SignedPin} from './signers-of.ts';

const key = noteKeyOf('release', generateKeyPairSync('ed25519').privateKey);

function pinOf(id: string): PackPin & {readonly integrity: string} {
  return {id, version: '1.0.0', integrity: `sha256:${'0'.repeat(64)}`, source: 'npm', package: `@scope/${id}`};
}

function signed(id: string): SignedPin {
  const pin = pinOf(id);
  return {pin, note: signPack(pin, key)};
}

test('the key of packs that are all signed, once', () => {
  expect(signersOf([signed('a'), signed('b')])).toEqual([key.verifierKey]);
});

test('none if a pack is not signed, was changed after it, or carries the signature of another', () => {
  const {note} = signed('b');
  expect(signersOf([signed('a'), {pin: pinOf('b'), note: undefined}])).toEqual([]);
  expect(signersOf([signed('a'), {pin: {...pinOf('b'), integrity: `sha256:${'1'.repeat(64)}`}, note}])).toEqual([]);
  expect(signersOf([signed('a'), {pin: pinOf('c'), note}])).toEqual([]);
  expect(signersOf([])).toEqual([]);
});
