import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {compileGlob} from '../files/match-glob.ts';
import {codePathPattern, codePathScope} from './code-path-pattern.ts';
import {findOverlaps} from './find-overlaps.ts';
import {patternsMeet} from './patterns-meet.ts';

describe('patternsMeet', () => {
  it.each([
    ['src/a.ts', 'src/a.ts', true],
    ['src/a.ts', 'src/b.ts', false],
    ['src/**', 'src/new/file.ts', true],
    ['src/**', 'src', true],
    ['src/*', 'src/a/b.ts', false],
    ['src/*.ts', 'src/a*', true],
    ['src/*.ts', 'src/*.js', false],
    ['**/*.test.ts', 'src/**', true],
    ['a/**/c', 'a/b/**', true],
    ['a/**/c', 'b/**', false],
    ['{api,web}/**', 'web/x', true],
    ['{api,web}/**', 'docs/**', false],
    ['a?c', 'ab*', true],
    ['a?', 'a', false],
    ['ä/ö*', 'ä/öü', true],
    ['', 'a', false],
  ])('%s and %s: %s', (left, right, meet) => {
    expect(patternsMeet(left, right)).toBe(meet);
    expect(patternsMeet(right, left)).toBe(meet);
  });

  const names = ['a', 'b', 'ab', 'ba', 'aab'];
  const paths = names.flatMap((first) => [
    first,
    ...names.flatMap((second) => [`${first}/${second}`, `${first}/a/${second}`]),
  ]);
  const segment = fc.constantFrom('a', 'b', 'ab', '*', '?', 'a*', '*b', '?b', '**', '{a,ba}');
  const pattern = fc.array(segment, {minLength: 1, maxLength: 3}).map((segments) => segments.join('/'));

  it('finds any path that both match', () => {
    fc.assert(
      fc.property(pattern, pattern, (left, right) => {
        // A glob without a slash would match file names only.
        const [isLeft, isRight] = [compileGlob(`/${left}`), compileGlob(`/${right}`)];
        if (paths.some((path) => isLeft(path) && isRight(path))) expect(patternsMeet(left, right)).toBe(true);
      }),
    );
  });

  it('finds nothing if no path can match', () => {
    fc.assert(
      fc.property(pattern, pattern, (left, right) => {
        expect(patternsMeet(`x/${left}`, `y/${right}`)).toBe(false);
        expect(patternsMeet(`${left}/x`, `${right}/y`)).toBe(false);
      }),
    );
  });

  it('takes no more steps than the product of both lengths', () => {
    const many = `${'*a'.repeat(200)}b`;
    expect(patternsMeet(many, `${'*a'.repeat(200)}c`)).toBe(false);
  });
});

describe('code paths', () => {
  it.each([
    ['src/', 'src/**'],
    ['./src/a.ts', 'src/a.ts'],
    ['src/**', 'src/**'],
  ])('%s is the pattern %s', (path, pattern) => {
    expect(codePathPattern(path)).toBe(pattern);
  });

  it.each([
    '/etc/passwd',
    'src/../x',
    '..',
    'a//b',
    '.git/config',
    '.lumenflow/x',
    '.',
    'a/./b',
    '{src,../x}/**',
    '{src,.git}/**',
    'sub/.git',
    '',
  ])('%s is rejected', (path) => {
    expect(() => codePathPattern(path)).toThrow(`the code path \`${path}\` is`);
  });

  // What the kernel's scopes cannot express is rejected before an id is assigned.
  it.each(['~/x', 'C:/x', '!src', 'a\\b', 'a\nb', 'src/@(a)', 'a**', 'src/***', '**a/b', '{a**,b}'])(
    '%j is rejected, as in scopes',
    (path) => {
      expect(() => codePathPattern(path)).toThrow('the code path');
    },
  );

  it('contains brackets as they are', () => {
    expect(codePathPattern('src/[id]/[[...rest]].tsx')).toBe('src/[id]/[[...rest]].tsx');
    expect(codePathScope('src/[id]/')).toBe('src/?id?/**');
    expect(patternsMeet('src/[id]/**', 'src/x/**')).toBe(false);
    for (const path of ['{a,b}/**', '**', 'src/**/{x,**}', 'app/(group)/@modal/(.)a.tsx'])
      expect(codePathPattern(path)).toBe(path);
  });
});

describe('findOverlaps', () => {
  it('returns each other work unit once, with the paths', () => {
    const own = {id: 'WU-1', code_paths: ['docs/x.md', 'src/api/']};
    const others = [
      own,
      {id: 'WU-2', code_paths: ['src/api/new.ts', 'docs/*.md']},
      {id: 'WU-3', code_paths: ['web/**']},
    ];
    expect(findOverlaps(own, others)).toEqual([{id: 'WU-2', mine: 'docs/x.md', theirs: 'docs/*.md'}]);
  });
});
