// One of several hosts, as a process. It reads lines of JSON, `{callers, ms}`, makes calls that long, and until one has ended, and prints how many did.
// Arguments: the folder of the workspace, the lease in milliseconds. With LUMENFLOW_DATABASE_URL, its records are in that database.
import {startHost, type Session} from '@lumenflow/host';
import {openPostgresState} from '@lumenflow/integration-postgres';
import {createInterface} from 'node:readline';
import {opened} from '../support/opened.ts';
import type {HostLoad} from './start-bench-host.ts';

/** A database that is killed is back by then. */
const awayMs = 120_000;

const [, , workspaceRoot = '', leaseMs = ''] = process.argv;
const {LUMENFLOW_DATABASE_URL: url} = process.env;
const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

const state = url === undefined ? undefined : await openPostgresState({url, leaseMs: Number(leaseMs)});
const host = await startHost({workspaceRoot, env: process.env, threads: 1, ...(state && {state})});
const session: Session = opened(await host.openSession({by: `bench-${process.pid}`}));

async function serve({callers, ms}: HostLoad): Promise<number> {
  const until = performance.now() + ms;
  let calls = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < until || calls === 0) {
      const output = await session.call('noop:read', {path: 'a/b'});
      // The database is away: nothing ran.
      if (output.error?.code === 'EVIDENCE_UNAVAILABLE' && performance.now() < until + awayMs) continue;
      if (!output.success) throw new Error(`the call failed: ${JSON.stringify(output.error)}`);
      calls += 1;
    }
  };
  await Promise.all(Array.from({length: callers}, caller));
  return calls;
}

print('ready');
for await (const line of createInterface({input: process.stdin})) print(await serve(JSON.parse(line) as HostLoad));
await host.close();
