// Several hosts on one database against one host on files, and how long it takes until a host or the database is replaced.
import {openPostgresState} from '@lumenflow/integration-postgres';
import {createPostgresServer, noServer, type PostgresServer} from '@lumenflow/integration-postgres/testing';
import {createProcessRegistry, type WorkspaceState} from '@lumenflow/kernel/node';
import {setTimeout as sleep} from 'node:timers/promises';
import {makeBenchWorkspace} from './bench-workspace.ts';
import {startBenchHost, type BenchHost} from './start-bench-host.ts';
import {compare, type Sampler} from './compare.ts';
import type {Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {median} from './statistics.ts';
import {storeFigures} from './store-figures.ts';

const callers = 128;
const numbers = [1, 2, 4] as const;
const leaseMs = 3_000;
const pollMs = 20;

export async function* hostsFigures(effort: Effort): AsyncGenerator<Figure> {
  if (noServer !== undefined) {
    effort.report(`hosts are not measured: ${noServer}`);
    return;
  }
  const server = await createPostgresServer();
  try {
    yield* storeFigures(effort, await server.createDatabase());
    yield* rateFigures(effort, server);
    yield await hostFailOver(effort, server);
    yield await databaseRestart(effort, server);
  } finally {
    await server.remove();
  }
}

/** The same callers, divided among one, two and four hosts. */
async function* rateFigures(effort: Effort, server: PostgresServer): AsyncGenerator<Figure> {
  const [files, shared] = [await makeBenchWorkspace(), await makeBenchWorkspace()];
  const url = await server.createDatabase();
  const alone = await startBenchHost({root: files.root});
  const hosts = await startHosts(Math.max(...numbers), {root: shared.root, url});
  try {
    const ms = 3_000 * effort.share;
    for (const number of numbers) {
      yield await compare({
        id: `hosts.rate_${number}`,
        title: `${number === 1 ? 'one host' : `${number} hosts`} on PostgreSQL, ${callers} callers`,
        unit: 'per_second',
        runs: Math.min(5, effort.runs),
        sample: rateOf(hosts.slice(0, number), ms),
        baseline: {title: 'one host on files', sample: rateOf([alone], ms)},
      });
    }
  } finally {
    await Promise.all([alone, ...hosts].map((host) => host.close()));
    files.remove();
    shared.remove();
  }
}

async function startHosts(count: number, options: {root: string; url: string; leaseMs?: number}): Promise<BenchHost[]> {
  return await Promise.all(Array.from({length: count}, () => startBenchHost(options)));
}

function rateOf(hosts: readonly BenchHost[], ms: number): Sampler {
  return async () => {
    const started = performance.now();
    const calls = await Promise.all(hosts.map((host) => host.serve({callers: callers / hosts.length, ms})));
    return [(calls.reduce((sum, count) => sum + count, 0) * 1_000) / (performance.now() - started)];
  };
}

/** From the kill of a busy host until the other has recorded an outcome for each of its calls. */
async function hostFailOver({runs, report}: Effort, server: PostgresServer): Promise<Figure> {
  const times: number[] = [];
  for (let run = 0; run < Math.min(3, runs); run += 1) {
    const workspace = await makeBenchWorkspace();
    const url = await server.createDatabase();
    const [survivor, victim] = await startHosts(2, {root: workspace.root, url, leaseMs});
    const state = await openPostgresState({url, processes: createProcessRegistry()});
    try {
      victim?.serve({callers: 32, ms: 60_000}).catch(() => undefined);
      times.push(await timeToCloseCalls(state, async () => await victim?.kill()));
      report(`the calls of a killed host ended after ${Math.round(times.at(-1) ?? 0)} ms`);
    } finally {
      await state.close();
      await survivor?.close();
      workspace.remove();
    }
  }
  return {
    id: 'hosts.fail_over',
    title: 'until calls of a killed host have ended',
    unit: 'ms',
    runs: times.length,
    p50: median(times),
    baseline: {title: 'its lease', p50: leaseMs},
    ratio: median(times) / leaseMs,
    // Suspected after a lease, ended after half of one, seen at the next renewal, a third later, of a host that was seen a third before.
    bar: {of: 'ratio', limit: 2.25},
  };
}

/** The host is killed while calls are open. */
async function timeToCloseCalls({evidence}: WorkspaceState, kill: () => Promise<void>): Promise<number> {
  await untilTrue(async () => (await evidence.openCalls()).length > 0);
  await kill();
  const started = performance.now();
  const left = (await evidence.openCalls()).length;
  // It may have been between two calls.
  if (left === 0) throw new Error('the host was killed without an open call');
  await untilTrue(async () => (await evidence.openCalls()).length === 0);
  return performance.now() - started;
}

/** From the kill of the database until calls are recorded again. It is started at once, as a service manager would. */
async function databaseRestart({runs}: Effort, server: PostgresServer): Promise<Figure> {
  const times: number[] = [];
  const workspace = await makeBenchWorkspace();
  const url = await server.createDatabase();
  const host = await startBenchHost({root: workspace.root, url});
  try {
    for (let run = 0; run < Math.min(3, runs); run += 1) {
      await host.serve({callers, ms: 500});
      const started = performance.now();
      await server.kill();
      const restarted = server.start();
      await host.serve({callers: 1, ms: 1});
      times.push(performance.now() - started);
      await restarted;
    }
  } finally {
    await host.close();
    workspace.remove();
  }
  return {
    id: 'hosts.database_restart',
    title: 'until a call is recorded after the database was killed',
    unit: 'ms',
    runs: times.length,
    p50: median(times),
  };
}

async function untilTrue(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await sleep(pollMs);
}
