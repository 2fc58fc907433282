// Drafts of work units: defaults, templates, and mistakes.
import {isToolError, type ToolOutput} from '@lumenflow/pack-sdk';
import {expect, test} from 'vitest';
import {createTestWorkspace} from '../test-workspace.fixture.ts';
import {openDeliveryLog} from '../open-delivery-log.ts';
import {checkDraft} from './check-draft.ts';
import {createWorkUnit} from './create-work-unit.ts';
import {fillDraft, type Filling, type PartialSpec} from './fill-draft.ts';
import {findTemplate} from './find-template.ts';
import type {LaneView} from '../work-units/kernel-tasks.ts';
import {created, given} from '../work-units/work-unit-events.fixture.ts';

const lane = (id: string, pattern: string): LaneView => ({
  id,
  allowed_scopes: [{type: 'path', pattern, access: 'write'}],
  in_progress: [],
});
const lanes = [lane('core', 'worktrees/*/src/**'), lane('web', 'worktrees/*/web/**')];
const filling: Filling = {config: undefined, template: {}, lanes, units: []};
const fill = (draft: PartialSpec, more: Partial<Filling> = {}): PartialSpec => fillDraft(draft, {...filling, ...more});

test('a small fix needs only a title and code paths', () => {
  const draft = fill({title: 'Fix a typo', code_paths: ['web/a.md']});
  expect(draft).toEqual({
    title: 'Fix a typo',
    code_paths: ['web/a.md'],
    type: 'chore',
    priority: 'P2',
    lane: 'web',
    description: 'Fix a typo',
    acceptance: ['Fix a typo'],
  });
  expect(checkDraft({...draft, id: 'WU-1'}, {lanes, state: given()})).toMatchObject({id: 'WU-1', lane: 'web'});
});

test('the call overrides the template, and the template overrides the defaults', () => {
  const config = {defaults: {type: 'bug', priority: 'P1', lane: 'core'}} as const;
  expect(fill({title: 'Abc'}, {config})).toMatchObject({type: 'bug', priority: 'P1', lane: 'core'});
  const template = {priority: 'P0', lane: 'web', labels: ['x']} as const;
  expect(fill({title: 'Abc', lane: 'core'}, {config, template})).toMatchObject({
    type: 'bug',
    priority: 'P0',
    lane: 'core',
    labels: ['x'],
  });
});

test('a lane is chosen only if one fits best', () => {
  expect(fill({title: 'Abc', code_paths: ['docs/a.md']})).not.toHaveProperty('lane');
  expect(fill({title: 'Abc'}, {lanes: lanes.slice(0, 1)})).toMatchObject({lane: 'core'});
});

const failure = (
  draft: PartialSpec,
  surface?: string,
): {readonly code: string; readonly message: string; readonly details?: object | undefined} => {
  try {
    checkDraft({...draft, id: 'WU-9'}, {lanes, state: given(created(1)), surface});
  } catch (error) {
    if (isToolError(error)) return error;
    throw error;
  }
  throw new Error('no mistake was found');
};

test('one mistake has its own code, several are reported together', () => {
  const sound = fill({title: 'Fix a typo', code_paths: ['src/a.ts']});
  expect(failure({...sound, lane: 'no'}).code).toBe('LANE_UNKNOWN');
  expect(failure({...sound, depends_on: ['WU-7']}).code).toBe('DEPENDENCY_UNKNOWN');
  expect(failure({...sound, code_paths: ['../a']}).code).toBe('INVALID_CODE_PATH');
  const {lane: _, ...homeless} = sound;
  expect(failure(homeless)).toMatchObject({code: 'LANE_REQUIRED'});
  const all = failure({title: 'Abc', type: 'feature', priority: 'P2', lane: 'no', description: 'too short'});
  expect(all.code).toBe('SPEC_INVALID');
  for (const part of ['`acceptance` is missing', '`code_paths` is missing', '50 characters', 'no lane `no`']) {
    expect(all.message).toContain(part);
  }
});

test('mistakes name flags on the command line, and no rule of the schema', () => {
  const draft = {title: 'Abc', type: 'feature', priority: 'P2', lane: 'no', description: 'too short'} as const;
  expect(failure({...draft, code_paths: ['title']}, 'cli').message.split('\n')).toEqual([
    'the work unit has several mistakes',
    '- `--description` must not have fewer than 50 characters',
    '- `--acceptance` is missing',
    '- there is no lane `no` in workspace.yaml; it has `core`, `web`',
  ]);
  expect(failure({title: 'Abc', code_paths: ['a']}, 'cli').message).toContain('`--lane` is missing');
});

const stage = async (answer: (verb: string) => Promise<ToolOutput>): Promise<WuCreate> => {
  const workspace = await createTestWorkspace();
  await workspace.put('docs/tasks/WU-7.yaml', 'id: WU-7\n');
  const callTool = async (name: string, input: unknown): Promise<ToolOutput> => {
    if (name === 'kernel:show-workspace') return {success: true, data: {lanes}};
    if (name !== 'docs:write') return await answer(name);
    const {path, content} = input as {readonly path: string; readonly content?: string};
    if (content === undefined) await context.fs.remove(path);
    else await workspace.put(path, content);
    return {success: true, data: {}};
  };
  const context = {...workspace.context(undefined), callTool};
  return async (more) =>
    await createWorkUnit(
      context,
      openDeliveryLog(context),
      {title: 'Abc', lane: 'web', code_paths: ['web/a'], ...more},
      false,
    );
};

type WuCreate = (more?: object) => Promise<{readonly id: string; readonly warnings?: readonly string[]}>;

test('an id is free in the log and among the files, and a failed call uses none', async () => {
  let isBroken = true;
  const create = await stage(async () =>
    isBroken ? {success: false, error: {code: 'SCOPE_INVALID', message: 'no'}} : {success: true, data: {}},
  );
  await expect(create()).rejects.toThrow('no');
  isBroken = false;
  await expect(create({id: 'WU-7'})).rejects.toMatchObject({code: 'SPEC_EXISTS'});
  expect(await create()).toMatchObject({id: 'WU-8'});
  expect(await create({code_paths: ['docs/a']})).toMatchObject({
    id: 'WU-9',
    warnings: ['lane `web` does not allow writes to `docs/a`'],
  });
});

test('templates are entries of workspace.yaml or files', async () => {
  const workspace = await createTestWorkspace();
  const context = workspace.context({templates: {bug: {type: 'bug'}}} as const);
  await workspace.put('docs/tasks/templates/release.yaml', 'type: process\nlabels: [release]\n');
  await workspace.put('docs/tasks/templates/wrong.yaml', 'id: WU-1\ntyp: bug\n');
  await workspace.put('docs/tasks/templates/broken.yaml', 'a: [\n');
  await workspace.put('docs/tasks/templates/list.yaml', '- a\n');
  expect(await findTemplate(context, 'bug')).toEqual({type: 'bug'});
  expect(await findTemplate(context, 'release')).toEqual({type: 'process', labels: ['release']});
  await expect(findTemplate(context, 'wrong')).rejects.toThrow('fields that a template cannot set: `id`, `typ`');
  await expect(findTemplate(context, 'broken')).rejects.toThrow('is not YAML');
  await expect(findTemplate(context, 'list')).rejects.toThrow('must contain fields of a spec');
  await expect(findTemplate(context, 'none')).rejects.toThrow(
    'there are `broken`, `bug`, `list`, `release`, `wrong`; add one to',
  );
  const bare = workspace.context({template_dir: 'docs/other'});
  await expect(findTemplate(bare, 'bug')).rejects.toThrow('there are none');
});
