// RFC 9421 appendix B and section 2, RFC 9530 appendix B.
import {createPrivateKey, createPublicKey, sign, verify} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {checkContentDigest, contentDigest} from './content-digest.ts';
import {signatureBase, type Component} from './signature-base.ts';
import {parseSignatureInput, writeSignatureInput} from './signature-input.ts';

const x = 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs';
const key = createPrivateKey({
  key: {kty: 'OKP', crv: 'Ed25519', x, d: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU'},
  format: 'jwk',
});

/** The test request, as components. */
const values = new Map([
  ['"date"', 'Tue, 20 Apr 2021 02:07:55 GMT'],
  ['"@method"', 'POST'],
  ['"@path"', '/foo'],
  ['"@query"', '?param=Value&Pet=dog'],
  ['"@authority"', 'example.com'],
  ['"content-type"', 'application/json'],
  ['"content-length"', '18'],
  [
    '"content-digest"',
    'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
  ],
]);

function baseOf(input: string): string {
  const parsed = parseSignatureInput(input);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const components = parsed.value.components.map((name): Component => [name, values.get(name)!]);
  return signatureBase(components, parsed.value.text);
}

describe('RFC 9421', () => {
  const b26 =
    'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"';

  test('B.2.6: the base and the signature by test-key-ed25519', () => {
    const base = [
      '"date": Tue, 20 Apr 2021 02:07:55 GMT',
      '"@method": POST',
      '"@path": /foo',
      '"@authority": example.com',
      '"content-type": application/json',
      '"content-length": 18',
      '"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    ].join('\n');
    expect(baseOf(b26)).toBe(base);
    const signature = 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==';
    expect(sign(null, Buffer.from(base), key).toString('base64')).toBe(signature);
    expect(verify(null, Buffer.from(base), createPublicKey(key), Buffer.from(signature, 'base64'))).toBe(true);
  });

  test.each([
    [
      'B.2.3',
      'sig-b23=("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss"',
      [
        '"date"',
        '"@method"',
        '"@path"',
        '"@query"',
        '"@authority"',
        '"content-type"',
        '"content-digest"',
        '"content-length"',
      ].map((name) => `${name}: ${values.get(name)}`),
    ],
    [
      'B.2.5',
      'sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
      ['"date": Tue, 20 Apr 2021 02:07:55 GMT', '"@authority": example.com', '"content-type": application/json'],
    ],
  ])('%s: the base', (_, input, lines) => {
    const params = input.slice(input.indexOf('=') + 1);
    expect(baseOf(input)).toBe([...lines, `"@signature-params": ${params}`].join('\n'));
  });

  test('B.2.2: a component that the worker never needs is refused', () => {
    const input =
      'sig-b22=("@authority" "content-digest" "@query-param";name="Pet");created=1618884473;keyid="test-key-rsa-pss"';
    expect(parseSignatureInput(input)).toMatchObject({ok: false});
  });

  test('2.4: components of the request in a response', () => {
    const input = writeSignatureInput(['"@status"', '"content-digest"', '"signature";req'], [['created', 1618884479]]);
    expect(parseSignatureInput(`reqres=${input}`)).toMatchObject({
      value: {components: ['"@status"', '"content-digest"', '"signature";req'], text: input},
    });
  });
});

describe('RFC 9530', () => {
  const hello = Buffer.from('{"hello": "world"}\n');
  const sha512 = 'sha-512=:YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ/WkppmM44T3qg==:';

  test('digests of the examples', () => {
    expect(contentDigest(hello)).toBe('sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:');
    expect(contentDigest(Buffer.alloc(0))).toBe('sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:');
    expect(checkContentDigest(sha512, hello)).toMatchObject({ok: true});
    expect(checkContentDigest(values.get('"content-digest"')!, Buffer.from('{"hello": "world"}'))).toMatchObject({
      ok: true,
    });
  });

  test.each([
    ['md5=:3OpEK4tGbrgFDYNKyGYcRA==:', 'not one digest by sha-256'],
    [`sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:, ${sha512}`, 'not one digest'],
    ['', 'not one digest'],
    [sha512.replace('YMA', 'YMB'), 'not the sha-512 digest of the 19 bytes'],
  ])('rejects `%s`', (value, message) => {
    expect(checkContentDigest(value, hello)).toMatchObject({
      ok: false,
      problem: {message: expect.stringContaining(message)},
    });
  });
});
