// How long a token is kept. The service of these tests counts the tokens that it issues.
import type {ServiceCall} from '@lumenflow/kernel/adapters';
import {expect, test} from 'vitest';
import type {HttpTransport} from './http-transport.ts';
import {createOauthTokens} from './oauth-tokens.ts';

const credential = {
  kind: 'oauth2',
  token_url: '/token',
  scopes: [],
  client_id: 'USER',
  client_secret: 'PASSWORD',
} as const;
const call = {server: new URL('https://service.example'), env: {}} as unknown as ServiceCall;

function tokensOf(reply: object) {
  const clock = {now: 0};
  let issued = 0;
  const send: HttpTransport['send'] = async () =>
    await Promise.resolve({
      status: 200,
      headers: {},
      content: Buffer.from(JSON.stringify({access_token: `token-${(issued += 1)}`, ...reply})),
    });
  const tokens = createOauthTokens({send}, () => clock.now);
  return {
    at: async (ms: number) => {
      clock.now = ms;
      return await tokens.token(credential, call);
    },
  };
}

test.each<[string, object, number]>([
  ['until half a minute before the end of its lifetime', {expires_in: 3_600}, 3_570_000],
  ['for less than five minutes if the service names no lifetime', {}, 270_000],
  ['for less than five minutes if the lifetime is not a number', {expires_in: '3600'}, 270_000],
])('a token is kept %s', async (_name, reply, keptMs) => {
  const tokens = tokensOf(reply);
  expect(await tokens.at(0)).toEqual({ok: true, value: 'token-1'});
  expect(await tokens.at(keptMs - 1)).toEqual({ok: true, value: 'token-1'});
  expect(await tokens.at(keptMs)).toEqual({ok: true, value: 'token-2'});
});

test('a token that lives for a moment is not kept', async () => {
  const tokens = tokensOf({expires_in: 30});
  await tokens.at(0);
  expect(await tokens.at(0)).toEqual({ok: true, value: 'token-2'});
});
