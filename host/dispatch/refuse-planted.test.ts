import {expect, test} from 'vitest';
import {refusePlanted} from './refuse-planted.ts';

const nothing = {planted: [], restored: [], unlistable: [], reopened: [], isCut: false};

test.each([
  [{planted: [{path: '.envrc'}]}, '`.envrc` is obeyed by programs outside the sandbox, and no scope names it.'],
  [{planted: [{path: '.envrc'}, {path: '.git'}]}, '`.envrc` and 1 more are obeyed by programs'],
  [{restored: [{path: 'a'}]}, '`a` is a trusted symlink that the call replaced; it was put back.'],
  [{reopened: ['a', 'b']}, '`a` and 1 more had been made unreadable; they were opened again'],
])('%j is reported with its paths', (findings, text) => {
  expect(refusePlanted({...nothing, ...findings}, 'a:tool', 'kept')?.error?.message).toContain(text);
});

test('a call that left nothing is not refused', () => {
  expect(refusePlanted(nothing, 'a:tool', 'kept')).toBeUndefined();
});
