// What grows without limit, and what may not: events of one task, and scopes that multiply.
import type {Scope} from '@lumenflow/schemas';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import {createStage, unwrap, type Stage} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const [memory] = stateKinds;
let stage: Stage;
beforeEach(() => {
  stage = createStage(memory ?? expect.fail('there is no kind of state'));
});
afterEach(() => stage.close());

test('10,000 events on a task: each counts, in order, and the task continues', async () => {
  const runtime = await stage.open();
  const context = await runtime.startTask();
  for (let round = 0; round < 5_000; round += 1) {
    unwrap(await runtime.blockTask({task_id: 'task-1', reason: `round ${round}`}));
    unwrap(await runtime.unblockTask({task_id: 'task-1'}));
  }
  const events = await runtime.events.read({task_id: 'task-1'});
  expect(events).toHaveLength(10_002);
  expect(events.every(({seq}, index) => seq === index + 1)).toBe(true);
  expect((await runtime.executeTool('files:read', {}, context)).success).toBe(true);
});

test('scope-blowup: 31 × 31 × 31 × 4 scopes are refused where they are written, not met by a call', async () => {
  const scopes = (letter: string): Scope[] =>
    Array.from({length: 31}, (_, index) => ({type: 'path', pattern: `**/${letter}${index}/**`, access: 'write'}));
  const runtime = await stage.open({
    workspace: {
      security: {allowed_scopes: scopes('a')},
      lanes: [{id: 'core', allowed_scopes: [{type: 'path', pattern: '**', access: 'write'}]}],
    },
  });
  const created = await runtime.createTask({id: 'task-1', lane_id: 'core', declared_scopes: scopes('b')});
  expect(created).toMatchObject({
    success: false,
    error: {code: 'INVALID_INPUT', message: expect.stringContaining('use fewer')},
  });
  await expect(
    stage.open({
      workspace: {
        security: {allowed_scopes: scopes('a')},
        lanes: [{id: 'core', allowed_scopes: scopes('b')}],
      },
    }),
  ).rejects.toThrow('SCOPE_TOO_COMPLEX');
});

test.each([
  [10, true],
  [60, false],
])('scope-blowup: what a new task costs is bounded over all of %i tools together', async (count, success) => {
  const scopes = (pattern: (index: number) => string): Scope[] =>
    Array.from({length: 8}, (_, index) => ({type: 'path', pattern: pattern(index), access: 'write'}));
  const required_scopes = [{type: 'path' as const, pattern: '**', access: 'write' as const}];
  const tools = Array.from({length: count}, (_, index) => ({name: `p:tool-${index}`, required_scopes}));
  const runtime = await stage.open({
    packs: [examplePack({id: 'p', tools})],
    workspace: {
      security: {allowed_scopes: scopes((index) => `p*${index}/**`)},
      lanes: [{id: 'core', allowed_scopes: scopes((index) => `p${index}*/**`)}],
    },
  });
  const declared_scopes = scopes((index) => `*p${index}/src/**`);
  expect(await runtime.createTask({id: 'task-1', lane_id: 'core', declared_scopes})).toMatchObject({success});
});

test.each([
  ['a million numbers', 'values', () => ({path: 'a', all: Array.from({length: 1_000_000}, (_, index) => index)})],
  ['20,001 keys', 'names', () => Object.fromEntries(Array.from({length: 20_001}, (_, index) => [`key ${index}`, 1]))],
  [
    '20,001 keys of many objects',
    'names',
    () => ({all: Array.from({length: 10_000}, (_, index) => ({[`a${index}`]: 1, [`b${index}`]: 2}))}),
  ],
  ['300,000 keys', 'names', () => Object.fromEntries(Array.from({length: 300_000}, (_, index) => [`key ${index}`, 1]))],
])('an input of %s is refused by its number of %s, whatever its bytes, and that is recorded', async (_, kind, make) => {
  const bound = kind === 'names' ? 20_000 : 100_000;
  const runtime = await stage.open();
  const context = await runtime.startTask();
  const output = await runtime.executeTool('files:read', make(), context);
  expect(output).toMatchObject({
    success: false,
    error: {
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining(`more than ${bound} ${kind}`),
      details: {limit: `input_${kind}`, bound},
    },
  });
  const {receipts} = await runtime.evidence.readTraces();
  expect(receipts.at(-1)?.finished?.error_code).toBe('LIMIT_EXCEEDED');
});

const rows = (count: number): readonly object[] =>
  Array.from({length: count}, (_, size) => ({path: `src/${size}.ts`, type: 'file', size}));
const output_schema = {type: 'object', additionalProperties: {type: 'number'}};

/** What a tool returns to its caller; its schema refuses each value, if it is asked. */
async function returned(data: unknown): Promise<unknown> {
  const runtime = await stage.open({
    packs: [examplePack({id: 'p', tools: [{name: 'p:list'}, {name: 'p:map', output_schema}]})],
    scripts: {'p:list': () => ({output: {success: true, data}}), 'p:map': () => ({output: {success: true, data}})},
  });
  const context = await runtime.startTask();
  const output = await runtime.executeTool('p:map', {}, context);
  expect(output.error?.code).toBe('INVALID_OUTPUT');
  return output.error?.details?.['limit'] === undefined ? await runtime.executeTool('p:list', {}, context) : output;
}

test.each([
  ['values', 250_000, () => ({all: Array.from({length: 250_000}, () => 'x')})],
  ['names', 50_000, () => Object.fromEntries(Array.from({length: 50_001}, (_, index) => [`key ${index}`, 'x']))],
  ['names', 50_000, () => ({all: rows(16_667)})],
  ['characters', 67_108_864, () => ({a: 'x'.repeat(33_554_432), b: 'x'.repeat(33_554_431)})],
])('an output of more %s than %i is refused before its schema is asked', async (kind, bound, make) => {
  expect(await returned(make())).toMatchObject({
    success: false,
    error: {
      code: 'INVALID_OUTPUT',
      message: expect.stringContaining(`contains more than ${bound} ${kind}`),
      details: {limit: `output_${kind}`, bound},
    },
  });
});

test.each([
  ['7,000 files with 3 fields', () => ({all: rows(7_000)})],
  ['50,000 names', () => Object.fromEntries(Array.from({length: 50_000}, (_, index) => [`key ${index}`, 'x']))],
  ['250,000 values', () => ({all: Array.from({length: 249_999}, () => 'x')})],
])('an output of %s passes', async (_, make) => {
  expect(await returned(make())).toMatchObject({success: true});
});
