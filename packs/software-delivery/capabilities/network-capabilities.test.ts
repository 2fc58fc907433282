import {readdirSync, readFileSync} from 'node:fs';
import type {ToolFile} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {networkCapabilities, networkOf, syncingTools} from './network-capabilities.ts';

const folder = new URL('../manifest/', import.meta.url);
const packTools = readdirSync(folder).flatMap((file) => {
  const {tools} = parse(readFileSync(new URL(file, folder), 'utf8')) as ToolFile;
  return tools;
});

const remotes = {origin: {hosts: ['git.example:443'], token_env: 'GIT'}, backup: {}};

test('nothing is needed without remotes and forge', () => {
  expect(networkCapabilities({config: undefined})).toEqual({});
  expect(networkCapabilities({config: {done: 'pull_request'}})).toEqual({});
});

test('with `sync`, all tools that lead to wu:sync-log get the network', () => {
  const calls = new Map(packTools.map(({name, calls = []}) => [name, calls.map(({tool}) => tool)]));
  const leads = (tool: string): boolean => tool === 'wu:sync-log' || (calls.get(tool) ?? []).some(leads);
  expect([...syncingTools].toSorted()).toEqual([...calls.keys()].filter(leads).toSorted());
  const {network_allowlist: network} = networkCapabilities({config: {remotes, sync: {remote: 'origin'}}});
  expect(Object.keys(network ?? {}).toSorted()).toEqual([...syncingTools].toSorted());
});

test('each remote gets its own hosts and token alone', () => {
  const values = {origin: {required_env: ['GIT'], network_allowlist: ['git.example:443']}, backup: {}};
  const byRemote = {property: 'remote', values};
  expect(networkCapabilities({config: {remotes}})).toEqual({
    by_input: {'wu:push-ref': byRemote, 'wu:push-batch': byRemote, 'wu:fetch-ref': byRemote},
    network_allowlist: {'wu:sync': ['git.example:443']},
  });
});

test('the forge gets its token and address, and wu:done reaches it only if it opens reviews', () => {
  const forge = {kind: 'github', project: 'a/b', token_env: 'FORGE'} as const;
  expect(networkCapabilities({config: {forge}})).toEqual({
    required_env: {'wu:call-forge': ['FORGE']},
    network_allowlist: {'wu:call-forge': ['api.github.com:443'], 'wu:sync': ['api.github.com:443']},
  });
  const api_url = 'http://[::1]:8080/api/v4';
  const config = {forge: {...forge, api_url}, remotes, done: 'pull_request'} as const;
  expect(networkOf(config)).toEqual(['git.example:443', '[::1]:8080']);
  expect(networkCapabilities({config}).network_allowlist).toEqual({
    'wu:sync': ['git.example:443', '[::1]:8080'],
    'wu:done': ['git.example:443', '[::1]:8080'],
    'wu:call-forge': ['[::1]:8080'],
  });
});
