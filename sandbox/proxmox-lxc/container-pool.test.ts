// Containers are shared by calls, one after another, and never at the same time.
import {beforeEach, expect, test} from 'vitest';
import {createLifeBench, someLimits, type LifeBench} from '../testing/proxmox/container-life.fixture.ts';
import type {Container} from './container-life.ts';
import {createContainerPool, type ContainerPool} from './container-pool.ts';

let bench: LifeBench;
beforeEach(() => {
  bench = createLifeBench();
});

const poolOf = (max: number, kept: number): ContainerPool<string> => createContainerPool({life: bench.life, max, kept});
const requests = (pattern: RegExp): number => bench.server.asked.filter((request) => pattern.test(request)).length;

async function acquired(pool: ContainerPool<string>, memory = someLimits.memory): Promise<Container<string>> {
  const found = await pool.acquire({...someLimits, memory});
  if (!found.ok) throw new Error(found.problem.failure.message);
  return found.value;
}

test('a kept container is rolled back before its next call, which sets its limits', async () => {
  const pool = poolOf(2, 1);
  const first = await acquired(pool);
  await pool.release(first);
  expect(requests(/rollback$/)).toBe(1);
  const second = await acquired(pool, 4096);
  expect(second.id).toBe(first.id);
  expect(requests(/clone$/)).toBe(1);
  expect(bench.server.state.get(first.id).config['memory']).toBe(4096);
});

test('a container that no call has used is not rolled back', async () => {
  const pool = poolOf(1, 1);
  const first = await acquired(pool);
  pool.giveBack(first);
  expect((await acquired(pool)).id).toBe(first.id);
  expect(requests(/rollback$/)).toBe(0);
});

test('without kept containers, each call has its own', async () => {
  const pool = poolOf(2, 0);
  await pool.release(await acquired(pool));
  expect(bench.ids()).toEqual([]);
  await acquired(pool);
  expect(requests(/clone$/)).toBe(2);
  expect(requests(/snapshot$/)).toBe(0);
});

test('there are never more containers than allowed', async () => {
  const pool = poolOf(2, 1);
  let atOnce = 0;
  let most = 0;
  const used = new Set<number>();
  await Promise.all(
    Array.from({length: 12}, async () => {
      const container = await acquired(pool);
      expect(used.has(container.id)).toBe(false);
      used.add(container.id);
      most = Math.max(most, (atOnce += 1), bench.ids().length);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      used.delete(container.id);
      void pool.release(container);
    }),
  );
  expect(most).toBe(2);
  await pool.close();
  expect(bench.ids()).toEqual([]);
});

test('a container that cannot be rolled back is destroyed, and so is one without its limits', async () => {
  const pool = poolOf(1, 1);
  bench.server.fail({of: /rollback$/, exitStatus: 'rollback failed'});
  await pool.release(await acquired(pool));
  expect(bench.ids()).toEqual([]);
  await pool.release(await acquired(pool));
  bench.server.fail({of: /PUT/, message: 'unable to set the memory'});
  await acquired(pool);
  expect(requests(/clone$/)).toBe(3);
  expect(bench.ids().length).toBe(1);
});

test('closing leaves nothing of what is being started, and refuses what waits', async () => {
  const pool = poolOf(1, 1);
  const [starting, waiting] = [pool.acquire(someLimits), pool.acquire(someLimits)];
  await pool.close();
  expect(await starting).toMatchObject({ok: false});
  expect(await waiting).toMatchObject({ok: false});
  expect(bench.ids()).toEqual([]);
});

test('closing waits for a container in use', async () => {
  const pool = poolOf(1, 1);
  const container = await acquired(pool);
  let isClosed = false;
  const closed = pool.close().then(() => (isClosed = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  void pool.release(container);
  await closed;
  expect(bench.ids()).toEqual([]);
});

test('a failure frees what it used', async () => {
  const pool = poolOf(1, 0);
  bench.server.fail({of: /start$/, exitStatus: 'startup failed'});
  expect(await pool.acquire(someLimits)).toMatchObject({ok: false, problem: {step: 'started'}});
  await acquired(pool);
});
