// What the pages of docs show is done, block by block, in the order of each page.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {blocksOf, createDocStage, type DocBlock} from '../support/doc-page.ts';

const folder = join(import.meta.dirname, '../../docs');
// One page is written by a test of the sandbox. Pages without blocks have nothing to run.
const pages = readdirSync(folder)
  .filter((name) => name.endsWith('.md') && name !== 'sandbox-parity.md')
  .map((page) => ({page, blocks: blocksOf(readFileSync(join(folder, page), 'utf8'))}))
  .filter(({blocks}) => blocks.length > 0);

describe.each(pages)('docs/$page', ({page, blocks}) => {
  const stage = createDocStage();
  afterAll(() => stage.remove());

  for (const block of blocks) {
    test(`line ${block.line}: ${block.info}`, () => stage.play(block));
  }

  if (page === 'first-pack.md') {
    test('leaves the note that it mentions', () => expect(stage.read('notes/first.md')).toBe('Hello'));
  }
});

describe('a page that is incorrect', () => {
  const stage = createDocStage();
  afterAll(() => stage.remove());
  const block = (info: string, text: string): DocBlock => ({info, text, line: 1});

  test.each<[string, string, string]>([
    ['sh', 'echo reported; exit 3', 'it ended with 3:\nreported'],
    ['sh fails SCOPE_DENIED', 'echo SCOPE_DENIED', 'it should fail with SCOPE_DENIED'],
    ['sh fails SCOPE_DENIED', 'echo POLICY_DENIED; exit 1', 'it should fail with SCOPE_DENIED'],
    ['ts of host/index.ts', 'export const nothing = 1;', 'there is no line `export const nothing = 1;`'],
    ['text not run: no', 'x', 'does not say how it is tested'],
    ['', 'x', 'does not say how it is tested'],
  ])('is found: %s', (info, text, reported) => {
    expect(() => stage.play(block(info, text))).toThrow(reported);
  });

  test('lines of output are looked for in their order', () => {
    stage.play(block('sh', 'mkdir sub; cd sub; echo one; echo 2 two'));
    stage.play(block('text output', 'one\n… two\n'));
    expect(() => stage.play(block('text output', '2 two\none\n'))).toThrow('there is no line `one`');
    stage.play(block('sh', 'basename "$(pwd)"'));
    stage.play(block('text output', 'sub'));
  });
});
