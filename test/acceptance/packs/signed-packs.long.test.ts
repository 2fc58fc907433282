// Signatures: each state of one, what pack list says of it, and what a workspace that requires them refuses.
import {copyFileSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {greeter, makePackStage, type PackStage} from './pack-stage.ts';

const pin = {id: 'greeter', version: '1.0.0', integrity: 'dev', source: 'local', path: 'greeter'};

let stage: PackStage;
let publicKey: string;
const signature = (): string => join(stage.workspace, 'greeter/pack.sig');

async function keygen(name: string, file: string): Promise<string> {
  const {document} = await stage.json('pack', 'keygen', name, '--out', file);
  return String(document['public_key']);
}

/** The pack's row in the list, with that key trusted. */
async function listed(trusted: readonly string[] = [publicKey]): Promise<unknown> {
  stage.pin([pin], {trusted_keys: trusted});
  const {packs} = (await stage.json('pack', 'list')).document as unknown as {packs: Record<string, unknown>[]};
  return [packs[0]?.['signature'], packs[0]?.['trusted']];
}

/** What a workspace that requires signatures refuses. */
async function refusals(): Promise<readonly string[]> {
  stage.pin([pin], {require_signature: true, trusted_keys: [publicKey]});
  return (await stage.loadProblems()).map(({code, where}) => `${code} ${where}`);
}

beforeEach(async () => {
  stage = makePackStage();
  stage.write(greeter('ws/greeter'));
  stage.pin([pin]);
  publicKey = await keygen('acme.example', 'key.pem');
  expect(await stage.json('pack', 'sign', 'greeter', '--key', 'key.pem')).toMatchObject({code: 0});
});

test('a key is written for its owner alone and never overwritten', async () => {
  expect(statSync(join(stage.workspace, 'key.pem')).mode & 0o777).toBe(0o600);
  expect(await stage.json('pack', 'keygen', 'acme.example', '--out', 'key.pem')).toMatchObject({
    code: 2,
    document: {error: {code: 'FILE_EXISTS'}},
  });
  expect(await stage.json('pack', 'keygen', 'two words', '--out', 'other.pem')).toMatchObject({code: 2});
});

test('signed by a trusted key: listed so, and loaded where a signature is required', async () => {
  expect(await listed()).toEqual(['signed', true]);
  expect(await refusals()).toEqual([]);
  expect(await stage.hello()).toEqual({greeting: 'hi'});
  expect((await stage.run('pack', 'list')).stdout).toMatch(/^greeter .* acme\.example /mu);
});

describe('refused where a signature is required', () => {
  const tampered = (change: (text: string) => string): void => {
    const text = readFileSync(signature(), 'utf8');
    expect(change(text)).not.toBe(text);
    writeFileSync(signature(), change(text));
  };

  test.each<[string, () => void | Promise<void>, string, string]>([
    ['none', () => rmSync(signature()), 'unsigned', 'MISSING'],
    [
      'a file that was changed after it',
      () => stage.write(greeter('ws/greeter', {word: 'evil'})),
      'modified',
      'MODIFIED',
    ],
    ['a file that was added after it', () => stage.write({'ws/greeter/more.txt': 'x'}), 'modified', 'MODIFIED'],
    ['truncated', () => tampered((text) => text.slice(0, -9)), 'invalid', 'INVALID'],
    ['cut down to nothing', () => tampered(() => ''), 'invalid', 'INVALID'],
    [
      'other integrity written in',
      () => tampered((text) => text.replace(/sha256:./u, 'sha256:x')),
      'invalid',
      'INVALID',
    ],
    ['more lines under it', () => tampered((text) => text.replace('\n\n', '\nmore\n\n')), 'invalid', 'INVALID'],
    [
      'the key replaced by another',
      async () => {
        const other = await keygen('acme.example', 'other.pem');
        tampered((text) => text.replace(publicKey, other));
      },
      'invalid',
      'INVALID',
    ],
    [
      'of another pack',
      async () => {
        stage.write({
          'ws/other/manifest.yaml': greeter('x')['x/manifest.yaml']?.replace('id: greeter', 'id: other') ?? '',
        });
        copyFileSync(join(stage.workspace, 'greeter/greet.mjs'), join(stage.workspace, 'other/greet.mjs'));
        await stage.json('pack', 'sign', 'other', '--key', 'key.pem');
        copyFileSync(join(stage.workspace, 'other/pack.sig'), signature());
      },
      'invalid',
      'INVALID',
    ],
    [
      'of another version',
      async () => {
        stage.write(greeter('ws/greeter', {version: '0.9.0'}));
        await stage.json('pack', 'sign', 'greeter', '--key', 'key.pem');
        stage.write(greeter('ws/greeter'));
      },
      'invalid',
      'INVALID',
    ],
  ])('%s', async (_, change, state, code) => {
    await change();
    expect(await listed()).toEqual([state, state === 'modified']);
    expect(await refusals()).toEqual([`PACK_SIGNATURE_${code} workspace.yaml:3:5`]);
  });

  test('a sound one by an untrusted key of the same name', async () => {
    await keygen('acme.example', 'other.pem');
    await stage.json('pack', 'sign', 'greeter', '--key', 'other.pem');
    expect(await listed()).toEqual(['signed', false]);
    expect((await stage.run('pack', 'list')).stdout).toContain('not trusted');
    expect(await refusals()).toEqual(['PACK_SIGNATURE_UNTRUSTED workspace.yaml:3:5']);
  });
});

test('where none is required, an invalid one is a warning for pinned packs and ignored for dev packs', async () => {
  const {integrity} = (await stage.json('pack', 'hash', 'greeter')).document;
  writeFileSync(signature(), 'nonsense');
  expect((await stage.run('tools', 'list')).stderr).not.toContain('PACK_SIGNATURE');
  stage.pin([{...pin, integrity}]);
  const {code, stderr} = await stage.run('tools', 'list');
  expect(code).toBe(0);
  expect(stderr).toContain('PACK_SIGNATURE_INVALID');
});

test('a trusted key whose parts do not fit is reported with its position', async () => {
  stage.pin([pin], {trusted_keys: [publicKey, publicKey.replace(/\+[0-9a-f]{8}\+/u, '+00000000+')]});
  const [problem] = await stage.loadProblems();
  expect(problem).toMatchObject({code: 'PACK_KEY_INVALID', where: expect.stringMatching(/^workspace\.yaml:8:\d+$/u)});
});

test('what cannot sign, and what cannot be signed, is reported', async () => {
  stage.write({'ws/no.pem': 'Name: x\nnothing'});
  expect(await stage.json('pack', 'sign', 'greeter', '--key', 'no.pem')).toMatchObject({
    code: 2,
    document: {error: {code: 'PACK_KEY_INVALID'}},
  });
  expect(await stage.json('pack', 'sign', 'greeter', '--key', 'gone.pem')).toMatchObject({
    code: 2,
    document: {error: {code: 'ENOENT'}},
  });
  stage.write({'ws/greeter/greet.mjs': 'export const other = 1;'});
  expect(await stage.json('pack', 'sign', 'greeter', '--key', 'key.pem')).toMatchObject({
    code: 2,
    document: {error: {code: 'LOAD_FAILED'}},
  });
  stage.pin([{...pin, source: 'npm', package: 'greeter', path: undefined}]);
  rmSync(join(stage.workspace, 'greeter'), {recursive: true});
  expect(await stage.json('pack', 'sign', 'greeter', '--key', 'key.pem')).toMatchObject({
    code: 2,
    document: {error: {code: 'USAGE', message: expect.stringContaining('is a copy')}},
  });
});
