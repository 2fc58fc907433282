import {describe, expect, it} from 'vitest';
import {makeNode, viewOf} from './memory-node.fixture.ts';
import {readyNodes} from './ready-nodes.ts';

const closed = {as: 'resolved', at: '2026-01-02T00:00:00.000Z'} as const;

describe('ready nodes', () => {
  it('are sorted by priority, then age, without purely informative nodes', () => {
    const [old, young] = [makeNode({type: 'discovery'}), makeNode()];
    const urgent = makeNode({priority: 'P0'});
    const others = [
      makeNode({type: 'session'}),
      makeNode({type: 'checkpoint'}),
      makeNode({type: 'summary'}),
      makeNode({closed}),
    ];
    const view = viewOf([young, ...others, urgent, old]);
    expect(readyNodes(view, {}).ready).toEqual([urgent, old, young]);
    expect(readyNodes(view, {types: ['session']}).ready).toEqual([others[0]]);
  });

  it('exclude blocked nodes until the blocker is closed or deleted', () => {
    const [blocker, blocked] = [makeNode(), makeNode()];
    const edge = {kind: 'blocks', from: blocker.id, to: blocked.id} as const;
    expect(readyNodes(viewOf([blocker, blocked], [edge]), {})).toEqual({
      ready: [blocker],
      blocked: [{node: blocked, blocked_by: [blocker.id]}],
    });
    expect(readyNodes(viewOf([{...blocker, closed}, blocked], [edge]), {}).ready).toEqual([blocked]);
    expect(readyNodes(viewOf([blocked], [edge]), {}).ready).toEqual([blocked]);
    expect(readyNodes(viewOf([blocker, blocked], [{...edge, kind: 'related'}]), {}).ready).toEqual([blocker, blocked]);
  });

  it('can belong to one WU and be blocked by another', () => {
    const [mine, other] = [makeNode({wu_id: 'WU-1'}), makeNode({wu_id: 'WU-2'})];
    const view = viewOf([mine, other], [{kind: 'blocks', from: other.id, to: mine.id}]);
    expect(readyNodes(view, {wu_id: 'WU-2'}).ready).toEqual([other]);
    expect(readyNodes(view, {wu_id: 'WU-1'}).blocked).toEqual([{node: mine, blocked_by: [other.id]}]);
  });
});
