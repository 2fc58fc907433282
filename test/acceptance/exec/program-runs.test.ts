// Programs on a host with local handlers: how their steps run, stop and are resumed.
import {
  createExec,
  resumeProgram,
  runProgram,
  viewProgramRun,
  type ProgramRun,
  type ProgramRunOptions,
} from '@lumenflow/host/exec';
import {expect, it, vi} from 'vitest';
import {opened} from '../../support/opened.ts';
import {programWorkspace} from './program-workspace.fixture.ts';

const workspace = programWorkspace();
const {made, failing} = workspace;
const by = 'shop';

async function run(
  steps: string,
  inputs: Record<string, unknown> = {},
  options?: ProgramRunOptions,
): Promise<ProgramRun> {
  const declared = Object.keys(inputs).map((name) => `  ${name}: {}`);
  const text = ['name: test', ...(declared.length > 0 ? ['inputs:', ...declared] : []), 'steps:', steps].join('\n');
  const found = await runProgram(workspace.host, {program: {file: 'test.yaml', text}, inputs, by}, options);
  if (!found.ok) throw new Error(JSON.stringify(found.problem));
  return found.value;
}

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
  expect(await resumeProgram(workspace.host, {run_id: result.run_id, by})).toMatchObject({
    ok: false,
    problem: {code: 'TASK_NOT_ACTIVE'},
  });
});

it('waits for the approval of a call and of a step, and repeats nothing when it is resumed', async () => {
  const waiting = await run(`
  - {call: item:write, args: {id: a}}
  - {call: item:publish, args: {id: a}, as: published}
  - {wait_for_approval: "Tell about \${published.published}?"}
  - {call: item:write, args: {id: b}}
  - return: "\${published.published}"
`);
  expect(waiting).toMatchObject({state: 'waiting', approvals: [expect.stringContaining('apr-')]});
  expect(await viewProgramRun(workspace.host, waiting.run_id)).toEqual({ok: true, value: waiting});
  await approve(waiting);
  const again = await resumed(waiting);
  expect(again).toMatchObject({
    state: 'waiting',
    steps: [{}, {state: 'succeeded'}, {state: 'waiting', kind: 'wait_for_approval'}],
  });
  expect(again.approvals).not.toEqual(waiting.approvals);
  expect(await viewProgramRun(workspace.host, waiting.run_id)).toEqual({ok: true, value: again});
  await approve(again);
  expect(await resumed(waiting)).toMatchObject({state: 'succeeded', value: 'a'});
  expect(made).toEqual(['write a', 'publish a', 'write b']);
});

it('shows a run whose task a person completed as failed', async () => {
  const waiting = await run('  - {wait_for_approval: "Go on?"}\n  - {call: item:write, args: {id: a}}');
  const {run_id} = waiting;
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

it('neither starts nor resumes a run with limits that are not valid', async () => {
  const limits = {parallel: 0};
  const program = {file: 'test.yaml', text: 'name: test\nsteps: [{return: 1}]'};
  const {run_id} = await run('  - {wait_for_approval: "Go on?"}');
  const refusal = {ok: false, problem: {code: 'INVALID_INPUT', message: expect.stringContaining('`limits`')}};
  expect(await runProgram(workspace.host, {program, by}, {limits})).toMatchObject(refusal);
  expect(await resumeProgram(workspace.host, {run_id, by}, {limits})).toMatchObject(refusal);
});

it('fails when a person rejects a step', async () => {
  const waiting = await run('  - {wait_for_approval: "Go on?"}\n  - {call: item:write, args: {id: a}}');
  await workspace.host.runtime.resolveApproval({
    request_id: waiting.approvals?.[0] ?? '',
    approved: false,
    approved_by: 'ann',
    reason: 'no',
  });
  expect(await resumed(waiting)).toMatchObject({
    state: 'failed',
    error: {code: 'POLICY_DENIED', details: {step: '/steps/0'}},
  });
  expect(made).toEqual([]);
});

async function approve({approvals = []}: ProgramRun): Promise<void> {
  for (const request_id of approvals) {
    const answered = await workspace.host.runtime.resolveApproval({request_id, approved: true, approved_by: 'ann'});
    expect(answered).toMatchObject({success: true});
  }
}

async function resumed({run_id}: ProgramRun): Promise<ProgramRun> {
  const found = await resumeProgram(workspace.host, {run_id, by});
  if (!found.ok) throw new Error(JSON.stringify(found.problem));
  return found.value;
}

it('is approved once as a whole', async () => {
  const text = `
name: publish
inputs: {ids: {type: array}}
steps:
  - foreach: inputs.ids
    item: id
    max: 9
    steps: [{call: item:publish, args: {id: "\${id}"}}]
`;
  const program = {file: 'publish.yaml', text};
  const started = await runProgram(workspace.host, {program, inputs: {ids: ['a', 'b']}, by, approved_as_whole: true});
  const waiting = started.ok ? started.value : undefined;
  expect(waiting).toMatchObject({state: 'waiting', steps: [], approvals: [expect.any(String)]});
  expect(made).toEqual([]);
  if (!waiting) return;
  expect(await viewProgramRun(workspace.host, waiting.run_id)).toEqual({ok: true, value: waiting});
  await approve(waiting);
  expect(await resumed(waiting)).toMatchObject({state: 'succeeded'});
  expect(made).toEqual(['publish a', 'publish b']);
});

it('permits the tools of an approved program in its run only', async () => {
  const {host} = workspace;
  const {runtime} = host;
  const session = opened(await host.openSession({by}));
  const {task_id, run_id, session_id} = session;
  const [tool] = [runtime.workspace.tools.get('item:publish')];
  const permitted = (pack_integrity = tool?.pack.integrity ?? '') => [
    {tool_name: 'item:publish', pack_id: 'local', pack_integrity},
  ];
  const ask = async (shown: string, integrity?: string): Promise<string> => {
    const request = {task_id, session_id, by, shown, permitted_tools: permitted(integrity)};
    const asked = await runtime.requestApproval(request);
    const request_id = asked.success ? asked.data.approval.request_id : '';
    expect(asked).toMatchObject({success: true, data: {answer: 'pending'}});
    await runtime.resolveApproval({request_id, approved: true, approved_by: 'ann'});
    expect(await codeWith(request_id)).toBe('APPROVAL_REQUIRED');
    expect(await runtime.requestApproval(request)).toMatchObject({
      data: {answer: 'approved', approval: {state: 'used'}},
    });
    return request_id;
  };
  const codeWith = async (program_approval: string, context = {task_id, run_id, session_id}): Promise<string> => {
    const output = await runtime.executeTool('item:publish', {id: 'x'}, {...context, program_approval});
    return output.success ? 'success' : output.error.code;
  };
  const approval = await ask('this program');
  expect([await codeWith(approval), await codeWith(approval)]).toEqual(['success', 'success']);
  expect(await codeWith('apr-none')).toBe('APPROVAL_REQUIRED');
  const other = opened(await host.openSession({by}));
  expect(await codeWith(approval, {task_id: other.task_id, run_id: other.run_id, session_id: other.session_id})).toBe(
    'APPROVAL_REQUIRED',
  );
  // As if the pack had changed since.
  expect(await codeWith(await ask('another program', 'sha256:other'))).toBe('APPROVAL_REQUIRED');
  expect(await runtime.requestApproval({task_id, session_id: other.session_id, by, shown: ''})).toMatchObject({
    error: {code: 'TASK_NOT_ACTIVE'},
  });
  await session.release('done');
  await other.release('done');
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
