// ctx.state, the same in every home: on the pool, in a sandbox, and in the test kit's memory.
import type {Host, Session} from '@lumenflow/host';
import {runTool} from '@lumenflow/pack-sdk/testing';
import {appendFileSync, existsSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {codeOf, makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {takeSteps} from './both-pack/tools/take-steps.ts';
import {opened} from '../../support/opened.ts';

type Steps = Parameters<typeof takeSteps.run>[0]['steps'];
type Home = (steps: Steps) => Promise<readonly unknown[]>;

let workspace: HostWorkspace;
let host: Host;
let session: Session;
const folder = '.lumenflow/packs/both';

const hosted =
  (tool: string): Home =>
  async (steps) => {
    const {data, error} = await session.call(tool, {steps});
    if (error) throw new Error(`${error.code}: ${error.message}`);
    return data as readonly unknown[];
  };
const inMemory: Home = async (steps) => (await runTool(takeSteps, {steps})).output.data ?? [];

beforeAll(async () => {
  workspace = makeHostWorkspace({
    copied: {both: join(import.meta.dirname, 'both-pack')},
    pins: {both: {trust: 'in_process'}},
  });
  host = await workspace.start();
  session = opened(await host.openSession({by: 'tester'}));
});
afterAll(async () => await workspace.remove());

describe.each<[string, Home]>([
  ['the pool', hosted('pool:state')],
  ['a sandbox', hosted('sandbox:state')],
  ['memory', inMemory],
])('in %s', (home, take) => {
  let names = 0;
  let name = '';
  beforeEach(() => {
    name = `${home.replace(/\W/gu, '-')}/${++names}`;
  });
  const version = expect.stringMatching(/./) as unknown;

  test('a document is replaced as a whole, when it is still the one that was read', async () => {
    expect(
      await take([
        {do: 'read', name},
        {do: 'write', name, text: 'grün', expect: null},
        {do: 'write', name, text: 'rot', expect: null},
        {do: 'read', name},
        {do: 'write', name, text: 'blau', expect: '{v}'},
        {do: 'write', name, text: 'gelb', expect: 'another'},
        {do: 'read', name},
        {do: 'write', name, text: ''},
        {do: 'read', name},
      ]),
    ).toEqual([
      null,
      {version, size: 5},
      'CONFLICT',
      {text: 'grün', version, size: 5},
      {version, size: 4},
      'CONFLICT',
      {text: 'blau', version, size: 4},
      {version, size: 0},
      {text: '', version, size: 0},
    ]);
  });

  test('a log grows by whole lines, and is read on from where it was read', async () => {
    expect(
      await take([
        {do: 'lines', name},
        {do: 'append', name, lines: ['{"a":1}', ''], expect: '{v}'},
        {do: 'append', name, lines: ['ä'], expect: null},
        {do: 'append', name, lines: ['ä']},
        {do: 'lines', name, from: 8},
        {do: 'append', name, lines: ['z'], expect: '{v}'},
        {do: 'lines', name, from: 14},
        {do: 'lines', name},
      ]),
    ).toEqual([
      {lines: [], version, size: 0},
      {version, size: 9},
      'CONFLICT',
      {version, size: 12},
      {lines: ['', 'ä'], version, size: 12},
      {version, size: 14},
      {lines: [], version, size: 14},
      {lines: ['{"a":1}', '', 'ä', 'z'], version, size: 14},
    ]);
  });

  test('texts are listed and removed', async () => {
    expect(
      await take([
        {do: 'write', name: `${name}.b`},
        {do: 'write', name: `${name}.a`},
        {do: 'names', text: name},
        {do: 'remove', name: `${name}.a`, expect: 'another'},
        {do: 'remove', name: `${name}.a`},
        {do: 'remove', name: `${name}.a`},
        {do: 'read', name: `${name}.a`},
        {do: 'names', text: name},
      ]),
    ).toEqual([
      {version, size: 0},
      {version, size: 0},
      [`${name}.a`, `${name}.b`],
      'CONFLICT',
      null,
      null,
      null,
      [`${name}.b`],
    ]);
  });

  test.each(['../up', '/absolute', 'a//b', '.hidden', 'A', 'a\0', '', 'a/'.repeat(9) + 'a', 'x'.repeat(101)])(
    'no text is called %j',
    async (bad) => {
      expect(
        await take([
          {do: 'write', name: bad},
          {do: 'read', name: bad},
        ]),
      ).toEqual(['INVALID_STATE_NAME', 'INVALID_STATE_NAME']);
    },
  );

  test('a line is one line', async () => {
    expect(await take([{do: 'append', name, lines: ['a\nb']}])).toEqual(['INVALID_INPUT']);
  });
});

test('a tool that only reads changes nothing', async () => {
  const steps: Steps = [{do: 'write'}, {do: 'append'}, {do: 'remove'}, {do: 'read', name: 'never'}];
  expect(await hosted('sandbox:look')(steps)).toEqual(['SCOPE_DENIED', 'SCOPE_DENIED', 'SCOPE_DENIED', null]);
});

test('what a crash cut off is not a line, and the next line does not extend it', async () => {
  const take = hosted('pool:state');
  const file = join(workspace.root, folder, 'torn');
  await take([{do: 'append', name: 'torn', lines: ['one', 'two']}]);
  const whole = readFileSync(file);
  for (let bytes = 0; bytes < 8; bytes++) {
    writeFileSync(file, Buffer.concat([whole, Buffer.from('"three"').subarray(0, bytes)]));
    expect(
      await take([
        {do: 'lines', name: 'torn'},
        {do: 'append', name: 'torn', lines: ['3'], expect: '{v}'},
        {do: 'lines', name: 'torn', from: 8},
      ]),
    ).toMatchObject([{lines: ['one', 'two'], size: 8}, {size: 10}, {lines: ['3']}]);
  }
});

test('of hosts that append concurrently, each line appears once and complete, and each expectation has one winner', async () => {
  const other = opened(await (await workspace.start()).openSession({by: 'other'}));
  const append = (from: Session, line: string, expectation: object = {}) =>
    from.call('pool:state', {steps: [{do: 'append', name: 'joint', lines: [line], ...expectation}]});
  const lines = Array.from({length: 40}, (_, index) => `line ${index}`);
  await Promise.all(lines.map((line, index) => append(index % 2 === 0 ? session : other, line)));
  const [log] = await hosted('pool:state')([{do: 'lines', name: 'joint'}]);
  const {lines: found, version} = log as {lines: string[]; version: string};
  expect(found.toSorted()).toEqual(lines.toSorted());
  const raced = await Promise.all([session, other].map((from) => append(from, 'last', {expect: version})));
  expect(raced.filter(({data}) => (data as unknown[])[0] === 'CONFLICT')).toHaveLength(1);
});

test('a link in the place of a text is not followed', async () => {
  const secret = join(workspace.root, 'secret.txt');
  writeFileSync(secret, 'secret');
  await hosted('pool:state')([{do: 'write', name: 'linked/a'}]);
  symlinkSync(secret, join(workspace.root, folder, 'linked/b'));
  symlinkSync(workspace.root, join(workspace.root, folder, 'out'));
  const take = hosted('pool:state');
  expect(
    await take([
      {do: 'read', name: 'linked/b'},
      {do: 'append', name: 'linked/b', lines: ['x']},
    ]),
  ).toEqual(['STATE_UNAVAILABLE', 'STATE_UNAVAILABLE']);
  expect(await take([{do: 'read', name: 'out/secret.txt'}])).toEqual(['STATE_UNAVAILABLE']);
  expect(readFileSync(secret, 'utf8')).toBe('secret');
});

test('more lines than fit in one message still arrive; a document has a size limit', async () => {
  await hosted('pool:state')([{do: 'append', name: 'long', lines: ['first']}]);
  const line = 'x'.repeat(1023);
  const file = join(workspace.root, folder, 'long');
  for (let mib = 0; mib < 17; mib++) appendFileSync(file, `${line}\n`.repeat(1024));
  const [from, whole] = await hosted('pool:state')([
    {do: 'lines', name: 'long', from: 6 + 1024 * 1024},
    {do: 'read', name: 'long'},
  ]);
  expect((from as {lines: string[]}).lines).toHaveLength(16 * 1024);
  expect(whole).toBe('LIMIT_EXCEEDED');
});

test('a pack may keep its state in a folder with another name: out of reach of its tools, and of git', async () => {
  const manifest = readFileSync(join(import.meta.dirname, 'both-pack/manifest.yaml'), 'utf8');
  const own = makeHostWorkspace({
    copied: {both: join(import.meta.dirname, 'both-pack'), attack: join(import.meta.dirname, 'attack-pack')},
    files: {'packs/both/manifest.yaml': manifest.replace('tools:', 'state_folder: .both\ntools:')},
  });
  try {
    const ours = opened(await (await own.start()).openSession({by: 'tester'}));
    expect(await codeOf(ours, 'sandbox:state', {steps: [{do: 'append', name: 'a/log', lines: ['1']}]})).toBe('success');
    expect(readFileSync(join(own.root, '.both/a/log'), 'utf8')).toBe('1\n');
    expect(readFileSync(join(own.root, '.both/.gitignore'), 'utf8')).toBe('*\n');
    expect(existsSync(join(own.root, '.lumenflow/packs/both'))).toBe(false);
    const read = await must(ours, 'attack:read', {path: '.both/a/log'});
    expect(read).not.toHaveProperty('content');
    await must(ours, 'attack:write', {path: '.both/a/log'});
    expect(readFileSync(join(own.root, '.both/a/log'), 'utf8')).toBe('1\n');
  } finally {
    await own.remove();
  }
});
