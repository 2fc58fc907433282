import {expect, test} from 'vitest';
import {measure, readProse} from './measure-voice.ts';
import {proseOf} from './rules/prose-of.ts';
import {report} from './rules/source-file.ts';
import {findLongSentences, findTurns} from './rules/voice.ts';

const repository = readProse();

/** The most turns of phrase in 1,000 words that each kind of text may have. They only go down. */
const most = {page: 0.5, description: 0.5, message: 0.7, comment: 0.9, 'test title': 1.9} as const;

test.each(Object.entries(most))(
  'the voice of each %s is no further from plain technical English than it was',
  (kind, turns) => {
    expect(measure(repository.filter((prose) => prose.kind === kind)).turns).toBeLessThanOrEqual(turns);
  },
);

const page = (text: string): readonly string[] => report(findTurns(proseOf({path: 'docs/a.md', text})));

test.each([
  ['The log tells what happened.', 'tells'],
  ['A sandbox that holds.', 'holds'],
  ['`yesterday` is no time.', 'is no'],
  ['Whoever asks, waits.', 'Whoever'],
  ['It is refused at once.', 'at once'],
  ['The file is outside of it.', 'outside of'],
  ['It works, also if it rains.', 'also if'],
  ['The page turns colours off.', 'colours'],
  ['| a | b |\n|---|---|\n| x | it stands there |', 'stands'],
])('finds the turn in %j', (text, turn) => {
  expect(page(text)).toEqual([expect.stringContaining(`“${turn}”`)]);
});

test('finds some turns only in texts that users read', () => {
  expect(findTurns(proseOf({path: 'kernel/a.ts', text: '// Both are read at once, also if one fails.\n'}))).toEqual([]);
});

test('finds nothing in code, nor in plain sentences', () => {
  expect(page('Run `lumenflow tell`.\n\n```\nwhoever tells\n```\n\nUsers who wait can use a placeholder.')).toEqual([]);
});

test('reads comments, messages, descriptions and titles of tests', () => {
  const source =
    '// It tells\n// that it stands.\nthrow new Error(`the ${name} is no valid name`);\nconst key = "who";\n';
  expect(
    report(findTurns(proseOf({path: 'kernel/a.ts', text: source}))).map((line) =>
      line.split(':', 2).join(':').replace(/ .*/, ''),
    ),
  ).toEqual(['kernel/a.ts:1', 'kernel/a.ts:1', 'kernel/a.ts:3']);
  expect(
    proseOf({path: 'kernel/a.test.ts', text: "test('a sentence of words', () => run('not a title of tests'));"}),
  ).toMatchObject([{kind: 'test title', text: 'a sentence of words'}]);
  expect(proseOf({path: 'a.yaml', text: 'tools:\n  - description: Reads a file of text\n'})).toMatchObject([
    {kind: 'description', line: 2, text: 'Reads a file of text'},
  ]);
});

test('finds the 26th word of a sentence', () => {
  const long = (words: number) =>
    findLongSentences(proseOf({path: 'a.md', text: `${'word '.repeat(words)}. Another sentence.`}));
  expect(long(25)).toEqual([]);
  expect(long(26)).toMatchObject([{path: 'a.md', line: 1, message: expect.stringContaining('26 words')}]);
});
