import {expect, test} from 'vitest';
import {readRepository} from './repository.ts';
import {findReplacedWords} from './rules/replaced-words.ts';
import {isFixture, isSource, report} from './rules/source-file.ts';

const findings = (text: string): readonly string[] => report(findReplacedWords([{path: 'a.ts', text}]));

test.each([
  ['a function', 'function tellListener() {}', 'a.ts:1 `tellListener`: write report, notify, print'],
  ['a variable', '\nconst isTold = true;', 'a.ts:2 `isTold`: write reported'],
  ['a method of a type', 'interface Line { hear(): void }', 'a.ts:1 `hear`: write receive, on…'],
])('%s is found', (_what, text, finding) => {
  expect(findings(text)).toEqual([finding]);
});

test('words that only contain such a word, and texts, are not', () => {
  expect(findings('const heartbeat = "tell"; const shell = `told ${heartbeat}`; // hear')).toEqual([]);
});

test('no identifier of the repository uses them', () => {
  const files = readRepository().filter(({path}) => isSource(path) && !isFixture(path));
  expect(files.length).toBeGreaterThan(1000);
  expect(report(findReplacedWords(files))).toEqual([]);
});
