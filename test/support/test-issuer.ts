// A real issuer (oidc-provider) on loopback, with a few people, and a browser without a screen that signs them in.
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {createServer, type Server} from 'node:http';
import {Provider, type Configuration} from 'oidc-provider';

export interface TestPerson {
  readonly name: string;
  readonly groups: readonly string[];
}

export interface TestIssuer {
  readonly url: string;
  /** By subject. */
  readonly people: Map<string, TestPerson>;
  /** For `sign_in` of workspace.yaml. */
  readonly settings: {readonly issuer: string; readonly client_id: string; readonly client_secret_env: string};
  readonly env: Readonly<Record<string, string>>;
  /** Signs a person in from the address at the issuer, and returns the address that the issuer returns to. */
  signIn(address: string, subject: string): Promise<URL>;
  /** Confirms the code of a device. */
  confirmDevice(address: string, subject: string): Promise<void>;
  close(): Promise<void>;
}

/** `redirectUris`: of the servers of the test. */
export async function startTestIssuer(redirectUris: readonly string[]): Promise<TestIssuer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, TestPerson>([
    ['s-1', {name: 'lea', groups: ['staff']}],
    ['s-2', {name: 'max', groups: ['platform', 'staff']}],
    ['s-3', {name: 'eve', groups: ['visitors']}],
  ]);
  const provider = new Provider(url, configurationOf(people, redirectUris));
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  const browser = createBrowser(url);
  return {
    url,
    people,
    settings: {issuer: url, client_id: 'lumenflow', client_secret_env: 'TEST_CLIENT_SECRET'},
    env: {TEST_CLIENT_SECRET: 'a secret of the test'},
    signIn: (address, subject) => browser(address, subject),
    async confirmDevice(address, subject) {
      await browser(address, subject);
    },
    close: async () => await closed(server),
  };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function configurationOf(people: ReadonlyMap<string, TestPerson>, redirectUris: readonly string[]): Configuration {
  return {
    clients: [
      {
        client_id: 'lumenflow',
        client_secret: 'a secret of the test',
        redirect_uris: [...redirectUris],
        grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
        response_types: ['code'],
      },
    ],
    claims: {openid: ['sub'], profile: ['preferred_username', 'name', 'groups']},
    features: {deviceFlow: {enabled: true}, devInteractions: {enabled: true}},
    pkce: {required: () => true},
    cookies: {keys: ['a key of the test']},
    findAccount: (_context, subject) => {
      const person = people.get(subject);
      if (!person) return undefined;
      const {name, groups} = person;
      return {
        accountId: subject,
        claims: () => ({sub: subject, preferred_username: name, name: `${name} Example`, groups: [...groups]}),
      };
    },
  };
}

const stepsMax = 20;

/** Follows redirects, and submits each form of the issuer, until it is sent to another server or nothing is left to do. */
function createBrowser(issuer: string): (address: string, subject: string) => Promise<URL> {
  return async (address, subject) => {
    const cookies = new Map<string, string>();
    let next: {readonly url: URL; readonly form?: URLSearchParams} = {url: new URL(address)};
    for (let step = 0; step < stepsMax; step += 1) {
      if (next.url.origin !== issuer) return next.url;
      const response = await fetch(next.url, {
        redirect: 'manual',
        headers: {cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')},
        ...(next.form && {method: 'POST', body: next.form}),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location !== null) {
        next = {url: new URL(location, next.url)};
        continue;
      }
      const form = formOf(await response.text(), next.url, subject);
      if (!form) return next.url;
      next = form;
    }
    throw new Error(`the issuer was not finished after ${stepsMax} steps, at ${next.url.href}`);
  };
}

function formOf(
  html: string,
  page: URL,
  subject: string,
): {readonly url: URL; readonly form: URLSearchParams} | undefined {
  const [, action] = /<form[^>]*action="([^"]*)"/.exec(html) ?? [];
  if (action === undefined) return undefined;
  const form = new URLSearchParams();
  for (const [input] of html.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1];
    if (name !== undefined) form.set(name, name === 'login' ? subject : (/value="([^"]*)"/.exec(input)?.[1] ?? 'x'));
  }
  return {url: new URL(action.replaceAll('&amp;', '&'), page), form};
}
