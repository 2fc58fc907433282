// The promise of scopes, held against an oracle that shares no code with them: it matches by plain recursion on the
// text of a pattern, and every statement is checked on every path of a small world.
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
  compileHoles,
  compileMatcher,
  compileScopeLayer,
  grantScopes,
  intersectPatterns,
  parsePattern,
  reducePatterns,
} from './index.ts';
import type {PathPattern, ScopeLayerName} from './index.ts';

const numRuns = Number(process.env['LUMENFLOW_PROPERTY_RUNS'] ?? 300);
const runs = {numRuns};

// The oracle.

function alternativesOf(text: string): string[] {
  const open = text.lastIndexOf('{');
  if (open < 0) return [text];
  const close = text.indexOf('}', open);
  const choices = text.slice(open + 1, close).split(',');
  return choices.flatMap((choice) => alternativesOf(text.slice(0, open) + choice + text.slice(close + 1)));
}

function nameMatches(glob: string, name: string): boolean {
  if (glob === '') return name === '';
  if (glob[0] === '*') return nameMatches(glob.slice(1), name) || (name !== '' && nameMatches(glob, name.slice(1)));
  return name !== '' && (glob[0] === '?' || glob[0] === name[0]) && nameMatches(glob.slice(1), name.slice(1));
}

function segmentsMatch(globs: readonly string[], names: readonly string[]): boolean {
  const [glob, ...globsLeft] = globs;
  const [name, ...namesLeft] = names;
  if (glob === undefined) return name === undefined;
  if (glob === '**') return segmentsMatch(globsLeft, names) || (name !== undefined && segmentsMatch(globs, namesLeft));
  return name !== undefined && nameMatches(glob, name) && segmentsMatch(globsLeft, namesLeft);
}

function oracleMatches(patterns: readonly string[], path: string): boolean {
  const names = path.split('/');
  return patterns.flatMap(alternativesOf).some((pattern) => segmentsMatch(pattern.split('/'), names));
}

// The world: deep paths of short names, and long names side by side.

function words(alphabet: readonly string[], upTo: number, separator: string): string[] {
  let longest = [...alphabet];
  const all = [...longest];
  for (let length = 2; length <= upTo; length += 1) {
    longest = longest.flatMap((word) => alphabet.map((letter) => word + separator + letter));
    all.push(...longest);
  }
  return all;
}

const deepPaths = [...words(['a', 'b'], 6, '/'), ...words(['a', 'b', 'ab', '.c'], 4, '/')];
const longNames = words(['a', 'b', '.'], 5, '').filter((name) => name !== '.' && name !== '..');
const world = [...new Set([...deepPaths, ...longNames])];

// What is thrown at it.

const letters = (...chars: string[]): fc.Arbitrary<string> => fc.constantFrom(...chars);
const glob = fc
  .string({unit: letters('a', 'b', '.', '?', '*', '*'), minLength: 1, maxLength: 6})
  .map((text) => text.replaceAll(/\*+/g, '*'))
  .filter((text) => text !== '.' && text !== '..');
const segment = fc.oneof(
  {weight: 5, arbitrary: letters('a', 'b', '**')},
  {weight: 2, arbitrary: letters('*', '?', 'ab', '.c')},
  {weight: 1, arbitrary: glob},
);
const plain = fc.oneof(
  {weight: 2, arbitrary: fc.array(segment, {minLength: 1, maxLength: 5}).map((segments) => segments.join('/'))},
  {weight: 1, arbitrary: glob},
);
const pattern = fc.oneof(
  {weight: 4, arbitrary: plain},
  {weight: 1, arbitrary: fc.tuple(segment, plain, plain, segment).map(([a, b, c, d]) => `${a}/{${b},${c}}/${d}`)},
  {weight: 1, arbitrary: fc.tuple(plain, plain, plain).map(([a, b, c]) => `{${a},{${b},${c}}}`)},
);
const patterns = fc.array(pattern, {minLength: 1, maxLength: 3});

