import {runTool} from '@lumenflow/pack-sdk/testing';
import {describe, expect, it} from 'vitest';
import {parse} from 'yaml';
import type {SoftwareDeliveryConfig} from '../pack-config.ts';
import {contextGet} from '../tools/config/context-get.ts';
import {configSuggest} from '../tools/config/suggest.ts';
import {configGet} from '../tools/config/get.ts';
import {configPropose} from '../tools/config/propose.ts';

const config: SoftwareDeliveryConfig = {lease: {ttl_minutes: 30}, gates: {commands: {test: {command: 'npm test'}}}};
const workspace = `# Our workspace
id: desk
software_delivery:
  # How long a claim lasts
  lease: {ttl_minutes: 30}
  gates:
    commands:
      test: {command: npm test} # all of it
`;

describe('config:get', () => {
  const get = async (pointer?: string, state = {}) =>
    (await runTool(configGet, pointer === undefined ? {} : {pointer}, {config, state})).output;

  it('returns a setting and its valid keys', async () => {
    expect((await get('/lease/ttl_minutes')).data).toMatchObject({value: 30, is_set: true, proposed: []});
    expect((await get('/gates/commands/test')).data).toMatchObject({
      value: {command: 'npm test'},
      keys: expect.arrayContaining(['command', 'timeout_ms', 'optional']) as string[],
    });
    expect((await get('/gates/commands/lint')).data).toMatchObject({value: null, is_set: false});
    expect((await get()).data).toMatchObject({
      value: config,
      keys: expect.arrayContaining(['cli', 'gates']) as string[],
    });
    expect((await get('/cli/commands/report/permission')).data?.description).toContain('sandbox');
  });

  it.each([
    ['/leases', 'SETTING_UNKNOWN'],
    ['/lease/ttl_minutes/x', 'SETTING_UNKNOWN'],
    ['lease', 'INVALID_POINTER'],
    ['/a~2', 'INVALID_POINTER'],
  ])('rejects %s with %s', async (pointer, code) => {
    expect((await get(pointer)).error).toMatchObject({code});
  });
});

describe('config:suggest', () => {
  it('returns the gates that fit the files, and nothing if none do', async () => {
    const suggest = async (files: Record<string, string>) =>
      (await runTool(configSuggest, {}, {config: {}, files})).output.data?.yaml;
    const yaml = (await suggest({'package.json': '{"scripts": {"test": "x", "lint": "x"}}'})) ?? '';
    expect(parse(yaml)).toEqual({
      software_delivery: {gates: {preset: 'node', commands: {format: false, typecheck: false}}},
    });
    expect(yaml).toContain('# Gates that work units must pass, suggested by package.json:\n');
    expect(await suggest({'package.json': '{}', 'go.mod': 'module x'})).toContain('preset: go');
    expect(await suggest({'README.md': ''})).toBe('');
  });
});

describe('config:propose', () => {
  const set = async (input: object, files: Record<string, string> = {'workspace.yaml': workspace}) =>
    await runTool(configPropose, input, {config, files});

  it('returns the pack’s key with the change and its comments, and does not write workspace.yaml', async () => {
    const {output, files, state} = await set({pointer: '/lease/ttl_minutes', value: 45, reason: 'slow tests'});
    expect(output.data).toMatchObject({pointer: '/lease/ttl_minutes', applied: false, dry_run: false});
    expect(output.data?.yaml).toBe(`software_delivery:
  # How long a claim lasts
  lease: {ttl_minutes: 45}
  gates:
    commands:
      test: {command: npm test} # all of it
`);
    expect(files['workspace.yaml']).toBe(workspace);
    const {output: shown} = await runTool(configGet, {pointer: '/lease'}, {config, state});
    expect(shown.data?.proposed).toMatchObject([{pointer: '/lease/ttl_minutes', value: 45, reason: 'slow tests'}]);
    const applied = {...config, lease: {ttl_minutes: 45}};
    expect((await runTool(configGet, {}, {config: applied, state})).output.data?.proposed).toEqual([]);
  });

  it('adds a setting, removes one, and creates a config', async () => {
    const {output} = await set({pointer: '/orchestration/silent_minutes', value: 5});
    expect(parse(output.data?.yaml ?? '')).toEqual({
      software_delivery: {...config, orchestration: {silent_minutes: 5}},
    });
    const removed = await set({pointer: '/lease', remove: true});
    expect(parse(removed.output.data?.yaml ?? '')).toEqual({software_delivery: {gates: config.gates}});
    const begun = await set({pointer: '/main_branch', value: 'trunk'}, {'workspace.yaml': 'id: desk\n'});
    expect(begun.output.data?.yaml).toBe('software_delivery:\n  main_branch: trunk\n');
  });

  it('stores nothing in a dry run', async () => {
    expect((await set({pointer: '/lease/ttl_minutes', value: 45, dry_run: true})).state).toEqual({});
  });

  it.each([
    [{pointer: '/lease/ttl_minutes', value: 'long'}, 'CONFIG_INVALID', '`/lease/ttl_minutes` must be integer'],
    [{pointer: '/leases', value: 1}, 'CONFIG_INVALID', 'additional properties'],
    [{pointer: '', value: {}}, 'INVALID_POINTER', 'must name one setting'],
  ])('rejects %j with %s', async (input, code, message) => {
    const {output, state} = await set(input);
    expect(output.error).toMatchObject({code, message: expect.stringContaining(message) as string});
    expect(state).toEqual({});
  });

  it('fails without a workspace.yaml', async () => {
    expect((await set({pointer: '/main_branch', value: 'trunk'}, {})).output.error).toMatchObject({code: 'NOT_FOUND'});
  });
});

describe('context:get', () => {
  const created = {
    type: 'wu_created',
    at: '2026-03-01T00:00:00.000Z',
    by: 's',
    id: 'task-test',
    spec: {id: 'task-test', title: 'Title', lane: 'main', code_paths: ['src/**']},
    spec_hash: 'x',
  };

  it('returns the context of the call', async () => {
    const {output} = await runTool(contextGet, {}, {config: {main_branch: 'trunk'}});
    expect(output.data).toMatchObject({task_id: 'task-test', lane_id: 'main', main_branch: 'trunk', wu: null});
    const state = {events: `${JSON.stringify(created)}\n`};
    expect((await runTool(contextGet, {}, {config: {}, state})).output.data).toMatchObject({
      main_branch: 'main',
      wu: {id: 'task-test', title: 'Title', status: 'ready', code_paths: ['src/**']},
    });
  });
});
