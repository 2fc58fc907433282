// What happens if a part of a claim fails. The kernel and git are fakes here, because the real ones fail in these ways only by
// chance. test/acceptance/delivery tests them together.
import {isToolError, type ToolOutput} from '@lumenflow/pack-sdk';
import {beforeEach, expect, test} from 'vitest';
import {createDeliveryLog, type DeliveryLog} from '../events/delivery-log.ts';
import {createMemoryState} from '../memory-state.fixture.ts';
import {createTestWorkspace} from '../test-workspace.fixture.ts';
import {specHash} from '../work-units/spec-hash.ts';
import {claimed, later, specOf, stamp} from '../work-units/work-unit-events.fixture.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import {writeSpec} from '../work-units/write-spec.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import {claimWorkUnit, type ClaimContext} from './claim-work-unit.ts';

const id = 'WU-1';
const text = writeSpec(specOf(1));
const place = {worktree: 'worktrees/wu-1', branch: 'lane/core/wu-1', base: 'abc', left_out: []};

let context: ClaimContext;
let log: DeliveryLog;
let answers: Record<string, unknown>;
let asked: string[];

beforeEach(async () => {
  const workspace = await createTestWorkspace();
  await workspace.put('docs/tasks/WU-1.yaml', text);
  asked = [];
  answers = {
    'kernel:show-workspace': {lanes: [{id: 'core', wip_limit: 1, allowed_scopes: [], in_progress: []}]},
    'kernel:list-tasks': {tasks: [{task_id: id, state: 'ready'}], total: 1},
    'kernel:claim-task': {},
    'kernel:create-task': {},
    'kernel:release-task': {},
    'wu:check-out': place,
  };
  const callTool = async (name: string): Promise<ToolOutput> => {
    asked.push(name);
    const answer = answers[name];
    if (typeof answer === 'object') return {success: true, data: answer};
    if (typeof answer === 'string') return {success: false, error: {code: answer, message: `${name} fails`}};
    return {success: false, error: {code: 'TOOL_NOT_FOUND', message: `${name} is not scripted`}};
  };
  const memory = createMemoryState();
  context = {...workspace.context(undefined), session_id: 's1', state: memory.state, callTool};
  log = createDeliveryLog(context, {slices: []});
  await append({type: 'wu_created', ...stamp, id, spec: specOf(1), spec_hash: specHash(text)});
});

async function append(...events: readonly WuEvent[]): Promise<void> {
  await log.decide(workUnitSlice, () => ({events, result: undefined}));
}

const claim = async (): Promise<string> =>
  await claimWorkUnit(context, log, id).then(
    ({claim: {lease}}) => `token ${lease.token}`,
    (error: unknown) => (isToolError(error) ? error.code : String(error)),
  );
const unit = async (): Promise<unknown> => (await log.read(workUnitSlice)).units[id];

test('on success, the lease comes first and the kernel last', async () => {
  expect(await claim()).toBe('token 1');
  expect(asked.slice(-2)).toEqual(['wu:check-out', 'kernel:claim-task']);
  expect(await unit()).toMatchObject({status: 'in_progress', base: 'abc', lease: {token: 1}});
});

test.each([
  ['wu:check-out', 'BRANCH_IN_USE', 'BRANCH_IN_USE'],
  ['wu:check-out', undefined, 'TOOL_NOT_FOUND'],
  ['kernel:claim-task', 'POLICY_DENIED', 'POLICY_DENIED'],
])('if %s fails with %s, the lease is released and the next claim gets a higher token', async (tool, answer, code) => {
  const sound = answers[tool];
  answers[tool] = answer;
  expect(await claim()).toBe(code);
  expect(await unit()).toMatchObject({status: 'ready'});
  answers[tool] = sound;
  expect(await claim()).toBe('token 2');
});

test('concurrent writes are retried, up to a limit', async () => {
  const {callTool} = context;
  let conflicts = 2;
  context = {
    ...context,
    callTool: async (name, input) => {
      if (name !== 'wu:check-out' || conflicts === 0) return await callTool(name, input);
      conflicts -= 1;
      return {success: false, error: {code: 'WRITE_CONFLICT', message: '`worktrees/.gitignore` changed'}};
    },
  };
  expect(await claim()).toBe('token 1');
  await append({type: 'wu_released', ...stamp, id, token: 1, reason: 'x'});
  conflicts = Number.POSITIVE_INFINITY;
  expect(await claim()).toBe('WRITE_CONFLICT');
  expect(await unit()).toMatchObject({status: 'ready'});
});

test('a lost kernel task is recreated from the recorded spec', async () => {
  answers['kernel:list-tasks'] = {tasks: [], total: 0};
  expect(await claim()).toBe('token 1');
  expect(asked).toContain('kernel:create-task');
  await context.fs.write('docs/tasks/WU-1.yaml', `${text}# more\n`);
  expect(await claim()).toBe('SPEC_CHANGED');
  await context.fs.remove('docs/tasks/WU-1.yaml');
  expect(await claim()).toBe('SPEC_MISSING');
});

test('a lease that the session already held is not released if resuming fails', async () => {
  await append(claimed(1, 5));
  answers['wu:check-out'] = 'GIT_FAILED';
  expect(await claim()).toBe('GIT_FAILED');
  expect(await unit()).toMatchObject({status: 'in_progress', lease: {token: 5}});
});

test('a complete claim is resumed without git', async () => {
  await append(claimed(1, 5), {type: 'wu_started', ...stamp, id, token: 5, base: 'abc'});
  answers['kernel:list-tasks'] = {tasks: [{task_id: id, state: 'active', run: {session_id: 's1'}}], total: 1};
  expect(await claim()).toBe('token 5');
  expect(asked).not.toContain('wu:check-out');
});

test('an expired lease is not taken from a holder that has worked since, or if the kernel does not reply', async () => {
  await append(claimed(1, 5, later(0, 's2')));
  const active_at = new Date(Date.now() - 59 * 60_000).toISOString();
  const task = {task_id: id, state: 'active', run: {session_id: 's2'}, active_at};
  answers['kernel:list-tasks'] = {tasks: [task], total: 1};
  expect(await claim()).toBe('LEASE_HELD');
  answers['kernel:list-tasks'] = 'POLICY_DENIED';
  expect(await claim()).toBe('POLICY_DENIED');
  expect(await unit()).toMatchObject({lease: {token: 5, session_id: 's2'}});
  const long_ago = new Date(Date.now() - 61 * 60_000).toISOString();
  answers['kernel:list-tasks'] = {tasks: [{...task, active_at: long_ago}], total: 1};
  expect(await claim()).toBe('token 6');
});

test('taking over an expired lease also takes the kernel task', async () => {
  await append(claimed(1, 5, later(0, 's2')));
  answers['kernel:list-tasks'] = {tasks: [{task_id: id, state: 'active', run: {session_id: 's2'}}], total: 1};
  expect(await claim()).toBe('token 6');
  expect(asked.slice(-3)).toEqual(['kernel:release-task', 'wu:check-out', 'kernel:claim-task']);
});
