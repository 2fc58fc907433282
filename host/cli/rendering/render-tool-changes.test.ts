import type {ToolTerms} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {renderNewTools, renderToolChanges} from './render-tool-changes.ts';
import {createStyle} from './style.ts';

const style = createStyle({colour: false, width: 80});
const terms = (permission: 'read' | 'write', network = false): ToolTerms => ({
  description: 'x',
  permission,
  input_schema: {},
  ...(network && {required_scopes: [{type: 'network', posture: 'full'}]}),
});

test('a summary comes first', () => {
  const added = (tool: string, found: ToolTerms) => ({tool, kind: 'added' as const, terms: [], found});
  const changes = [added('a:a', terms('read')), added('a:b', terms('write', true)), added('a:c', terms('read'))];
  const [first] = renderToolChanges(changes, style).split('\n');
  expect(first).toBe('3 added: 2 read, 1 write; 1 with network');
  expect(renderToolChanges([], style)).toBe('');
});

test('new tools have one line each, and a changed one all its differences', () => {
  const found = {...terms('read'), description: 'Reads a file. Follows no links.'};
  const changes = [
    {tool: 'a:new', kind: 'added' as const, terms: ['input_schema' as const], found},
    {tool: 'a:old', kind: 'changed' as const, terms: ['description' as const], approved: terms('read'), found},
  ];
  expect(renderNewTools(changes, style)).toBe(`1 added, 1 changed: 2 read; none with network

NEW TOOL  DOES  DESCRIPTION
a:new     read  Reads a file

a:old  changed
  description
  - x
  + Reads a file. Follows no links.`);
  expect(renderNewTools([], style)).toBe('');
});
