import {expect, test} from 'vitest';
import {blocksOf, isDocForm} from '../support/doc-page.ts';
import {listPaths, readRepository} from './repository.ts';
import {findDeadLinks, findDeadPaths} from './rules/dead-links.ts';
import {isFixture, report} from './rules/source-file.ts';

const pages = readRepository().filter(({path}) => path.endsWith('.md') && !isFixture(path));

test('no link in the docs is dead', () => {
  expect(report(findDeadLinks(pages, listPaths()))).toEqual([]);
});

test('the files that the map and the guide name exist', () => {
  const maps = pages.filter(({path}) => /^(?:ARCHITECTURE\.md|CONTRIBUTING\.md|docs\/decisions\/)/.test(path));
  expect(report(findDeadPaths(maps, listPaths()))).toEqual([]);
});

test('the map describes each folder of the large packages', () => {
  const map = pages.find(({path}) => path === 'ARCHITECTURE.md')?.text ?? '';
  const folders = new Set(
    [...listPaths()].flatMap((path) => /^(?:kernel|sandbox|host|integrations)\/[^/]+\//.exec(path) ?? []),
  );
  expect(folders.size).toBeGreaterThan(90);
  expect([...folders].filter((folder) => !map.includes(`\`${folder}`))).toEqual([]);
});

test('each block of the docs says how it is tested', () => {
  const docs = pages.filter(({path}) => /^docs\/[^/]+\.md$/.test(path) && path !== 'docs/sandbox-parity.md');
  const untested = docs.flatMap(({path, text}) =>
    blocksOf(text).flatMap(({line, info}) => (isDocForm(info) ? [] : [`${path}:${line} \`${info}\``])),
  );
  expect(untested).toEqual([]);
});

test('each page of the docs is linked from their index', () => {
  const index = pages.find(({path}) => path === 'docs/README.md')?.text ?? '';
  const names = pages.flatMap(({path}) => /^docs\/([^/]+\.md)$/.exec(path)?.slice(1) ?? []);
  expect(
    names.filter((name) => name !== 'README.md' && name !== 'sandbox-parity.md' && !index.includes(`](${name})`)),
  ).toEqual([]);
});

test('a page shows every picture of the docs', () => {
  const pictures = [...listPaths()].filter((path) => /^docs\/screenshots\/./.test(path));
  expect(pictures.length).toBeGreaterThan(0);
  const shown = (path: string): boolean => pages.some(({text}) => text.includes(path.replace('docs/', '')));
  expect(pictures.filter((path) => !shown(path))).toEqual([]);
});

const paths = new Set(['docs', 'docs/a.md', 'docs/b.md', 'kernel', 'kernel/ports.ts']);
const b = {path: 'docs/b.md', text: '# Two words\n\n## Two words\n\n<a id="by-hand"></a>\n'};
const deadLinks = (text: string): readonly string[] => report(findDeadLinks([{path: 'docs/a.md', text}, b], paths));

test.each([
  ['[x](c.md)', 'docs/a.md:1 dead link: docs/c.md does not exist'],
  ['![x](c.png)', 'docs/a.md:1 dead link: docs/c.png does not exist'],
  ['\n[x]\n\n[x]: ../c.md', 'docs/a.md:4 dead link: c.md does not exist'],
  ['[x](b.md#three)', 'docs/a.md:1 dead link: docs/b.md has no heading `#three`'],
  ['[x](#nowhere)', 'docs/a.md:1 dead link: docs/a.md has no heading `#nowhere`'],
  ['| a |\n|---|\n| [x](c.md) |', 'docs/a.md:1 dead link: docs/c.md does not exist'],
])('finds the dead link in %j', (text, finding) => {
  expect(deadLinks(text).map((line) => line.replace('a.md:3', 'a.md:1'))).toEqual([finding]);
});

test('follows live links, and none to other sites or in code', () => {
  expect(
    deadLinks('# Here\n[x](b.md#two-words-1) [x](b.md#by-hand) [x](#here) [x](../kernel/ports.ts) [x](../kernel/)'),
  ).toEqual([]);
  expect(deadLinks('[x](https://example.com/c.md) <me@example.com> `[x](c.md)`\n\n```\n[x](c.md)\n```\n')).toEqual([]);
});

test('finds named files that do not exist', () => {
  const text =
    'See `kernel/ports.ts`, `kernel/`, `kernel/gone.ts`, `gone/`, `host/dist/a.js`, `packs/<name>/a.ts` and `a:b`.';
  expect(report(findDeadPaths([{path: 'ARCHITECTURE.md', text}], paths))).toEqual([
    'ARCHITECTURE.md:1 `kernel/gone.ts` does not exist',
    'ARCHITECTURE.md:1 `gone/` does not exist',
  ]);
});
