// What a person reads about tools that differ from the approved ones.
import type {PackPin} from '@lumenflow/schemas';
import {expect, it} from 'vitest';
import {reviewProblems, type ToolChange} from './review-tools.ts';

const pin: PackPin = {id: 'shop', version: '1.0.0', integrity: 'dev', source: 'openapi'};
const added = (tool: string): ToolChange => ({tool, kind: 'added', terms: []});
const messages = (changes: readonly ToolChange[]): readonly string[] =>
  reviewProblems({changes, isEnforced: true}, pin, (tool) => tool).map(({message, where}) => `${where}: ${message}`);

it('names a new or changed tool', () => {
  expect(messages([added('shop:a'), {tool: 'shop:b', kind: 'changed', terms: ['permission']}])).toEqual([
    'shop:a: the tool `shop:a` is new and was not approved: calls are denied',
    'shop:b: the tool `shop:b` changed since it was approved (permission): calls are denied',
  ]);
});

it('reports new tools of a pack once, because a service can have hundreds', () => {
  const changes = Array.from({length: 200}, (_, index) => added(`shop:a${index}`));
  expect(messages([...changes, {tool: 'shop:b', kind: 'changed', terms: ['permission']}])).toEqual([
    'shop:a0: 200 tools are new and were not approved, such as `shop:a0`: calls are denied',
    'shop:b: the tool `shop:b` changed since it was approved (permission): calls are denied',
  ]);
});
