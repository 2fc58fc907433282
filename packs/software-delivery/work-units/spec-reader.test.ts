import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {parse} from 'yaml';
import {createSpecReader} from './spec-reader.ts';
import {specOf} from './work-unit-events.fixture.ts';
import {editSpec, writeSpec} from './write-spec.ts';

const reader = createSpecReader();
const problems = (text: string): readonly string[] =>
  reader.read(text, 'WU-1.yaml').problems.map(({where, message}) => `${where} ${message}`);
const sound = writeSpec(specOf(1));

describe('a spec', () => {
  it('is read exactly as it was written', () => {
    const plain = (text: string): string => text.replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '.');
    const line = fc.string({minLength: 1, maxLength: 60, unit: 'grapheme'}).map(plain);
    const prose = fc.string({minLength: 50, maxLength: 300, unit: 'binary-ascii'}).map(plain);
    fc.assert(
      fc.property(fc.array(line, {minLength: 1, maxLength: 5}), prose, (acceptance, description) => {
        const spec = specOf(1, {acceptance, description, tests: {manual: acceptance}, phase: 3});
        expect(reader.read(writeSpec(spec), 'x')).toEqual({spec, problems: []});
      }),
    );
  });

  it.each([
    ` ${'.'.repeat(9)} ${'.'.repeat(90)}\n`,
    `${'a '.repeat(60)}\n \n b\n`,
    `"${'a '.repeat(60)}\n \n${' b'.repeat(60)}\t\n`,
  ])('whose text YAML libraries fold wrongly is read exactly: %j', (description) => {
    const spec = specOf(1, {description});
    expect(reader.read(writeSpec(spec), 'x')).toEqual({spec, problems: []});
    expect(reader.read(editSpec(sound, {description}), 'x')).toMatchObject({spec: {description}, problems: []});
  });

  it.each([
    ['an unknown field', `${sound}prioriy: P1\n`, ['WU-1.yaml:11:1 `prioriy` is not a field of a spec']],
    ['a wrong value', sound.replace('P2', 'P9'), ['WU-1.yaml:5:11 `priority` must be one of `P0`, `P1`, `P2`, `P3`']],
    ['a missing field', sound.replace('lane: core\n', ''), ['WU-1.yaml:1:1 the field `lane` is missing']],
    ['a wrong type', sound.replace('- it works', '- 7'), ['WU-1.yaml:8:5 `acceptance.0` must be string']],
    [
      'a nested unknown field',
      `${sound}tests:\n  unit: [a]\n  smoke: [b]\n`,
      ['WU-1.yaml:13:3 `smoke` is not a field of a spec'],
    ],
    [
      'two mistakes',
      sound.replace('P2', 'P9').replace('feature', 'wish'),
      [
        expect.stringMatching(/^WU-1.yaml:4:7 `type` must be one of/),
        expect.stringMatching(/^WU-1.yaml:5:11 `priority` must be one of/),
      ],
    ],
    ['a key twice', `${sound}title: Again\n`, ['WU-1.yaml:11:1 map keys must be unique']],
    ['no YAML', 'a: [b', [expect.stringMatching(/^WU-1.yaml:1:\d+ flow sequence/)]],
    [
      'an alias',
      `${sound}labels: &a [x]\nspec_refs: *a\n`,
      ['WU-1.yaml:12:12 aliases are not supported: write the value'],
    ],
    ['no map', '- a\n', ['WU-1.yaml:1:1 `the spec` must be object']],
    ['nothing', '', ['WU-1.yaml:1:1 `the spec` must be object']],
  ])('with %s is rejected with its place', (_, text, expected) => {
    expect(problems(text).toSorted()).toEqual(expected);
  });
});

describe('an edit', () => {
  it('keeps comments and order, and changes only the given fields', () => {
    const text = sound.replace('lane: core', 'lane: core # ours').replace('id: WU-1', '# A note.\nid: WU-1');
    const edited = editSpec(text, {title: 'Neu: "schön"', labels: ['a'], acceptance: ['x', 'y']});
    expect(edited).toContain('# A note.');
    expect(edited).toContain('# ours');
    expect(Object.keys(parse(edited) as object).slice(0, 3)).toEqual(['id', 'title', 'lane']);
    expect(parse(edited)).toMatchObject({title: 'Neu: "schön"', labels: ['a'], acceptance: ['x', 'y']});
  });

  it('removes a field for null', () => {
    const edited = editSpec(writeSpec(specOf(1, {labels: ['a'], phase: 1})), {labels: null});
    expect(parse(edited)).not.toHaveProperty('labels');
    expect(parse(edited)).toHaveProperty('phase', 1);
  });
});
