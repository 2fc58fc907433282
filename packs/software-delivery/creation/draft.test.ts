// Drafts of work units: defaults, templates, and mistakes.
import {isToolError} from '@lumenflow/pack-sdk';
import {expect, test} from 'vitest';
import {createTestWorkspace} from '../test-workspace.fixture.ts';
import {checkDraft} from './check-draft.ts';
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
): {readonly code: string; readonly message: string; readonly details?: object | undefined} => {
  try {
    checkDraft({...draft, id: 'WU-9'}, {lanes, state: given(created(1))});
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
