import {expect, it} from 'vitest';
import {recordableListing} from './recordable-listing.ts';

const server = {name: 'scales', version: '1.0.0'};

it('separates what a server is from its hints', () => {
  const tools = [{name: 'weigh', description: '', inputSchema: {type: 'object'}}];
  const hints = {weigh: {readOnlyHint: true}};
  expect(recordableListing({server, tools, hints})).toEqual({ok: true, value: {listing: {server, tools}, hints}});
});

it('rejects a schema that nests too deeply to be recorded', () => {
  let deep = {};
  for (let count = 0; count < 600; count++) deep = {items: deep};
  const listing = {server, tools: [{name: 'weigh', description: '', inputSchema: deep}], hints: {}};
  expect(recordableListing(listing)).toMatchObject({problem: expect.stringContaining('nests deeper than')});
});