function parsed(texts: readonly string[]): readonly PathPattern[] {
  return texts.flatMap((text) => {
    const answer = parsePattern(text);
    if (!answer.ok) throw new Error(`${text}: ${answer.problem.message}`);
    return answer.value;
  });
}

function intersection(a: readonly PathPattern[], b: readonly PathPattern[]): readonly PathPattern[] {
  const met = intersectPatterns(a, b);
  if (met === 'too_complex') return fc.pre(false) as never;
  return met;
}

const textsOf = (set: readonly PathPattern[]): string[] => set.map(({text}) => text);

/** The paths of the world that the set matches; in a failure, the difference shows. */
function extent(set: readonly PathPattern[]): string[] {
  return world.filter(compileMatcher(set));
}

function oracleExtent(...sets: readonly (readonly string[])[]): string[] {
  return world.filter((path) => sets.every((set) => oracleMatches(set, path)));
}

describe('patterns', () => {
  test('match what the oracle matches', () => {
    fc.assert(
      fc.property(patterns, (texts) => {
        expect(extent(parsed(texts))).toEqual(oracleExtent(texts));
      }),
      runs,
    );
  });

  test('reduce to a canonical set in any order: same paths, sorted, stable, none within another', () => {
    fc.assert(
      fc.property(patterns, (texts) => {
        const reduced = reducePatterns(parsed(texts)) as readonly PathPattern[];
        expect(extent(reduced)).toEqual(oracleExtent(texts));
        expect(textsOf(reduced)).toEqual([...new Set(textsOf(reduced))].toSorted());
        expect(reducePatterns(reduced)).toEqual(reduced);
        expect(reducePatterns(parsed(texts.toReversed()))).toEqual(reduced);
        expect(reducePatterns(parsed(textsOf(reduced)))).toEqual(reduced);
      }),
      runs,
    );
  });
});

describe('intersection', () => {
  // Small enough to leave nothing to chance.
  test.each([
    {of: 'four segments', upTo: 4, tokens: ['a', 'b', '*', '**'], separator: '/', names: words(['a', 'b'], 5, '/')},
    {
      of: 'two segments',
      upTo: 2,
      tokens: ['a', 'b', '?b', 'a*', '*b', '*', '**'],
      separator: '/',
      names: words(['a', 'b', 'ab', 'bab'], 3, '/'),
    },
    {of: 'four characters', upTo: 4, tokens: ['a', 'b', '?', '*'], separator: '', names: words(['a', 'b'], 6, '')},
  ])('is exact for every two patterns of up to $of', ({upTo, tokens, separator, names}) => {
    const all = words(tokens, upTo, separator).filter((text) => separator === '/' || !text.includes('**'));
    const extents = all.map((text) => names.map((name) => oracleMatches([text], name)));
    for (const [i, left] of all.entries()) {
      for (const [j, right] of all.slice(0, i + 1).entries()) {
        const isMet = compileMatcher(intersection(parsed([left]), parsed([right])));
        const wrong = names.filter((name, at) => isMet(name) !== (extents[i]?.[at] && extents[j]?.[at]));
        if (wrong.length > 0) expect(wrong, `${left} and ${right}`).toEqual([]);
      }
    }
  });

  test('contains a path exactly if both sets do', () => {
    fc.assert(
      fc.property(patterns, patterns, (a, b) => {
        const met = intersection(parsed(a), parsed(b));
        expect(extent(met)).toEqual(oracleExtent(a, b));
        expect(parsed(textsOf(met))).toEqual(met);
      }),
      runs,
    );
  });

  test('of long names is exact too', () => {
    fc.assert(
      fc.property(glob, glob, (a, b) => {
        expect(extent(intersection(parsed([a]), parsed([b])))).toEqual(oracleExtent([a], [b]));
      }),
      {numRuns: numRuns * 2},
    );
  });

  test('is commutative and idempotent to the letter', () => {
    fc.assert(
      fc.property(patterns, patterns, (a, b) => {
        const met = intersection(parsed(a), parsed(b));
        expect(textsOf(intersection(parsed(b), parsed(a)))).toEqual(textsOf(met));
        expect(textsOf(intersection(met, met))).toEqual(textsOf(met));
        expect(reducePatterns(met)).toEqual(met);
      }),
      runs,
    );
  });

  test('is associative', () => {
    fc.assert(
      fc.property(patterns, patterns, patterns, (a, b, c) => {
        const left = intersection(intersection(parsed(a), parsed(b)), parsed(c));
        const right = intersection(parsed(a), intersection(parsed(b), parsed(c)));
        expect(extent(left)).toEqual(extent(right));
        expect(extent(left)).toEqual(oracleExtent(a, b, c));
      }),
      runs,
    );
  });

  test('lists no pattern without a path: the literals of each are in both sets', () => {
    fc.assert(
      fc.property(patterns, patterns, (a, b) => {
        for (const met of intersection(parsed(a), parsed(b))) {
          const witness = met.text.replaceAll('**', 'a').replaceAll(/[*?]/g, 'a');
          expect(oracleMatches(a, witness) && oracleMatches(b, witness)).toBe(true);
        }
      }),
      runs,
    );
  });
});

