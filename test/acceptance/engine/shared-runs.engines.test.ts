// Several workers behind a balancer take runs from one Restate server: each of them makes calls, and one that is ended finishes its own.
import {createRestateServer, noServer, type RestateTestServer} from '@lumenflow/integration-restate/testing';
import type {ChildProcess} from 'node:child_process';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {endProcess, freePort, openEngineDesk, type EngineDesk} from '../../support/engine-desk.ts';

const limitMs = 600_000;
const patience = {timeout: 280_000, interval: 200};
const runs = 6;
const steps = 8;

let server: RestateTestServer;
let desk: EngineDesk;
let url: string;

describe.skipIf(noServer !== undefined)('workers of Restate', () => {
  beforeEach(async () => {
    server = await createRestateServer();
    desk = await openEngineDesk({engine: {...server.urls[0]}});
    url = `http://127.0.0.1:${await freePort()}`;
  });
  afterEach(async () => {
    await desk.close();
    await server.remove();
  });

  it('share the runs, and one that gets SIGTERM finishes what it has', {timeout: limitMs}, async () => {
    const ports = [await freePort(), await freePort()];
    await startBalancer(ports);
    const workers = await Promise.all(ports.map(startWorker));
    const ids = await Promise.all(
      Array.from({length: runs}, async (_, run) => await desk.startProgram(flow, {n: run})),
    );
    await vi.waitFor(async () => {
      for (const {pid = 0} of workers) expect(await callsOf(pid)).toBeGreaterThan(0);
    }, patience);
    const [ended, other] = workers;
    expect(await endProcess(ended as ChildProcess, 'SIGTERM')).toBe(0);
    await vi.waitFor(async () => expect(await statesOf(ids)).toEqual(ids.map(() => 'done')), patience);
    const counts = await Promise.all(workers.map(async ({pid = 0}) => await callsOf(pid)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(runs * steps);
    expect(new Set(desk.effects().map(({key}) => key)).size).toBe(runs * steps);
    // A worker without an attempt ends at once.
    expect(await endProcess(other as ChildProcess, 'SIGTERM')).toBe(0);
  });
});

async function startBalancer(ports: readonly number[]): Promise<void> {
  const workers = ports.map((port) => `http://127.0.0.1:${port}`);
  await desk.startWorker('--listen', new URL(url).host, '--balance', ...workers);
}

async function startWorker(port: number): Promise<ChildProcess> {
  return await desk.startWorker('--listen', `127.0.0.1:${port}`, '--url', url);
}

/** How many effects the process with this id has left: handlers themselves run in sandboxes. */
async function callsOf(pid: number): Promise<number> {
  const {evidence, refresh} = desk.host.runtime;
  await refresh();
  const receipts = await Promise.all(desk.effects().map(async ({receipt_id}) => await evidence.receipt(receipt_id)));
  return receipts.filter((receipt) => receipt?.started.process_id.split('.')[2] === String(pid)).length;
}

async function statesOf(ids: readonly string[]): Promise<readonly (string | undefined)[]> {
  await desk.host.runtime.refresh();
  const tasks = desk.host.runtime.listTasks();
  return ids.map((id) => tasks.find(({task_id}) => task_id === id)?.state);
}

const flow = `name: flow
inputs:
  n: {type: integer}
steps:
  - foreach: "[1, 2, 3, 4, 5, 6, 7, 8]"
    item: step
    max: ${steps}
    steps:
      - {call: engine:leave, args: {key: "run\${string(inputs.n)}-\${string(step)}"}}
  - return: done
`;
