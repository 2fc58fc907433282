// How a task enters: its spec is checked, written once, and found again by its hash; ids are checked wherever they enter.
import type {TaskSpec} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createStage, unwrap, type Stage} from '../../../support/stage.ts';
import {fileState, stateKinds} from '../../../support/state-home.ts';

const spec: TaskSpec = {id: 'task-1', lane_id: 'core'};

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  test('odd-payloads: a spec is kept as it is', async () => {
    const odd: TaskSpec = {
      ...spec,
      title: 'status: ok: 1',
      description: '# no comment\n- "0x10"\n',
      metadata: {octal: '010', yes: 'yes', date: '2026-01-02', nothing: null, list: [1.5, true, '']},
    };
    unwrap(await (await stage.open()).createTask(odd));
    expect(unwrap(await (await stage.open()).inspectTask('task-1')).spec).toEqual(odd);
  });

  test.each([
    ['unknown keys', {...spec, scopes: []}],
    ['no lane', {id: 'task-1'}],
    ['a path as id', {...spec, id: '../task'}],
    ['an id of 300 characters', {...spec, id: 'x'.repeat(300)}],
    ['a look-alike id', {...spec, id: 'tаsk'}],
    ['a NUL in its id', {...spec, id: 'task\0'}],
    ['a scope out of the workspace', {...spec, declared_scopes: [{type: 'path', pattern: '../x', access: 'read'}]}],
    ['a rule that is none', {...spec, policies: {rules: [{id: 'kernel.x', trigger: 'on_claim', decision: 'deny'}]}}],
    ['a type that no pack has', {...spec, type: 'unknown'}],
    ['itself among those that it waits for', {...spec, blocked_by: ['task-1']}],
    ['nothing', null],
    ['a value that JSON cannot hold', {...spec, metadata: {size: 1n}}],
  ])('refuses a spec with %s', async (_, bad) => {
    const runtime = await stage.open();
    expect(await runtime.createTask(bad as TaskSpec)).toMatchObject({success: false, error: {code: 'INVALID_INPUT'}});
    expect(runtime.listTasks()).toEqual([]);
    unwrap(await runtime.createTask(spec));
  });

  test.each([
    ['an unknown key', {titel: 'x'}, '/titel', 'unknown key `titel` (did you mean `title`?'],
    [
      'an unknown key of a scope',
      {declared_scopes: [{type: 'path', pattern: 'a', acces: 'read', access: 'read'}]},
      '/declared_scopes/0/acces',
      'unknown key `acces` (did you mean `access`?',
    ],
    [
      'a scope that lacks its access',
      {declared_scopes: [{type: 'path', pattern: 'a'}]},
      '/declared_scopes/0',
      '`access` is missing',
    ],
    [
      'a decision that there is not',
      {policies: {default_decision: 'alow'}},
      '/policies/default_decision',
      'is `alow`, which is not one of `allow`',
    ],
  ])('of %s the place and the fix are reported', async (_, wrong, pointer, said) => {
    const runtime = await stage.open();
    const refused = await runtime.createTask({...spec, ...wrong} as TaskSpec);
    const message = expect.stringContaining(said) as string;
    expect(refused).toMatchObject({error: {details: {issues: [{pointer, message}]}}});
    expect(refused).toMatchObject({error: {message: expect.stringContaining(`${pointer}: `)}});
  });

  test.each([
    ['a pattern', {declared_scopes: [{type: 'path', pattern: 'a[', access: 'read'}]}, '/declared_scopes/0/pattern'],
    [
      'a regex',
      {
        policies: {
          rules: [{id: 'r', trigger: 'on_tool_request', decision: 'deny', when: {arguments: {'/to': {regex: '('}}}}],
        },
      },
      '/policies/rules/0/when/arguments/~1to/regex',
    ],
  ])('of %s that cannot be read the place is reported', async (_, wrong, pointer) => {
    const runtime = await stage.open();
    const where = `task ${spec.id}${pointer}`;
    expect(await runtime.createTask({...spec, ...wrong} as TaskSpec)).toMatchObject({
      error: {message: expect.stringContaining(`${where}: `), details: {problems: [{where}]}},
    });
  });

  test('LANE_NOT_FOUND names the nearest lane', async () => {
    const runtime = await stage.open();
    expect(await runtime.createTask({...spec, lane_id: 'cora'})).toMatchObject({
      error: {
        code: 'LANE_NOT_FOUND',
        message: 'there is no lane `cora`: did you mean `core`?',
        details: {lanes: ['core']},
      },
    });
  });

  test('of creations that meet, one wins, and the spec is the winner’s', async () => {
    const one = await stage.open();
    const two = await stage.open();
    const created = await Promise.all(
      Array.from({length: 10}, (_, index) =>
        (index % 2 === 0 ? one : two).createTask({...spec, title: `title ${index}`}),
      ),
    );
    const winners = created.flatMap((result, index) => (result.success ? [index] : []));
    expect(winners).toHaveLength(1);
    expect(created.filter((result) => !result.success && result.error.code === 'TASK_EXISTS')).toHaveLength(9);
    const inspected = await one.inspectTask('task-1');
    expect(inspected).toMatchObject({data: {spec: {title: `title ${winners[0]}`}}});
  });

  test('a spec whose creation was cut short is taken over by the same spec only', async () => {
    const state = await stage.home.open(stage.processes.start());
    await state.tasks.create({...spec, title: 'left behind'});
    await state.close();
    const runtime = await stage.open();
    expect(await runtime.createTask({...spec, title: 'another'})).toMatchObject({error: {code: 'TASK_EXISTS'}});
    expect(runtime.listTasks()).toEqual([]);
    unwrap(await runtime.createTask({...spec, title: 'left behind'}));
    expect(unwrap(await runtime.inspectTask('task-1')).spec.title).toBe('left behind');
    expect(await runtime.createTask({...spec, title: 'left behind'})).toMatchObject({error: {code: 'TASK_EXISTS'}});
  });

  test.each(['../x', '', 'a b', 'x'.repeat(129), undefined, 7])('id-traversal: no transition takes %j', async (id) => {
    const runtime = await stage.open();
    const context = await runtime.startTask();
    const bad = id as string;
    const held = {task_id: 'task-1', session_id: context.session_id, by: 'agent'};
    const invalid = {success: false, error: {code: 'INVALID_INPUT'}};
    for (const key of ['task_id', 'session_id', 'by']) {
      expect(await runtime.claimTask({...held, [key]: bad})).toMatchObject(invalid);
      expect(await runtime.completeTask({...held, [key]: bad})).toMatchObject(invalid);
      if (id === undefined && key !== 'task_id') continue;
      expect(await runtime.blockTask({...held, [key]: bad, reason: 'x'})).toMatchObject(invalid);
      expect(await runtime.unblockTask({...held, [key]: bad})).toMatchObject(invalid);
      expect(await runtime.releaseTask({...held, [key]: bad, reason: 'x'})).toMatchObject(invalid);
    }
    expect(await runtime.inspectTask(bad)).toMatchObject({error: {code: 'TASK_NOT_FOUND'}});
    expect(await runtime.resolveApproval({request_id: 'a', approved: true, approved_by: bad})).toMatchObject(invalid);
    expect(await runtime.events.read()).toHaveLength(2);
  });

  test('a reason that is not text is refused', async () => {
    const runtime = await stage.open();
    await runtime.startTask();
    const held = {task_id: 'task-1', session_id: 'session-1', reason: 7 as unknown as string};
    const invalid = {success: false, error: {code: 'INVALID_INPUT'}};
    expect(await runtime.blockTask(held)).toMatchObject(invalid);
    expect(await runtime.releaseTask(held)).toMatchObject(invalid);
  });

  test('a task that was not created is not found', async () => {
    const runtime = await stage.open();
    const missing = {success: false, error: {code: 'TASK_NOT_FOUND', details: {task_id: 'nobody'}}};
    const held = {task_id: 'nobody', session_id: 's', by: 'agent'};
    expect(await runtime.inspectTask('nobody')).toMatchObject(missing);
    expect(await runtime.claimTask(held)).toMatchObject(missing);
    expect(await runtime.completeTask(held)).toMatchObject(missing);
    expect(await runtime.blockTask({...held, reason: 'x'})).toMatchObject(missing);
  });
});

describe('a file that only a hand can have made', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(fileState);
  });
  afterEach(() => stage.close());

  test('names a stored spec that no event records and that is damaged', async () => {
    const runtime = await stage.open();
    stage.home.tamperWithTask('task-1');
    expect(await runtime.createTask(spec)).toMatchObject({
      success: false,
      error: {code: 'TASK_SPEC_CHANGED', message: expect.stringContaining('remove its file, or use another id')},
    });
    unwrap(await runtime.createTask({...spec, id: 'task-2'}));
  });
});
