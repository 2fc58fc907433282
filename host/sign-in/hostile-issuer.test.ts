// An issuer that anybody can play: what it signs, and with which key, decides whether a person is believed.
import {createHmac, createSign, generateKeyPairSync, hash} from 'node:crypto';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createIssuer, type Claims, type Issuer} from './issuer.ts';

const {privateKey, publicKey} = generateKeyPairSync('rsa', {modulusLength: 2048});
const stranger = generateKeyPairSync('rsa', {modulusLength: 2048}).privateKey;
const secret = 's'.repeat(43);
const redirectUri = 'http://127.0.0.1:1/signed-in';

interface Forged {
  readonly claims?: Claims;
  readonly header?: object;
  readonly key?: typeof privateKey | 'none' | 'public key as an HMAC secret';
  readonly metadata?: object;
  readonly userinfo?: object;
  /** Added to the issuer's answer in the browser. */
  readonly query?: Readonly<Record<string, string>>;
  readonly noIdToken?: true;
}

let server: Server;
let url: string;
let forged: Forged;
/** What the client sent to the token endpoint, in order. */
let redeemed: URLSearchParams[];
let issuer: Issuer;
beforeEach(async () => {
  forged = {};
  redeemed = [];
  server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  issuer = createIssuer({issuer: url, clientId: 'lumenflow', scopes: ['openid'], wantedClaims: ['groups']});
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signed(claims: Claims, {header, key = privateKey}: Forged): string {
  const alg = key === 'none' ? 'none' : typeof key === 'string' ? 'HS256' : 'RS256';
  const text = `${part({alg, kid: 'k', ...header})}.${part(claims)}`;
  if (key === 'none') return `${text}.`;
  if (typeof key === 'string') {
    const pem = publicKey.export({format: 'pem', type: 'spki'});
    return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`;
  }
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
}

let nonce = '';

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (body: object): void => {
    response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(body));
  };
  if (request.url === '/.well-known/openid-configuration') {
    return send({
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      userinfo_endpoint: `${url}/userinfo`,
      jwks_uri: `${url}/keys`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
      ...forged.metadata,
    });
  }
  if (request.url === '/keys') return send({keys: [{...publicKey.export({format: 'jwk'}), kid: 'k', use: 'sig'}]});
  if (request.url === '/userinfo') return send({sub: 'subject-1', groups: ['staff'], ...forged.userinfo});
  redeemed.push(await bodyOf(request));
  const now = Math.floor(Date.now() / 1_000);
  const claims = {iss: url, aud: 'lumenflow', sub: 'subject-1', iat: now, exp: now + 300, nonce, groups: ['staff']};
  const id_token = signed({...claims, ...forged.claims}, forged);
  send({access_token: 'a', token_type: 'bearer', ...(forged.noIdToken ? {} : {id_token})});
}

async function signIn(): Promise<Claims> {
  const started = new URL(await issuer.authorizationUrl(secret, redirectUri));
  nonce = started.searchParams.get('nonce') ?? '';
  const returned = new URL(redirectUri);
  const state = started.searchParams.get('state') ?? '';
  returned.search = new URLSearchParams({code: 'c', state, iss: url, ...forged.query}).toString();
  return await issuer.redeem(secret, returned);
}

test('a signed answer to this attempt is believed, with PKCE', async () => {
  expect(await signIn()).toMatchObject({sub: 'subject-1', groups: ['staff']});
  const challenge = new URL(await issuer.authorizationUrl(secret, redirectUri)).searchParams.get('code_challenge');
  const verifier = redeemed[0]?.get('code_verifier') ?? '';
  expect(hash('sha256', verifier, 'base64url')).toBe(challenge);
});

const soon = Math.floor(Date.now() / 1_000);

test.each<[string, Forged]>([
  ['no signature (alg none)', {key: 'none'}],
  ['the public key as an HMAC secret', {key: 'public key as an HMAC secret'}],
  ["a stranger's key", {key: stranger}],
  ["a stranger's key under an unknown id", {key: stranger, header: {kid: 'other'}}],
  ['another issuer', {claims: {iss: 'https://other.example'}}],
  ['the audience of another client', {claims: {aud: 'another-client'}}],
  ['several audiences, and another authorized party', {claims: {aud: ['lumenflow', 'b'], azp: 'b'}}],
  ['the nonce of another attempt', {claims: {nonce: 'n'}}],
  ['no nonce', {claims: {nonce: undefined}}],
  ['no subject', {claims: {sub: undefined}}],
  ['a token that expired a minute ago', {claims: {exp: soon - 60}}],
  ['a token that is valid in five minutes', {claims: {nbf: soon + 300}}],
  ['no expiry', {claims: {exp: undefined}}],
  ['the state of another attempt', {query: {state: 'x'}}],
  ['no state', {query: {state: ''}}],
  ['the answer of another issuer (mix-up)', {query: {iss: 'https://other.example'}}],
  ['an error', {query: {error: 'access_denied'}}],
  ['no ID token', {noIdToken: true}],
  ['metadata of another issuer', {metadata: {issuer: 'https://other.example'}}],
  ['the userinfo of another person', {claims: {groups: undefined}, userinfo: {sub: 'subject-2'}}],
])('an issuer that sends %s is not believed', async (_what, forgery) => {
  forged = forgery;
  await expect(signIn()).rejects.toThrow(Error);
});

test('clocks may differ by some seconds', async () => {
  const now = Math.floor(Date.now() / 1_000);
  forged = {claims: {exp: now - 5, iat: now + 5}};
  expect(await signIn()).toMatchObject({sub: 'subject-1'});
});

test('groups that only userinfo has are found, and cannot replace the ID token', async () => {
  forged = {claims: {groups: undefined, name: 'Ann'}, userinfo: {name: 'Eve', groups: ['admins']}};
  expect(await signIn()).toMatchObject({name: 'Ann', groups: ['admins']});
});

test("another tab's secret does not finish an attempt", async () => {
  const started = new URL(await issuer.authorizationUrl(secret, redirectUri));
  const returned = new URL(`${redirectUri}?code=c&iss=${url}&state=${started.searchParams.get('state') ?? ''}`);
  await expect(issuer.redeem('t'.repeat(43), returned)).rejects.toThrow(Error);
  expect(redeemed).toEqual([]);
});

test('an issuer that was away is asked again, and one without TLS is not asked', async () => {
  forged = {metadata: {issuer: 'https://other.example'}};
  await expect(signIn()).rejects.toThrow(Error);
  forged = {};
  expect(await signIn()).toMatchObject({sub: 'subject-1'});
  const plain = createIssuer({issuer: 'http://login.example', clientId: 'l', scopes: ['openid'], wantedClaims: []});
  await expect(plain.authorizationUrl(secret, redirectUri)).rejects.toThrow(/HTTP/i);
});