describe('a grant', () => {
  const scope = fc.record({
    type: fc.constant('path' as const),
    pattern,
    access: fc.constantFrom('read' as const, 'write' as const),
  });
  const scopes = fc.array(scope, {minLength: 1, maxLength: 3});
  type Scopes = {readonly type: 'path'; readonly pattern: string; readonly access: 'read' | 'write'}[];

  const layer = (name: ScopeLayerName, declared: Scopes): ReturnType<typeof compileScopeLayer>['layer'] =>
    compileScopeLayer({name, scopes: declared, where: (index) => `${name}:${index}`, networkDefault: 'off'}).layer;

  const declares = (declared: Scopes, path: string, access: 'read' | 'write'): boolean =>
    oracleMatches(
      declared.filter((one) => access === 'read' || one.access === 'write').map((one) => one.pattern),
      path,
    );

  test('allows a path exactly when all four layers do and no hole cuts it', () => {
    fc.assert(
      fc.property(
        fc.tuple(scopes, scopes, scopes, scopes),
        fc.array(plain, {maxLength: 2}),
        ([workspace, lane, task, tool], cut) => {
          const {holes} = compileHoles(cut, () => 'holes');
          const layers = [layer('workspace', workspace), layer('lane', lane), layer('task', task), layer('tool', tool)];
          const answer = grantScopes({layers, holes});
          const all = [workspace, lane, task, tool];
          const isCut = (path: string): boolean =>
            path.split('/').some((_, index, names) => oracleMatches(cut, names.slice(0, index + 1).join('/')));
          const expected = (access: 'read' | 'write'): string[] =>
            world.filter((path) => !isCut(path) && all.every((declared) => declares(declared, path, access)));
          if (!answer.ok) {
            const {reason, access} = answer.problem;
            const survives = (one: Scopes[number]): boolean =>
              world.some(
                (path) =>
                  oracleMatches([one.pattern], path) &&
                  !isCut(path) &&
                  all.every((declared) => declares(declared, path, one.access)),
              );
            expect(reason === 'too_complex' || tool.some((one) => one.access === access && !survives(one))).toBe(true);
            return;
          }
          const grant = answer.value;
          for (const access of ['read', 'write'] as const) {
            expect(world.filter((path) => grant.allows(path, access))).toEqual(expected(access));
            const listed = parsed(grant.toGrantedScopes()[access]);
            expect(extent(listed).filter((path) => !isCut(path))).toEqual(expected(access));
          }
        },
      ),
      runs,
    );
  });
});
