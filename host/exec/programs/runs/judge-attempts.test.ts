// What the attempts at a call mean, for tools that may be called again and for others.
import {expect, test} from 'vitest';
import type {CallAttempt} from './call-attempt.ts';
import {judgeAttempts} from './judge-attempts.ts';

const attempt = (end: CallAttempt['end'], ended_at = 10): CallAttempt => ({started_at: 0, ended_at, end});

test.each<[string, CallAttempt['end'][], string, string]>([
  ['no attempt', [], 'make', 'make'],
  ['a success', ['succeeded'], 'use', 'use'],
  ['a failure', ['failed'], 'use', 'use'],
  ['a request for approval', ['waits'], 'make', 'make'],
  ['a reason that passes', ['prevented'], 'make', 'make'],
  ['parked changes', ['parked'], 'wait', 'wait'],
  ['an interruption', ['cancelled'], 'make', 'settle'],
  ['a crash', ['unknown'], 'make', 'settle'],
  ['two crashes', ['unknown', 'unknown'], 'make', 'settle'],
  ['three crashes', ['unknown', 'unknown', 'unknown'], 'fail', 'settle'],
  ['a success after a crash', ['unknown', 'succeeded'], 'use', 'use'],
])('%s', (_, ends, ofRepeatable, ofOthers) => {
  const attempts = ends.map((end) => attempt(end));
  expect(judgeAttempts(attempts, {isRepeatable: true, now: 20}).next).toBe(ofRepeatable);
  expect(judgeAttempts(attempts, {isRepeatable: false, now: 20}).next).toBe(ofOthers);
});

test('a call that a timeout ended has failed, in every process', () => {
  const late = {next: 'fail', error: {code: 'TOOL_TIMEOUT'}};
  const terms = {isRepeatable: false, deadline: 10, now: 20};
  expect(judgeAttempts([attempt('cancelled', 10)], terms)).toMatchObject(late);
  expect(judgeAttempts([attempt('cancelled', 9)], terms)).toMatchObject({next: 'settle'});
  expect(judgeAttempts([], terms)).toMatchObject(late);
  expect(judgeAttempts([], {...terms, now: 9})).toEqual({next: 'make'});
  expect(judgeAttempts([attempt('succeeded', 30)], terms)).toMatchObject({next: 'use'});
});
