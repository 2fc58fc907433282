// A session works in the task that it has claimed through a tool, and returns to its own afterwards.
import type {Host, Session} from '@lumenflow/host';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeHostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const workspace = makeHostWorkspace({
  copied: {units: join(import.meta.dirname, '../units-pack')},
  pins: {units: {trust: 'in_process'}},
});
let host: Host;
beforeAll(async () => {
  host = await workspace.start();
});
afterAll(() => workspace.remove());

async function call(session: Session, tool: string, input: object = {}): Promise<unknown> {
  const {data, error} = await session.call(tool, input);
  expect(error).toBeUndefined();
  return data;
}
const whereIs = async (session: Session): Promise<unknown> => await call(session, 'unit:where');

test('from its own task into what it claims, and back', async () => {
  const session = opened(await host.openSession({by: 'ann'}));
  const own = session.task_id;
  expect(await whereIs(session)).toEqual({task_id: own});
  await call(session, 'unit:new', {id: 'U-1'});
  await call(session, 'unit:claim', {id: 'U-1'});
  expect(await whereIs(session)).toEqual({task_id: 'U-1'});
  expect(session.task_id).toBe('U-1');
  expect((await session.explain('unit:where', {})).decision).toBe('allow');
  await call(session, 'unit:end', {id: 'U-1', how: 'block'});
  expect(await whereIs(session)).toEqual({task_id: own});
  await call(session, 'unit:end', {id: 'U-1', how: 'unblock'});
  expect(await whereIs(session)).toEqual({task_id: 'U-1'});
  await call(session, 'unit:end', {id: 'U-1', how: 'complete'});
  expect(await whereIs(session)).toEqual({task_id: own});
  expect(await session.complete()).toMatchObject({success: true, data: {task_id: own, state: 'done'}});
});

test('another session of the same host stays where it is', async () => {
  const [one, two] = [opened(await host.openSession({by: 'ann'})), opened(await host.openSession({by: 'bob'}))];
  await call(one, 'unit:new', {id: 'U-2'});
  await call(one, 'unit:claim', {id: 'U-2'});
  expect(await whereIs(two)).toEqual({task_id: two.session_id});
  expect(await two.call('unit:claim', {id: 'U-2'})).toMatchObject({error: {code: 'TASK_NOT_CLAIMABLE'}});
});

test('a session keeps its tasks when the host that it claimed them in ends', async () => {
  const second = await workspace.start();
  const session = opened(await second.openSession({by: 'ann'}));
  await call(session, 'unit:new', {id: 'U-3'});
  await call(session, 'unit:claim', {id: 'U-3'});
  await second.close();
  expect(host.runtime.listHeldTasks(session.session_id)).toMatchObject([{task_id: 'U-3', state: 'active'}]);
  const again = opened(await host.openSession({by: 'ann', session_id: session.session_id, own_task_id: 'another-own'}));
  expect(await whereIs(again)).toEqual({task_id: 'U-3'});
});
