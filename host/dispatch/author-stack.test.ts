// What a stack may contain: it is untrusted text from the handler. The acceptance tests of the context use real stacks.
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {withAuthorStack} from './author-stack.ts';

const pack = 'a'.repeat(64);

function stackOf(stack: unknown): unknown {
  const root = mkdtempSync(join(tmpdir(), 'stack-'));
  onTestFinished(() => rmSync(root, {recursive: true}));
  const folder = join(root, '.lumenflow/cache/packs', pack);
  mkdirSync(folder, {recursive: true});
  // Line 1, column 1 of the built file is line 3, column 5 of the source.
  const map = {version: 3, sources: ['../../../../packs/p/a.ts'], names: [], mappings: 'AAEI'};
  writeFileSync(join(folder, 'a.mjs.map'), JSON.stringify(map));
  writeFileSync(join(folder, 'broken.mjs.map'), '{');
  const error = {code: 'TOOL_EXECUTION_FAILED', message: 'no', details: {stack}};
  return withAuthorStack(root, {output: {success: false, error}}).output.error?.details?.['stack'];
}

const built = (file: string): string => `file:///w/.lumenflow/cache/packs/${pack}/${file}`;

test('maps built positions to source positions and omits the frames below the handler', () => {
  const host = '    at invoke (file:///w/host.js:1:1)';
  expect(
    stackOf(
      `Error: a\n    at run (${built('a.mjs')}:1:9)\n    at f (node:fs:1:1)\n    at ${built('a.mjs')}:1:1\n${host}`,
    ),
  ).toBe('Error: a\n    at run (packs/p/a.ts:3:5)\n    at f (node:fs:1:1)\n    at packs/p/a.ts:3:5');
});

test.each([
  ['names no place of a pack', 'Error: a\n    at f (file:///w/host.js:1:1)'],
  ['names a pack whose map is not there', `Error: a\n    at f (${built('gone.mjs')}:1:1)`],
  ['names a pack whose map cannot be read', `Error: a\n    at f (${built('broken.mjs')}:1:1)`],
  ['leads out of the cache', `Error: a\n    at f (file:///w/.lumenflow/cache/packs/${pack}/../../a.mjs:1:1)`],
  ['is no text', 7],
])('a stack that %s stays as it is', (_what, stack) => {
  expect(stackOf(stack)).toBe(stack);
});
