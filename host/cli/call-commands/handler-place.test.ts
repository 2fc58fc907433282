import {expect, test} from 'vitest';
import {handlerPlace} from './handler-place.ts';

test.each([
  ['Error: a\n    at run (packs/a/tools/x.ts:4:11)\n    at f (packs/a/y.ts:1:1)', 'packs/a/tools/x.ts:4:11'],
  ['Error: a\n    at async ../far/x.ts:4:11', '../far/x.ts:4:11'],
  ['Error: a\n    at ../far/x.ts:4:11', '../far/x.ts:4:11'],
  ['Error: a\n    at JSON.parse (<anonymous>)\n    at node:fs:1:2\n    at f (x.ts:4:11)', 'x.ts:4:11'],
  ['Error: a\n    at f (file:///tmp/host.js:4:11)\n    at f (/tmp/host.js:4:11)', undefined],
  [undefined, undefined],
])('the place of %j', (stack, place) => {
  expect(handlerPlace(stack)).toBe(place);
});
