import type {ProgramStep} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {countCalls} from './count-calls.ts';

const call: ProgramStep = {call: 'a:b'};

test.each<[string, ProgramStep, number]>([
  ['a call', call, 1],
  ['a value', {let: {a: 1}}, 0],
  // A step, not a promise.
  // oxlint-disable-next-line unicorn/no-thenable
  ['a choice', {if: 'true', then: [call], else: [call, call]}, 2],
  ['cases', {switch: 'a', cases: [{is: 1, steps: [call, call, call]}], default: [call]}, 3],
  ['a loop', {foreach: 'a', item: 'b', max: 7, steps: [call, {retry: 3, steps: [call]}]}, 28],
  ['branches', {parallel: [[call], [call, call]]}, 3],
  ['a failure', {try: [call], catch: [call], finally: [call]}, 3],
  ['a timeout', {timeout: 5, steps: [call]}, 1],
])('%s', (_, step, calls) => expect(countCalls([step])).toBe(calls));
