import {mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {referenceFolder, stalePages, writePages} from './reference-pages.ts';

const wanted = writePages();

test('docs/reference says what the code does; after a change that is meant: npm run docs', () => {
  expect(stalePages(referenceFolder, wanted)).toEqual([]);
  expect(readdirSync(referenceFolder).toSorted()).toEqual([...wanted.keys()].toSorted());
});

test('a page that was edited, and one that is missing, are found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reference-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  for (const [name, text] of wanted) writeFileSync(join(folder, name), text);
  expect(stalePages(folder, wanted)).toEqual([]);
  writeFileSync(join(folder, 'policy.md'), 'edited by hand\n');
  rmSync(join(folder, 'context.md'));
  expect(stalePages(folder, wanted)).toEqual(['policy.md', 'context.md']);
});

test('every key, member and command says what it is', () => {
  const silent = [...wanted].flatMap(([name, text]) =>
    text
      .split('\n')
      .filter((line) => /\|\s*\|$/.test(line))
      .map((line) => `${name}: ${line}`),
  );
  expect(silent).toEqual([]);
});
