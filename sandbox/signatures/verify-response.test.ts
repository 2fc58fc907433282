import {describe, expect, test} from 'vitest';
import {contentDigest} from './content-digest.ts';
import {signResponse} from './sign-response.ts';
import {host, makeParty, now, receive, send, worker, type ReceivedRequest} from './signed-exchange.fixture.ts';
import type {VerifiedRequest} from './verify-request.ts';
import {verifyResponse, type ReceivedResponse} from './verify-response.ts';

const keys = new Map([[worker.key.id, worker.publicKey]]);
const body = Buffer.from('{"state":"running"}');

function exchange(nonce: string): {readonly sent: ReceivedRequest; readonly verified: VerifiedRequest} {
  const sent = send({}, {nonce});
  const received = receive(sent);
  if (!received.ok) throw new Error(received.problem.message);
  return {sent, verified: received.value};
}

const {sent, verified} = exchange('a'.repeat(22));

function answer(request: VerifiedRequest, key = worker.key, at = now): ReceivedResponse {
  const headers = signResponse({status: 200, headers: {'content-type': 'application/json'}, body}, request, {
    key,
    now: at,
  });
  return {status: 200, headers, body};
}

const refused = (message: string): object => ({ok: false, problem: {message: expect.stringContaining(message)}});
const check = (response: ReceivedResponse): ReturnType<typeof verifyResponse> =>
  verifyResponse(response, sent.headers, {keys, now});

test('a response to the request is accepted', () => {
  expect(check(answer(verified))).toEqual({ok: true, value: {keyId: 'worker+01'}});
});

const field = (name: string, value: string | string[] | undefined) => (response: ReceivedResponse) => ({
  headers: {...response.headers, [name]: value},
});

describe('refused is', () => {
  test('a response to another request', () => {
    expect(check(answer(exchange('b'.repeat(22)).verified))).toMatchObject(refused('does not match'));
  });

  test('a response of another worker', () => {
    expect(check(answer(verified, makeParty('other+01').key))).toMatchObject(
      refused('the key `other+01` is not trusted'),
    );
    const key = {...makeParty('x').key, id: worker.key.id};
    expect(check(answer(verified, key))).toMatchObject(refused('does not match'));
    expect(check(answer(verified, host.key))).toMatchObject(refused('is not trusted'));
  });

  test('a request sent back as its response', () => {
    const {headers} = sent;
    expect(check({status: 200, headers, body: sent.body})).toMatchObject(refused('does not cover "@status"'));
  });

  test('a response from a clock that is ahead', () => {
    expect(check(answer(verified, worker.key, now + 60_000))).toMatchObject(refused('60 s in the future'));
  });

  test.each<[string, (response: ReceivedResponse) => Partial<ReceivedResponse>, string]>([
    ['other status', () => ({status: 202}), 'does not match'],
    ['other body', () => ({body: Buffer.from('{"state":"failed!"}')}), 'not the sha-256 digest'],
    ['cut body', () => ({body: body.subarray(1)}), 'not the sha-256 digest of the 18 bytes'],
    ['other digest', field('content-digest', contentDigest(Buffer.from('x'))), 'does not match'],
    ['no digest', field('content-digest', undefined), 'the field `content-digest` is missing'],
    ['other type', field('content-type', 'text/html'), 'does not match'],
    ['no type', field('content-type', undefined), 'must not cover "content-type"'],
    ['no signature', field('signature', undefined), 'the field `signature` is missing'],
    ['signature twice', field('signature', ['a', 'b']), 'sent 2 times'],
  ])('%s', (_, manipulate, message) => {
    const response = answer(verified);
    expect(check({...response, ...manipulate(response)})).toMatchObject(refused(message));
  });

  test('a signature that is not bound to a request', () => {
    const response = answer(verified);
    const unbound = String(response.headers['signature-input']).replace(' "signature";req', '');
    const manipulated = {...response, headers: {...response.headers, 'signature-input': unbound}};
    expect(check(manipulated)).toMatchObject(refused('does not cover "signature";req'));
  });
});
