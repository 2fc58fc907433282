import {generateKeyPairSync} from 'node:crypto';
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {contentDigest} from './content-digest.ts';
import {NonceCache} from './nonce-cache.ts';
import {host, makeParty, now, receive, send, type ReceivedRequest} from './signed-exchange.fixture.ts';

const refused = (message: string): object => ({ok: false, problem: {message: expect.stringContaining(message)}});

describe('a signed request', () => {
  test('is accepted, once', () => {
    const nonces = new NonceCache({startedAt: now - 5000, newestCreated: 0, keepNewestCreated: () => undefined});
    expect(receive(send(), {nonces})).toMatchObject({ok: true, value: {keyId: 'host+01', recipient: 'worker+01'}});
    expect(receive(send(), {nonces})).toEqual({
      ok: false,
      problem: {
        message: 'the request was accepted before: its nonce is used',
        help: 'sign each request again; its idempotency key prevents a second execution',
      },
    });
  });

  test('is accepted without a body, a query and the optional fields', () => {
    const url = new URL('https://worker.example/v1/worker');
    expect(receive(send({method: 'GET', url, headers: {}, body: Buffer.alloc(0)}))).toMatchObject({ok: true});
  });

  test('is accepted with the header lines of a server', () => {
    const {headers, ...others} = send();
    const lines = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [String(value)]]));
    expect(receive({...others, headers: lines})).toMatchObject({ok: true});
  });

  test('may name either of the keys that a worker has during a rotation', () => {
    const recipients = ['worker+01', 'worker+02'];
    expect(receive(send({}, {recipient: 'worker+02'}), {recipients})).toMatchObject({value: {recipient: 'worker+02'}});
  });

  test('may be made by either key of a host during a rotation, until the old one is removed', () => {
    const next = makeParty('host+02');
    const both = new Map([host, next].map(({key, publicKey}) => [key.id, publicKey]));
    for (const {key} of [host, next]) expect(receive(send({}, {key}), {keys: both})).toMatchObject({ok: true});
    both.delete(host.key.id);
    expect(receive(send(), {keys: both})).toMatchObject(refused('the key `host+01` is not trusted'));
    expect(receive(send({}, {key: next.key}), {keys: both})).toMatchObject({ok: true});
  });
});

type Manipulation = (sent: ReceivedRequest) => Partial<ReceivedRequest>;

const field = (name: string, change: (value: string) => string | string[] | undefined): Manipulation => {
  return ({headers}) => ({headers: {...headers, [name]: change(String(headers[name]))}});
};
const input = (from: string | RegExp, to: string): Manipulation =>
  field('signature-input', (value) => value.replace(from, to));

