// Programs on a host with local handlers: how their steps run, stop and are read.
import {createExec, viewProgramRun, type ProgramRunOptions} from '@lumenflow/host/exec';
import {expect, it, vi} from 'vitest';
import {opened} from '../../support/opened.ts';
import {programWorkspace} from './program-workspace.fixture.ts';

const workspace = programWorkspace();
const {made, failing, run, resumed} = workspace;
const by = 'shop';

it('runs steps of every kind', async () => {
  failing.add('i1');
  const result = await run(
    `
  - {call: list:find, args: {count: "\${inputs.count}"}, as: found}
  - let: {first: "\${found.items[0].id}", total: "\${size(found.items) + 1}"}
  - if: size(found.items) > 1
    then: [{let: {many: true}}]
    else: [{let: {many: false}}]
  - switch: first
    cases: [{is: i9, steps: [{return: nine}]}, {is: i0, steps: [{call: item:read, args: {id: "\${first}"}, as: zero}]}]
    default: [{return: none}]
  - foreach: found.items
    item: each
    max: 10
    parallel: 2
    steps:
      - try: [{call: item:read, args: {id: "\${each.id}"}, as: read}, {let: {text: "\${read.text}"}}]
        catch: [{let: {text: "failed at \${error.step}"}}]
    collect: {id: "\${each.id}", text: "\${text}"}
    as: texts
  - parallel:
      - [{call: item:write, args: {id: a}, as: one}]
      - [{call: item:write, args: {id: b}, as: two}]
  - timeout: 60000
    steps: [{retry: 2, steps: [{call: item:read, args: {id: i2}, as: third}]}]
  - return: {first: "\${first}", total: "\${total}", many: "\${many}", texts: "\${texts}", written: ["\${one.written}", "\${two.written}"], text: "\${total} of \${json(third)} costs $\${"}
`,
    {count: 3},
  );
  expect(result.error).toBeUndefined();
  expect(result).toMatchObject({
    state: 'succeeded',
    value: {
      first: 'i0',
      total: 4,
      many: true,
      texts: [
        {id: 'i0', text: 'text of i0'},
        {id: 'i1', text: 'failed at /steps/4[1]/steps/0/try/0'},
        {id: 'i2', text: 'text of i2'},
      ],
      written: ['a', 'b'],
      text: '4 of {"id":"i2","text":"text of i2"} costs ${',
    },
  });
});

it('reads the record of a run from its evidence', async () => {
  failing.add('b');
  const result = await run(`
  - {call: item:read, args: {id: a}, as: one}
  - {call: item:read, args: {id: b}}
`);
  expect(result).toMatchObject({
    state: 'failed',
    error: {code: 'TOOL_EXECUTION_FAILED', details: {step: '/steps/1'}},
    steps: [
      {step: '/steps/0', kind: 'call', tool_id: 'item:read', state: 'succeeded'},
      {step: '/steps/1', kind: 'call', state: 'failed'},
    ],
  });
  expect(await viewProgramRun(workspace.host, result.run_id)).toEqual({ok: true, value: result});
  expect(made).toEqual(['read a', 'read b']);
  expect(await resumed(result)).toEqual(result);
  expect(made).toHaveLength(2);
});

it('shows a run whose task a person completed as failed', async () => {
  const waiting = await run('  - {wait_for_approval: "Go on?"}\n  - {call: item:write, args: {id: a}}');
  const {run_id} = waiting;
  expect(await workspace.host.runtime.unblockTask({task_id: run_id})).toMatchObject({success: true});
  expect(await workspace.host.runtime.completeTask({task_id: run_id, session_id: run_id, by})).toMatchObject({
    success: true,
  });
  const shown = await viewProgramRun(workspace.host, run_id);
  expect(shown).toMatchObject({ok: true, value: {state: 'failed', error: {code: 'TOOL_CANCELLED'}}});
  expect(shown).not.toHaveProperty('value.approvals');
});

