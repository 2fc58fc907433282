// Each repair, with a fake kernel that records its calls. test/acceptance/delivery tests them together.
import {isToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {beforeEach, expect, test} from 'vitest';
import type {DocWrite} from '../nested-calls/write-doc.ts';
import {createDeliveryLog, type DeliveryLog} from '../events/delivery-log.ts';
import {createMemoryState} from '../memory-state.fixture.ts';
import type {PackConfig} from '../pack-config.ts';
import {createTestWorkspace, type TestWorkspace} from '../test-workspace.fixture.ts';
import {docsWrite} from '../tools/docs/write.ts';
import type {KernelTask} from '../work-units/kernel-tasks.ts';
import {claimed, created, specOf} from '../work-units/work-unit-events.fixture.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import {writeSpec} from '../work-units/write-spec.ts';
import type {Repair} from './find-repairs.ts';
import {repairWorkUnit} from './repair-work-unit.ts';

const id = 'WU-1';
let workspace: TestWorkspace;
let context: ToolContext<PackConfig>;
let log: DeliveryLog;
let asked: readonly [string, unknown][];

beforeEach(async () => {
  workspace = await createTestWorkspace();
  asked = [];
  const callTool: ToolContext['callTool'] = async (name, input) => {
    if (name === 'docs:write') await docsWrite.run(input as DocWrite, workspace.context(undefined));
    else asked = [...asked, [name, input]];
    return {success: true, data: {}};
  };
  const memory = createMemoryState();
  context = {...workspace.context<PackConfig>(undefined), state: memory.state, callTool};
  log = createDeliveryLog(context, {slices: []});
  await log.decide(workUnitSlice, () => ({events: [created(1)], result: undefined}));
});

async function repair(kind: Repair, task?: KernelTask): Promise<void> {
  const unit = (await log.read(workUnitSlice)).units[id];
  if (unit === undefined) throw new Error('no unit');
  await repairWorkUnit(context, log, {id, repair: kind, problem: ''}, {unit, task});
}

const hold = async (): Promise<void> => {
  await log.decide(workUnitSlice, () => ({events: [claimed(1, 3)], result: undefined}));
};
const status = async (): Promise<string | undefined> => (await log.read(workUnitSlice)).units[id]?.status;

test('a lost file is rewritten from the record, which then refers to that file', async () => {
  await repair('write-spec');
  expect(await workspace.text('docs/tasks/WU-1.yaml')).toBe(writeSpec(specOf(1)));
  expect((await log.read(workUnitSlice)).units[id]?.spec_hash).toMatch(/^[0-9a-f]{64}$/);
});

test('the file of work in progress is rewritten, and its record stays', async () => {
  await hold();
  await repair('write-spec');
  expect(await workspace.text('docs/tasks/WU-1.yaml')).toBe(writeSpec(specOf(1)));
  expect((await log.read(workUnitSlice)).units[id]?.spec_hash).toBe('hash-1');
});

test('an edited file is recorded', async () => {
  await workspace.put('docs/tasks/WU-1.yaml', writeSpec(specOf(1, {title: 'By hand'})));
  await repair('record-spec');
  expect((await log.read(workUnitSlice)).units[id]?.spec.title).toBe('By hand');
  expect(asked.map(([name]) => name)).toEqual(['kernel:amend-task']);
});

test('a lost task is recreated from the whole spec', async () => {
  await repair('create-task');
  expect(asked).toEqual([
    ['kernel:create-task', expect.objectContaining({id, lane_id: 'core', type: 'work-unit', title: 'Unit 1'})],
  ]);
});

test('a unit that is done in the kernel becomes done', async () => {
  await hold();
  await repair('complete', {state: 'done'});
  expect([await status(), asked]).toEqual(['done', []]);
});

test('a claim that the kernel does not have is released', async () => {
  await hold();
  await repair('release', {state: 'ready'});
  expect([await status(), asked]).toEqual(['ready', []]);
});

test('a task with another holder is released', async () => {
  await repair('release-task', {state: 'active', holder: 's2'});
  await hold();
  await repair('release', {state: 'blocked', holder: 's2'});
  const release = ['kernel:release-task', {task_id: id, reason: 'repaired', held_by: 's2'}];
  expect([await status(), asked]).toEqual(['ready', [release, release]]);
});

test('a work unit that was never recorded is not recreated', async () => {
  const unit = (await log.read(workUnitSlice)).units[id];
  if (unit === undefined) throw new Error('no unit');
  const need = {id: 'WU-9', repair: 'create-task', problem: ''} as const;
  const code = await repairWorkUnit(context, log, need, {unit, task: undefined}).catch((error: unknown) =>
    isToolError(error) ? error.code : String(error),
  );
  expect(code).toBe('WU_NOT_FOUND');
});
