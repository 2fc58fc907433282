// Lists of hostile servers.
import {expect, test} from 'vitest';
import {listedPrompts} from './listed-prompts.ts';
import {listedResources} from './listed-resources.ts';

test('an address is a URI in visible ASCII, and a template is one that contains a variable', () => {
  const uris = [
    'a:\u001b[31mb',
    'c:\u0430',
    'no scheme',
    '../etc/passwd',
    'd:{id}',
    'e:x y',
    `f:${'x'.repeat(1_000)}`,
    'g:../h',
  ];
  const found = listedResources(
    uris.map((uri) => ({uri, name: 'n'})),
    [
      {uriTemplate: '{+everything}', name: 'all'},
      {uriTemplate: 'h:{id}', name: 'one'},
      {uriTemplate: 'h:fixed', name: 'none'},
    ],
  );
  expect(found.entries.map(({uri}) => uri)).toEqual(['g:../h', 'h:{id}']);
  expect(found.omitted).toBe(9);
});

test('a repeated address counts once, and texts are plain', () => {
  const {entries, omitted} = listedResources(
    [
      {uri: 'a:b', name: '\u001b[2J../\u202Egnp.exe', description: 'two\nlines', mimeType: 'text/plain'},
      {uri: 'a:b', name: 'other', mimeType: 'text/html'},
      {uri: 'a:c', name: '\u200b', mimeType: 'not a type'},
    ],
    [],
  );
  expect(entries).toEqual([
    {uri: 'a:b', name: '[2J../gnp.exe', description: 'two lines', mime_type: 'text/plain'},
    {uri: 'a:c', name: 'a:c', description: ''},
  ]);
  expect(omitted).toBe(1);
});

test('a list has at most 1,000 entries', () => {
  const prompts = Array.from({length: 10_000}, (_, index) => ({name: `p${index}`, description: 'x'.repeat(9_000)}));
  const {entries, omitted} = listedPrompts([...prompts, {name: 'odd', arguments: [{name: '__proto__'}]}]);
  expect([entries.length, omitted, entries[0]?.description.length]).toEqual([1_000, 9_001, 500]);
});
