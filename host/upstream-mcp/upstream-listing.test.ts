import type {PackPin} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {listingDigest} from './upstream-listing.ts';

const pin: PackPin = {id: 'scales', version: '1.0.0', integrity: 'dev', source: 'mcp', command: ['scales']};
const server = {name: 'scales', version: '1.0.0'};
const prompts = [{name: 'sum', description: '', arguments: []}];
const resources = [{uri: 'a:b', name: 'b', description: ''}];
const allowed = {permission: 'read' as const};

test('the digest depends on what the pin uses', () => {
  const tools = listingDigest(pin, {server, tools: []});
  expect(listingDigest(pin, {server, tools: [], prompts, resources, omitted: 1})).toBe(tools);
  const withPrompts = {...pin, prompts: allowed};
  const both = {...withPrompts, resources: allowed};
  const digests = [withPrompts, both].map((used) => listingDigest(used, {server, tools: [], prompts, resources}));
  expect(new Set([tools, ...digests]).size).toBe(3);
  expect(
    listingDigest(both, {server, tools: [], prompts, resources: [{...resources[0], name: 'c'} as never]}),
  ).not.toBe(digests[1]);
});
