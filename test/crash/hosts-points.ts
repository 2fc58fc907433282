// Four hosts with 128 callers work on one database. Every two seconds a host or the database itself is killed, and starts again. In the
// end there is one truth: nothing acknowledged is lost, no call has two outcomes, one of several claims wins.
import {createPostgresServer, noServer, type PostgresServer} from '@lumenflow/integration-postgres/testing';
import {setTimeout as sleep} from 'node:timers/promises';
import {checkHosts} from './check-hosts.ts';
import type {CrashPoint, SuiteOptions} from './crash-point.ts';
import {makeCrashWorkspace, type CrashWorkspace} from './crash-workspace.ts';
import {doubleWins} from './double-wins.ts';
import {createRandom, type Random} from './random.ts';
import {startWorker, type Worker} from './start-worker.ts';

const hostCount = 4;
const callers = 32;
const wholeMs = 600_000;
const betweenKillsMs = 2_000;

export async function* hostsPoints({seed, share}: SuiteOptions): AsyncGenerator<CrashPoint> {
  if (noServer !== undefined) {
    // No point is counted as passed.
    process.stderr.write(`hosts: skipped: ${noServer}\n`);
    return;
  }
  const [server, workspace] = [await createPostgresServer(), await makeCrashWorkspace()];
  try {
    process.env['LUMENFLOW_DATABASE_URL'] = await server.createDatabase();
    yield await killAtRandom({server, workspace, random: createRandom(seed)}, wholeMs * share);
  } finally {
    delete process.env['LUMENFLOW_DATABASE_URL'];
    workspace.remove();
    await server.remove();
  }
}

interface Scene {
  readonly server: PostgresServer;
  readonly workspace: CrashWorkspace;
  readonly random: Random;
}

async function killAtRandom({server, workspace, random}: Scene, forMs: number): Promise<CrashPoint> {
  const everyone: Worker[] = [];
  const start = (): Worker => {
    const worker = startWorker({
      kind: 'postgres',
      root: workspace.root,
      name: `host${everyone.length}`,
      seed: random.below(2 ** 31),
      callers,
      flags: ['competes', 'slow'],
    });
    everyone.push(worker);
    return worker;
  };
  let living = Array.from({length: hostCount}, start);
  await Promise.all(living.map(({ready}) => ready));
  const killed = new Set<number>();
  const kills = {hosts: 0, database: 0};
  const started = performance.now();
  const until = started + forMs;
  while (performance.now() < until) {
    await sleep(betweenKillsMs);
    if (random.next() < 0.3) {
      await server.kill();
      await server.start();
      kills.database += 1;
    } else {
      const victim = random.pick(living);
      await victim.kill();
      killed.add(victim.pid);
      living = [...living.filter((worker) => worker !== victim), start()];
      kills.hosts += 1;
    }
  }
  const seconds = (performance.now() - started) / 1_000;
  const complaints = await Promise.all(living.map((worker) => worker.stop()));
  const reported = everyone.flatMap((worker) => worker.reported);
  const calls = reported.filter(({kind}) => kind === 'call').length;
  const {problems, records} = await checkHosts(workspace.root, {
    reported,
    effects: workspace.effects(),
    mayBeCrashed: (pid) => killed.has(pid),
  });
  return {
    name: `${hostCount} hosts, ${kills.hosts} of them and ${kills.database} times the database killed`,
    problems: [...complaints.flatMap((complaint) => complaint ?? []), ...doubleWins(everyone), ...problems],
    figures: [
      {title: 'acknowledged calls', value: calls, over: 'sum'},
      {title: 'acknowledged calls in a second', value: Math.round(calls / seconds), over: 'worst'},
      {title: 'records', value: records, over: 'sum'},
      {title: 'hosts killed', value: kills.hosts, over: 'sum'},
      {title: 'database killed', value: kills.database, over: 'sum'},
    ],
  };
}
