// Witnesses in workspace.yaml that could not be counted.
import type {WorkspaceSpec} from '@lumenflow/schemas';
import {generateKeyPairSync} from 'node:crypto';
import {expect, test} from 'vitest';
import {noteKeyOf} from '../signed-log/note-key.ts';
import {witnessKeyOf} from '../witness/witness-key.ts';
import {witnessProblems} from './witness-problems.ts';

const key = generateKeyPairSync('ed25519').privateKey;
const {verifierKey} = witnessKeyOf('w.example', key);

function problems(keys: readonly string[], required?: number): readonly string[] {
  const servers = keys.map((each) => ({url: 'https://w.example', key: each}));
  const witnesses = {...(required !== undefined && {required}), servers};
  const spec = {evidence: {witnesses}} as unknown as WorkspaceSpec;
  return witnessProblems(spec, (pointer) => pointer).map(({where, message}) => `${where}: ${message}`);
}

test('a witness needs a key of its own kind, under one name, and cannot be required more often than named', () => {
  expect(problems([verifierKey], 1)).toEqual([]);
  expect(problems([verifierKey], 2)).toEqual([
    '/evidence/witnesses/required: 2 witnesses are required, and 1 are named',
  ]);
  const again = witnessKeyOf('other.example', key).verifierKey;
  expect(problems([verifierKey, again])).toEqual(['/evidence/witnesses/servers/1/key: this key is named twice']);
  const ofLog = noteKeyOf('w.example', key).verifierKey;
  for (const wrong of [ofLog, verifierKey.slice(1), `${verifierKey}A`, 'w.example']) {
    expect(problems([wrong])).toEqual(['/evidence/witnesses/servers/0/key: this is not the verifier key of a witness']);
  }
});

test('a workspace without witnesses has no problem', () => {
  expect(witnessProblems({} as WorkspaceSpec, (pointer) => pointer)).toEqual([]);
});
