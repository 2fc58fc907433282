import {describe, expect, it} from 'vitest';
import {checkNoCycle, edgeOf, newNode} from './new-node.ts';

const made = {uuid: '00000000-0000-4000-8000-00000000000a', session_id: 's-1'};

describe('a new node', () => {
  it('has the lifecycle of its WU or its session', () => {
    expect(newNode({content: 'x', wu_id: 'WU-1', tags: ['a', 'a']}, made)).toMatchObject({
      type: 'note',
      lifecycle: 'wu',
      priority: 'P2',
      tags: ['a'],
      session_id: 's-1',
    });
    expect(newNode({content: 'x'}, made).lifecycle).toBe('session');
  });

  it('needs content, and a WU if it has its lifecycle', () => {
    expect(() => newNode({content: ' \n'}, made)).toThrow(expect.objectContaining({code: 'EMPTY_CONTENT'}));
    expect(() => newNode({content: 'x', lifecycle: 'wu'}, made)).toThrow(
      expect.objectContaining({code: 'LIFECYCLE_NEEDS_WU'}),
    );
  });

  it.each([
    ['blocks', {kind: 'blocks', from: 'new', to: 'old'}],
    ['blocked_by', {kind: 'blocks', from: 'old', to: 'new'}],
    ['parent_of', {kind: 'parent_child', from: 'new', to: 'old'}],
    ['child_of', {kind: 'parent_child', from: 'old', to: 'new'}],
    ['related', {kind: 'related', from: 'new', to: 'old'}],
    ['discovered_from', {kind: 'discovered_from', from: 'new', to: 'old'}],
    ['origin_of', {kind: 'discovered_from', from: 'old', to: 'new'}],
  ] as const)('%s', (relation, edge) => {
    expect(edgeOf('new', {relation, node: 'old'})).toEqual(edge);
  });
});

describe('a cycle of blockers', () => {
  const edges = [
    {kind: 'blocks', from: 'a', to: 'b'},
    {kind: 'related', from: 'b', to: 'a'},
    {kind: 'blocks', from: 'b', to: 'c'},
  ] as const;

  it('is rejected with the cycle', () => {
    const added = [edgeOf('n', {relation: 'blocked_by', node: 'c'}), edgeOf('n', {relation: 'blocks', node: 'a'})];
    expect(() => checkNoCycle({edges}, added)).toThrow(
      expect.objectContaining({code: 'BLOCKS_CYCLE', details: {cycle: ['c', 'n', 'a', 'b', 'c']}}),
    );
  });

  it('is not formed by other relations', () => {
    const added = [edgeOf('n', {relation: 'blocked_by', node: 'a'}), edgeOf('n', {relation: 'blocks', node: 'c'})];
    expect(() => checkNoCycle({edges}, added)).not.toThrow();
  });
});
