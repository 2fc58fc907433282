import {expect, test} from 'vitest';
import {ownerLabel} from './labels.ts';
import {leftCalls} from './reap-calls.ts';

test('only what ended hosts of this machine own is removed', () => {
  const owned = (name: string, owner?: string) => ({name, labels: owner === undefined ? {} : {[ownerLabel]: owner}});
  const calls = [
    owned('ended', 'here-1-10'),
    owned('alive', 'here-1-11'),
    owned('elsewhere', 'there-1-10'),
    owned('similar', 'here2-1-10'),
    owned('not-ours'),
  ];
  expect(leftCalls(calls, {machine: 'here', isOver: (process) => process === '1-10'})).toEqual(['ended']);
});
