import {describe, expect, test} from 'vitest';
import {compileHoles} from './holes.ts';
import {normalizePath} from './normalize-path.ts';
import {parsePattern} from './parse-pattern.ts';

const where = (index: number): string => `w.yaml:${index + 1}:0`;

function cuts(overlays: readonly string[], path: string): boolean {
  const normalized = normalizePath(path);
  return normalized === undefined || compileHoles(overlays, where).holes.cuts(normalized);
}

describe('the reserved path is excluded in every notation', () => {
  test.each([
    '.lumenflow',
    '.lumenflow/kernel/events/1',
    './/.lumenflow/x',
    '././.lumenflow/x',
    'a/../.lumenflow/x',
    '.LumenFlow/x',
    '.LUMENFLOW',
    '.lumenﬂow/x',
    '.lumen\u200cflow/x',
    '.ｌumenflow',
    'a/.lumenflow',
    'a/b/.LumenFlow/transactions/x',
  ])('%s', (path) => {
    expect(cuts([], path)).toBe(true);
  });

  test.each(['.lumenflowx', 'lumenflow', 'a/.lumenflowx', '.lumenflo', '.'])('but not %s', (path) => {
    expect(cuts([], path)).toBe(false);
  });
});

describe('a deny overlay', () => {
  test.each([
    ['.env', '.env'],
    ['.env', '.env/x'],
    ['.env', '.ENV'],
    ['secrets/**', 'secrets/a/b'],
    ['secrets/**', 'secrets'],
    ['**/.env', 'a/b/.env'],
    ['**/*.{key,pem}', 'a/b.pem'],
    ['*.key', 'ü.KEY'],
    ['?.key', 'ﬂ.key'],
    ['STRASSE', 'straße'],
    ['caf\u00e9', 'cafe\u0301/x'],
    ['**', '.'],
  ])('%s cuts %s', (overlay, path) => {
    expect(cuts([overlay], path)).toBe(true);
  });

  test.each([
    ['.env', 'a/.env'],
    ['.env', '.envrc'],
    ['secrets/**', 'a/secrets/b'],
    ['secrets/*', 'secrets'],
    ['*.key', 'a/b.key'],
  ])('%s leaves %s', (overlay, path) => {
    expect(cuts([overlay], path)).toBe(false);
  });

  test('that cannot be read is a problem, and cuts everything', () => {
    const {holes, problems} = compileHoles(['.env', 'a/[b]'], where);
    expect(problems).toEqual([
      {
        code: 'DENY_OVERLAY_INVALID',
        severity: 'error',
        message: 'deny overlay `a/[b]`, character 3: character classes are not supported',
        where: 'w.yaml:2:0',
        help: expect.any(String),
      },
    ]);
    expect(holes.cuts('anything')).toBe(true);
  });
});

describe('the hole around a pattern', () => {
  const {holes} = compileHoles(['.env', '**/secrets', '{a,b}/x'], where);
  test.each([
    ['.lumenflow/**', '.lumenflow', undefined],
    ['.LumenFlow/kernel/*', '.lumenflow', undefined],
    ['.env', '.env', 'w.yaml:1:0'],
    ['src/secrets/**', '**/secrets', 'w.yaml:2:0'],
    ['b/x/*', 'b/x', 'w.yaml:3:0'],
  ])('%s is %s', (text, pattern, place) => {
    const parsed = parsePattern(text);
    const [first] = parsed.ok ? parsed.value : [];
    const hole = first && holes.holeAround(first);
    expect(hole).toMatchObject({pattern: {text: pattern}});
    expect(hole?.where).toBe(place);
  });

  test.each(['**', '.lumenflo?/**', '.*/**', '.env*', 'src/**'])('%s has none', (text) => {
    const parsed = parsePattern(text);
    const [first] = parsed.ok ? parsed.value : [];
    expect(first && holes.holeAround(first)).toBeUndefined();
  });

  test('a path that no tool may access is reserved, with or without an overlay', () => {
    const kept = compileHoles(['.env', '.envrc'], where, ['.env', '.pack/state']).holes;
    expect(kept.holeOver('.ENV/x')).toMatchObject({pattern: {text: '.env'}, where: undefined});
    expect(kept.holeOver('.pack/state')).toMatchObject({pattern: {text: '.pack/state'}, where: undefined});
    expect(kept.holeOver('.envrc')).toMatchObject({where: 'w.yaml:2:0'});
    expect(kept.cuts('.pack')).toBe(false);
  });

  test('are listed as declared, the reserved path first', () => {
    expect(holes.list.map(({pattern}) => pattern.text)).toEqual([
      '.lumenflow',
      '**/.lumenflow',
      '.env',
      '**/secrets',
      'a/x',
      'b/x',
    ]);
  });
});
