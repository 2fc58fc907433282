// Messages of an unrelated implementation of RFC 9421, in both directions.
import {createSigner, createVerifier, httpbis} from 'http-message-signatures';
import {expect, test} from 'vitest';
import {contentDigest} from './content-digest.ts';
import {host, now, receive, request, send, worker} from './signed-exchange.fixture.ts';

test('a request that it signs is accepted', async () => {
  const {method, url, headers, body} = request;
  const all = {...headers, 'content-digest': contentDigest(body), 'lumenflow-worker-key': worker.key.id};
  const signed = await httpbis.signMessage(
    {
      key: createSigner(host.key.privateKey, 'ed25519', host.key.id),
      name: 'sig1',
      fields: [
        'content-type',
        'idempotency-key',
        'content-digest',
        'lumenflow-worker-key',
        '@method',
        '@path',
        '@query',
        '@authority',
      ],
      params: ['keyid', 'alg', 'created', 'expires', 'nonce', 'tag'],
      paramValues: {
        created: new Date(now),
        expires: new Date(now + 120_000),
        nonce: 'b'.repeat(22),
        tag: 'lumenflow-worker',
      },
    },
    {method, url: url.href, headers: all},
  );
  const fields = Object.fromEntries(Object.entries(signed.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const received = {method, authority: url.host, target: `${url.pathname}${url.search}`, headers: fields, body};
  expect(receive(received)).toMatchObject({ok: true, value: {keyId: host.key.id}});
});

test('it accepts a request that is signed here', async () => {
  const {method, headers} = send();
  const verified = await httpbis.verifyMessage(
    {
      keyLookup: async ({keyid}) =>
        keyid === host.key.id
          ? {id: keyid, algs: ['ed25519'], verify: createVerifier(host.publicKey, 'ed25519')}
          : null,
      notAfter: new Date(now),
    },
    {method, url: request.url.href, headers: headers as Record<string, string>},
  );
  expect(verified).toBe(true);
});