const manipulations: readonly (readonly [string, Manipulation, string])[] = [
  ['other method', () => ({method: 'PUT'}), 'does not match the message'],
  ['other path', () => ({target: '/v1/workers?wait=1'}), 'does not match'],
  ['other spelling of the path', () => ({target: '/v1/%65xecutions?wait=1'}), 'does not match'],
  ['other query', () => ({target: '/v1/executions?wait=2'}), 'does not match'],
  ['no query', () => ({target: '/v1/executions'}), 'does not match'],
  ['absolute target', () => ({target: 'http://worker.example/'}), 'request target is not a path'],
  ['fragment in the target', () => ({target: '/v1/executions?wait=1#x'}), 'request target is not a path'],
  ['space in the target', () => ({target: '/v1/executions?wait=1 x'}), 'request target is not a path'],
  [
    'other authority',
    ({headers}) => ({authority: 'evil.example', headers: {...headers, host: 'evil.example'}}),
    'does not match',
  ],
  ['two authorities', () => ({authority: 'evil.example'}), 'is for `evil.example` and for `worker.example:7070`'],
  ['host twice', field('host', (value) => [value, value]), 'the field `host` is sent 2 times'],
  ['other body', () => ({body: Buffer.from('{"tool":"notes:rm!"}')}), 'not the sha-256 digest of the 20 bytes'],
  ['cut body', () => ({body: Buffer.from('{"tool"')}), 'not the sha-256 digest of the 7 bytes'],
  [
    'other body and digest',
    ({headers}) => ({body: Buffer.from('x'), headers: {...headers, 'content-digest': contentDigest(Buffer.from('x'))}}),
    'does not match',
  ],
  ['weaker digest', field('content-digest', () => 'md5=:3OpEK4tGbrgFDYNKyGYcRA==:'), 'does not match'],
  ['second digest', field('content-digest', (value) => `${value}, sha-512=:AAAA:`), 'does not match'],
  ['no digest', field('content-digest', () => undefined), 'the field `content-digest` is missing'],
  ['other content type', field('content-type', () => 'text/plain'), 'does not match'],
  ['no content type', field('content-type', () => undefined), 'must not cover "content-type"'],
  ['other idempotency key', field('idempotency-key', () => 'r-2'), 'does not match'],
  ['no idempotency key', field('idempotency-key', () => undefined), 'must not cover "idempotency-key"'],
  ['idempotency key twice', field('idempotency-key', (value) => [value, 'r-2']), 'is sent 2 times'],
  ['other recipient', field('lumenflow-worker-key', () => 'worker+02'), 'does not match'],
  ['no signature', field('signature', () => undefined), 'the field `signature` is missing'],
  ['no signature input', field('signature-input', () => undefined), 'the field `signature-input` is missing'],
  ['signature twice', field('signature', (value) => [value, value]), 'the field `signature` is sent 2 times'],
  ['two signatures', field('signature', (value) => `${value}, b${value}`), 'is not one Ed25519 signature'],
  ['two signature inputs', field('signature-input', (value) => `${value}, b${value}`), 'is not one signature'],
  ['other label', field('signature', (value) => `b${value}`), 'is not one Ed25519 signature named `lumenflow`'],
  ['short signature', field('signature', () => 'lumenflow=:AAAA:'), 'is not one Ed25519 signature'],
  ['other algorithm', input('"ed25519"', '"hmac-sha256"'), 'the algorithm `hmac-sha256` is not accepted'],
  ['no algorithm', input(';alg="ed25519"', ''), 'does not have the string alg'],
  ['other tag', input('"lumenflow-worker"', '"lumenflow"'), 'the signature is for `lumenflow`'],
  ['no tag', input(/;tag="[^"]*"/u, ''), 'does not have the string tag'],
  ['no nonce', input(/;nonce="[^"]*"/u, ''), 'does not have the string nonce'],
  ['other nonce', input(/;nonce="./u, ';nonce="x'), 'does not match'],
  ['no expiry', input(/;expires=\d+/u, ''), 'does not have the integer expires'],
  ['later expiry', input(/;expires=\d+/u, ';expires=1800000200'), 'does not match'],
  ['expiry as a string', input(/;expires=(\d+)/u, ';expires="$1"'), 'does not have the integer expires'],
  ['parameter twice', input(/;created=/u, ';created=1;created='), 'names created twice'],
  ['unknown parameter', input(/$/u, ';x=1'), 'must not have the integer x'],
  ['unknown key', input('host+01', 'host+09'), 'the key `host+09` is not trusted'],
  ['uncovered body', input(' "content-digest"', ''), 'does not cover "content-digest"'],
  ['uncovered method', input('"@method" ', ''), 'does not cover "@method"'],
  ['component twice', input('"@method"', '"@method" "@method"'), 'names "@method" twice'],
  ['other component', input('"@method"', '"@method" "@target-uri"'), 'must not cover "@target-uri"'],
  ['component with a parameter', input('"content-digest"', '"content-digest";req'), 'does not cover "content-digest"'],
  ['other order', input('"@method" "@authority"', '"@authority" "@method"'), 'does not match'],
  ['other spaces', input(' "@path"', '  "@path"'), 'canonical form'],
  ['long signature input', input(/$/u, ' '.repeat(3000).replaceAll(' ', 'x')), 'and 2048 are allowed'],
  ['control character', field('content-type', (value) => `${value}\n x: y`), 'not visible ASCII'],
];

describe('a manipulated request is refused', () => {
  test.each(manipulations)('%s', (_, manipulate, message) => {
    const sent = send();
    expect(receive({...sent, ...manipulate(sent)})).toMatchObject(refused(message));
  });

  test('added field that signatures cover', () => {
    const sent = send({headers: {}});
    const added = {...sent, headers: {...sent.headers, 'idempotency-key': 'r-1'}};
    expect(receive(added)).toMatchObject(refused('does not cover "idempotency-key"'));
  });

  test('for another worker, by a host that both trust', () => {
    expect(receive(send(), {recipients: ['worker+02']})).toMatchObject(
      refused('for the worker with the key `worker+01`, and this worker has worker+02'),
    );
  });

  test('by another key under the id of a trusted one', () => {
    const key = {...makeParty('x').key, id: host.key.id};
    expect(receive(send({}, {key}))).toMatchObject(refused('does not match'));
  });

  test('by a trusted key of another kind', () => {
    const {privateKey, publicKey} = generateKeyPairSync('ed448');
    const keys = new Map([['host+01', publicKey]]);
    expect(receive(send({}, {key: {id: 'host+01', privateKey}}), {keys})).toMatchObject(refused('Ed25519'));
    expect(receive(send(), {keys})).toMatchObject(refused('is not trusted'));
  });

  test('any flipped bit of what is signed', () => {
    const sent = send();
    const covered = [
      'content-digest',
      'content-type',
      'idempotency-key',
      'lumenflow-worker-key',
      'signature',
      'signature-input',
    ];
    const parts = ['method', 'authority', 'target', 'body', ...covered];
    const flip = (text: string, at: number, bit: number): string => {
      const index = at % text.length;
      return text.slice(0, index) + String.fromCodePoint(text.codePointAt(index)! ^ (1 << bit)) + text.slice(index + 1);
    };
    fc.assert(
      fc.property(fc.constantFrom(...parts), fc.nat(1000), fc.nat(6), (part, at, bit) => {
        const {host: _, ...headers} = sent.headers;
        const flat: Record<string, string> = {
          ...(headers as Record<string, string>),
          method: sent.method,
          authority: sent.authority,
          target: sent.target,
          body: String(sent.body),
        };
        const flipped = flip(flat[part]!, at, bit);
        // The name of an authority has no case.
        fc.pre(part !== 'authority' || flipped.toLowerCase() !== sent.authority);
        const {method, authority, target, body, ...others} = {...flat, [part]: flipped};
        const changed = {
          method: method!,
          authority: authority!,
          target: target!,
          headers: others,
          body: Buffer.from(body!),
        };
        expect(receive(changed).ok).toBe(false);
      }),
    );
  });
});

describe('times', () => {
  test.each([
    [-59, true, ''],
    [-60, false, 'the signature expired 0 s ago by the clock of the worker, 2027-01-15T08:00:00.500Z'],
    [-3600, false, 'the signature expired 3540 s ago'],
    [30, true, ''],
    [31, false, 'is from 31 s in the future: the clock that signed it differs from this one, 2027-01-15T08:00:00.500Z'],
  ])('a host whose clock differs by %i s', (seconds, isAccepted, message) => {
    const received = receive(send({}, {now: now + seconds * 1000}));
    expect(received).toMatchObject(isAccepted ? {ok: true} : refused(message));
  });

  test('a short nonce', () => {
    expect(receive(send({}, {nonce: 'short'}))).toMatchObject(refused('the nonce has 5 characters'));
  });

  test('names the key and how to trust it', () => {
    expect(receive(send({}, {key: makeParty('stranger+07').key}))).toEqual({
      ok: false,
      problem: {
        message: 'the key `stranger+07` is not trusted',
        help: 'on the host, run `lumenflow workers key`; on the worker, run `lumenflow worker trust` with its output',
      },
    });
  });
});
