import {describe, expect, it} from 'vitest';
import {makeNode} from './memory-node.fixture.ts';
import {pastTime, retentionOf} from './retention.ts';

const now = Date.UTC(2026, 5, 1);
const daysAgo = (days: number): string => new Date(now - days * 86_400_000).toISOString();
const facts = {
  now,
  retention: retentionOf(undefined),
  doneAt: (wuId: string) => ({'WU-1': daysAgo(91), 'WU-2': daysAgo(89)})[wuId],
};
const closed = {as: 'archived', at: daysAgo(400)} as const;

describe('retention', () => {
  it.each([
    ['ephemeral after a day', {lifecycle: 'ephemeral', created_at: daysAgo(1.1)}, true],
    ['ephemeral before', {lifecycle: 'ephemeral', created_at: daysAgo(0.9)}, false],
    ['session after two weeks', {lifecycle: 'session', created_at: daysAgo(15)}, true],
    ['session before', {lifecycle: 'session', created_at: daysAgo(13)}, false],
    ['of a WU done long ago', {lifecycle: 'wu', wu_id: 'WU-1', created_at: daysAgo(400)}, true],
    ['of a WU done lately', {lifecycle: 'wu', wu_id: 'WU-2', created_at: daysAgo(400)}, false],
    ['of a WU that is not done', {lifecycle: 'wu', wu_id: 'WU-3', created_at: daysAgo(4000)}, false],
    ['of the project', {lifecycle: 'project', created_at: daysAgo(4000)}, false],
    ['a closed discovery', {type: 'discovery', lifecycle: 'ephemeral', created_at: daysAgo(9), closed}, true],
  ] as const)('%s', (_, changes, forgotten) => {
    const node = makeNode(changes);
    expect(pastTime([node], facts)).toEqual({forget: forgotten ? [node] : [], kept_open: []});
  });

  it('keeps open discoveries and reports them', () => {
    const node = makeNode({type: 'discovery', lifecycle: 'ephemeral', created_at: daysAgo(9)});
    expect(pastTime([node], facts)).toEqual({forget: [], kept_open: [node]});
  });

  it('uses the config, and defaults for the rest', () => {
    expect(retentionOf({memory: {retention: {session_days: 1}}})).toMatchObject({session_days: 1, wu_days: 90});
  });
});
