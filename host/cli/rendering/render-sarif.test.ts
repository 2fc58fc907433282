import type {Problem} from '@lumenflow/kernel';
import schema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with {type: 'json'};
import {Ajv} from 'ajv';
import {describe, expect, test} from 'vitest';
import {renderSarif} from './render-sarif.ts';

interface Log {
  readonly runs: readonly {
    readonly tool: {readonly driver: {readonly rules: readonly {readonly id: string}[]}};
    readonly results: readonly Record<string, unknown>[];
  }[];
}

// Ajv compiles later drafts than the schema's: nothing in it means something else there.
const {id: _id, $schema: _draft, ...sarif} = schema;
const isLog = new Ajv({strict: false, validateFormats: false, unicodeRegExp: false}).compile(sarif);

/** Each log is valid against the schema of SARIF 2.1.0. */
function run(...problems: readonly Partial<Problem>[]): Log['runs'][number] {
  const whole = problems.map((problem): Problem => ({
    code: 'A_CODE',
    severity: 'error',
    message: 'it is wrong',
    where: 'manifest.yaml',
    ...problem,
  }));
  const log = JSON.parse(renderSarif(whole, {root: '/repo/packs/a', cwd: '/repo'})) as Log;
  expect([isLog(log), isLog.errors]).toEqual([true, null]);
  const [found] = log.runs;
  if (!found) throw new Error('no run');
  return found;
}

describe('renderSarif', () => {
  test('a problem with its place, pointer, fix and rule', () => {
    const {tool, results} = run(
      {code: 'B_CODE'},
      {where: 'manifest.yaml:3:14', pointer: '/tools/0', help: 'mend it', severity: 'warning'},
    );
    expect(tool.driver.rules).toEqual([{id: 'A_CODE'}, {id: 'B_CODE'}]);
    expect(results[1]).toEqual({
      ruleId: 'A_CODE',
      ruleIndex: 0,
      level: 'warning',
      message: {text: 'it is wrong; fix: mend it'},
      locations: [
        {
          physicalLocation: {
            artifactLocation: {uri: 'packs/a/manifest.yaml'},
            region: {startLine: 3, startColumn: 14},
          },
          logicalLocations: [{fullyQualifiedName: '/tools/0'}],
        },
      ],
    });
  });

  test.each([
    ['manifest.yaml', {artifactLocation: {uri: 'packs/a/manifest.yaml'}}],
    ['tools/a b#.ts:2', {artifactLocation: {uri: 'packs/a/tools/a%20b%23.ts'}, region: {startLine: 2}}],
    [
      '/else where/c.ts:1:1',
      {artifactLocation: {uri: 'file:///else%20where/c.ts'}, region: {startLine: 1, startColumn: 1}},
    ],
  ])('the place %s', (where, physicalLocation) => {
    expect(run({where}).results[0]).toMatchObject({locations: [{physicalLocation}]});
  });

  test('nothing wrong is an empty run', () => {
    expect(run()).toMatchObject({tool: {driver: {rules: []}}, results: []});
  });
});
