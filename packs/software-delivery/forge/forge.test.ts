// Both adapters against a server that replies like their API.
import {isToolError} from '@lumenflow/pack-sdk';
import {describe, expect, test} from 'vitest';
import type {ForgeConfig} from '../pack-config.ts';
import {createForge} from './create-forge.ts';
import {startForgeServer, type ForgeServer} from './forge-server.fixture.ts';
import type {Forge, ReviewRequest} from './forge.ts';
import {forgeUrl} from './forge-url.ts';

const request: ReviewRequest = {
  branch: 'lane/core/wu-1',
  target: 'main',
  title: 'WU-1: Größe',
  body: '## Acceptance\n',
  draft: false,
};

describe.each(['github', 'gitlab'] as const)('%s', (kind) => {
  const start = async (token = 'secret'): Promise<{server: ForgeServer; forge: Forge}> => {
    const server = await startForgeServer(kind, 'secret');
    const config: ForgeConfig = {kind, project: 'acme/rooms', api_url: `${server.url}/`, token_env: 'TOKEN'};
    return {
      server,
      forge: createForge({config: {forge: config}, env: {TOKEN: token}, signal: AbortSignal.timeout(60_000)}),
    };
  };
  const failure = async (work: Promise<unknown>): Promise<string> =>
    await work.then(
      () => 'nothing failed',
      (error: unknown) => (isToolError(error) ? `${error.code} ${error.message}` : String(error)),
    );

  test('opens a request, and updates the existing one of the same branch', async () => {
    const {server, forge} = await start();
    const opened = await forge.open(request);
    expect(opened).toMatchObject({number: 1, state: 'open', url: expect.stringMatching(/acme\/rooms\/.*\/1$/u)});
    expect(opened).not.toHaveProperty('commit');
    expect(await forge.open({...request, title: 'WU-1: Another', body: 'new'})).toEqual(opened);
    expect(server.requests).toMatchObject([{...request, title: 'WU-1: Another', body: 'new'}]);
  });

  test('opens drafts', async () => {
    const {server, forge} = await start();
    await forge.open({...request, draft: true});
    expect(server.requests).toMatchObject([{draft: true}]);
  });

  test('reads whether a request was merged, and with which commit, or closed', async () => {
    const {server, forge} = await start();
    await forge.open(request);
    const [stored] = server.requests;
    if (stored === undefined) throw new Error('no request');
    expect((await forge.read(1)).state).toBe('open');
    Object.assign(stored, {state: 'merged', commit: 'a'.repeat(40)});
    expect(await forge.read(1)).toMatchObject({state: 'merged', commit: 'a'.repeat(40)});
    stored.state = 'closed';
    expect((await forge.read(1)).state).toBe('closed');
    expect(await failure(forge.read(7))).toContain('FORGE_NOT_FOUND');
  });

  test('reports what the forge rejected, never the token', async () => {
    const {forge} = await start('wrong-token');
    const reported = await failure(forge.open(request));
    expect(reported).toMatch(/^FORGE_UNAUTHORIZED .*(?:Bad credentials|401 Unauthorized)/u);
    expect(reported).not.toContain('wrong-token');
    const valid = await start();
    expect(await failure(valid.forge.open({...request, target: 'nowhere'}))).toMatch(/^FORGE_REJECTED .*422/u);
  });

  test.each([
    [429, {'retry-after': '30'}, 'retry in 30 s'],
    [403, {'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1800000000'}, 'retry after 2027-01-15T08:00:00.000Z'],
    [429, {}, 'retry later'],
  ])('reports a rate limit (%i)', async (status, headers, advice) => {
    const {server, forge} = await start();
    server.fail(status, {message: 'rate limit exceeded'}, headers);
    expect(await failure(forge.read(1))).toBe(`FORGE_RATE_LIMITED the forge accepts no more requests now: ${advice}`);
  });

  test('reports replies that are not JSON, redirects, and servers that do not answer', async () => {
    const {server, forge} = await start();
    server.fail(302, {}, {location: 'http://192.0.2.1/'});
    expect(await failure(forge.read(1))).toContain('FORGE_UNREACHABLE');
    server.fail(500, {});
    expect(await failure(forge.read(1))).toBe('FORGE_REJECTED the forge rejected the request (500): no reason given');
    const config = {forge: {kind, project: 'a/b', api_url: 'http://127.0.0.1:1', token_env: 'TOKEN'}};
    const gone = createForge({config, env: {TOKEN: 'x'}, signal: AbortSignal.timeout(60_000)});
    expect(await failure(gone.read(1))).toContain('FORGE_UNREACHABLE');
  });
});

test('the usual addresses need no configuration', () => {
  const forge = {project: 'a/b', token_env: 'T'};
  expect(forgeUrl({...forge, kind: 'github'})).toBe('https://api.github.com');
  expect(forgeUrl({...forge, kind: 'gitlab'})).toBe('https://gitlab.com/api/v4');
});