it('shows a call that runs now as running, not as one whose outcome is unknown', async () => {
  const {runtime} = workspace.host;
  const stop = new AbortController();
  const stopped = run('  - {call: slow:write}', {}, {signal: stop.signal});
  await vi.waitFor(async () => {
    const task = runtime.listTasks({state: 'active'}).find(({task_id}) => task_id.startsWith('program-'));
    expect(await viewProgramRun(workspace.host, task?.task_id ?? '')).toMatchObject({
      value: {state: 'running', steps: [{state: 'running', receipt_id: expect.stringContaining('rcp-')}]},
    });
  });
  stop.abort();
  expect(await stopped).not.toMatchObject({state: 'succeeded'});
});

it('keeps the outcome of a run whose contents were redacted', async () => {
  const result = await run(
    '  - {call: item:write, args: {id: secret}, as: written}\n  - {return: "${written.written}"}',
  );
  expect(result).toMatchObject({state: 'succeeded', value: 'secret'});
  const receipt_id = result.steps[0]?.receipt_id ?? '';
  const why = {by: 'ann', reason: 'it contained personal data'};
  expect(await workspace.host.runtime.evidence.redact({receipt_id}, why)).toMatchObject({success: true});
  expect(await viewProgramRun(workspace.host, result.run_id)).toMatchObject({
    value: {state: 'succeeded', value: null, error: {code: 'EVIDENCE_UNAVAILABLE'}},
  });
});

it('does not start from a session whose task limits its calls', async () => {
  const {host} = workspace;
  const program = {name: 'reading', steps: [{call: 'item:read', args: {id: 'a'}}, {return: 1}]} as never;
  const inTask = async (task: object): Promise<unknown> => {
    const session = opened(await host.openSession({by, task}));
    const found = await createExec(host, {session}).runProgram({program});
    await session.release('done');
    return found.ok ? found.value.state : found.problem.code;
  };
  expect(await inTask({})).toBe('succeeded');
  expect(await inTask({declared_scopes: []})).toBe('SCOPE_DENIED');
});

it('bounds steps, calls, time, output, depth and expressions', async () => {
  const loop = (body: string): string =>
    `  - {call: list:find, args: {count: 5}, as: found}\n  - {foreach: found.items, item: each, max: 9, steps: [${body}]}`;
  const read = '{call: item:read, args: {id: "${each.id}"}}';
  const limited = async (steps: string, limits: ProgramRunOptions['limits']): Promise<unknown> =>
    (await run(steps, {}, {limits})).error?.details?.['limit'];
  expect(await limited(loop(read), {tool_calls: 3})).toBe('tool_calls');
  expect(made).toHaveLength(2);
  expect(await limited(loop(read), {steps: 4})).toBe('steps');
  expect(await limited(loop(read), {output_bytes: 100})).toBe('output_bytes');
  expect(await limited(loop(read), {depth: 1})).toBe('depth');
  expect(await limited('  - {call: slow:wait}\n  - {call: item:read, args: {id: a}}', {wall_time_ms: 50})).toBe(
    'wall_time_ms',
  );
  const huge = '${inputs.all.map(a, inputs.all.map(b, inputs.all.map(c, [a, b, c])))}';
  const all = Array.from({length: 300}, (_, index) => index);
  const caught = `  - {try: [{let: {huge: "${huge}"}}], catch: [{return: caught}]}`;
  expect(await run(caught, {all})).toMatchObject({state: 'failed', error: {code: 'LIMIT_EXCEEDED'}});
});

it('ends steps that are too slow, and the program can handle it', async () => {
  const result = await run(
    '  - try: [{timeout: 50, steps: [{call: slow:wait}]}]\n    catch: [{return: "${error.code}"}]',
  );
  expect(result).toMatchObject({state: 'succeeded', value: 'TOOL_TIMEOUT'});
  expect(await viewProgramRun(workspace.host, result.run_id)).toEqual({ok: true, value: result});
});
