import type {ToolTerms} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {renderToolChanges} from './render-tool-changes.ts';
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
