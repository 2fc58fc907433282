// `npm run voice`: how far each part's prose is from the voice of CONTRIBUTING.md, or, given paths, each place to rewrite.
import {readRepository} from './repository.ts';
import {type Prose, proseOf} from './rules/prose-of.ts';
import {report} from './rules/source-file.ts';
import {findLongSentences, findTurns, sentenceMax, sentencesOf, wordsIn} from './rules/voice.ts';

/** Licences, generated files and inputs of tests are not ours to rewrite. */
const isOurs = (path: string): boolean =>
  !/(?:^|\/)(?:generated|fixtures|node_modules)\//.test(path) &&
  !/^(?:package-lock\.json|LICENSE|docs\/api\/)/.test(path);

export function readProse(): readonly Prose[] {
  return readRepository()
    .filter(({path}) => isOurs(path))
    .flatMap(proseOf);
}

export interface Measure {
  readonly words: number;
  /** Turns of phrase in 1,000 words. */
  readonly turns: number;
  /** Nine of ten sentences have at most as many words. */
  readonly p90: number;
  readonly tooLong: number;
}

export function measure(prose: readonly Prose[]): Measure {
  const words = prose.reduce((sum, {text}) => sum + wordsIn(text), 0);
  const lengths = prose.flatMap((one) => sentencesOf(one).map(wordsIn)).toSorted((one, other) => one - other);
  return {
    words,
    turns: (1_000 * findTurns(prose).length) / Math.max(1, words),
    p90: lengths[Math.floor(lengths.length * 0.9)] ?? 0,
    tooLong: findLongSentences(prose).length,
  };
}

function partOf({path, kind}: Prose): string {
  return `${/^(?:packs|examples)\/[^/]+|^[^/]+/.exec(path)?.[0] ?? path}, ${kind}s`;
}

function printTable(prose: readonly Prose[]): void {
  const row = (cells: readonly string[]): void => {
    const [name = '', ...numbers] = cells;
    console.log([name.padEnd(44), ...numbers.map((number) => number.padStart(14))].join(' '));
  };
  row(['', 'words', 'turns in 1,000', 'p90 of words', `over ${sentenceMax} words`]);
  const parts = [...new Set(prose.map(partOf))].toSorted();
  for (const name of [...parts, 'everything']) {
    const own = measure(name === 'everything' ? prose : prose.filter((one) => partOf(one) === name));
    row([name, String(own.words), own.turns.toFixed(1), String(own.p90), String(own.tooLong)]);
  }
}

const paths = process.argv.slice(2);
if (import.meta.filename === process.argv[1]) {
  const prose = readProse().filter(({path}) => paths.length === 0 || paths.some((start) => path.startsWith(start)));
  if (paths.length === 0) printTable(prose);
  else process.stdout.write([...report([...findTurns(prose), ...findLongSentences(prose)]), ''].join('\n'));
}
