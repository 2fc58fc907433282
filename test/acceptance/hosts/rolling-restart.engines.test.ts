// Three hosts on one database restart one after another, and are then killed, while clients call them over HTTP.
import {createPostgresServer, noServer, type PostgresServer} from '@lumenflow/integration-postgres/testing';
import {openTokenStore} from '@lumenflow/host';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {assertBuilt, runProgram} from '../../support/lumenflow-program.ts';
import {echoFiles, echoPin} from './echo-pack.fixture.ts';
import {startClients, type RetryingClients} from './retrying-clients.fixture.ts';
import {serveHost, type ServedHost} from './served-host.fixture.ts';

interface RecordLine {
  readonly type: string;
  readonly receipt_id: string;
  readonly result?: string;
}

/** Against what hangs, on a busy machine. */
const limitMs = 600_000;

describe.skipIf(noServer !== undefined)('three hosts on one database, with clients that retry on another host', () => {
  let database: PostgresServer;
  let workspace: HostWorkspace;
  let env: Readonly<Record<string, string>>;
  let clients: RetryingClients;
  const hosts: ServedHost[] = [];
  beforeAll(async () => {
    assertBuilt();
    database = await createPostgresServer();
    env = {LUMENFLOW_DATABASE_URL: await database.createDatabase()};
    workspace = makeHostWorkspace({files: echoFiles, spec: {packs: [echoPin], state: {kind: 'postgres'}}});
    const token = await openTokenStore(workspace.root).issue({name: 'ann', role: 'agent'});
    for (let count = 0; count < 3; count += 1) hosts.push(await serveHost(workspace.root, env));
    clients = startClients({hosts: hosts.map(({url}) => url), token, clients: 4});
  }, limitMs);
  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.end('SIGKILL')));
    await workspace.remove();
    await database.remove();
  });

  async function moreCalls(): Promise<void> {
    const before = clients.acknowledged.length;
    await vi.waitFor(() => expect(clients.acknowledged.length).toBeGreaterThan(before + 25), {timeout: 120_000});
  }

  /** Results by receipt; a call without an outcome has none. */
  async function recorded(): Promise<ReadonlyMap<string, readonly string[]>> {
    const {code, stdout, stderr} = await runProgram(['evidence', 'export'], {cwd: workspace.root, env});
    if (code !== 0) throw new Error(stderr);
    const results = new Map<string, string[]>();
    for (const line of stdout.trim().split('\n')) {
      const {type, receipt_id, result = ''} = JSON.parse(line) as RecordLine;
      if (type === 'tool_call_started') results.set(receipt_id, []);
      if (type === 'tool_call_finished') results.get(receipt_id)?.push(result);
    }
    return results;
  }

  test(
    'restarted in turn: clients see only what they can retry, and no call is cut off',
    async () => {
      for (const host of hosts) {
        await moreCalls();
        expect(await host.end('SIGTERM')).toMatchObject({code: 0});
        await moreCalls();
        await host.startAgain();
      }
      await moreCalls();
      const failures = clients.takeFailures();
      expect(failures).toContain('ECONNREFUSED');
      expect(failures.filter((failure) => !['503 CLOSING 1', 'ECONNREFUSED'].includes(failure))).toEqual([]);
      const results = [...(await recorded()).values()].flat();
      expect(new Set(results)).toEqual(new Set(['success']));
    },
    limitMs,
  );

  test(
    'killed in turn: each call that was acknowledged is recorded as that, and each call gets one outcome',
    async () => {
      const [one, two, three] = hosts;
      for (const host of [one, two]) {
        await moreCalls();
        expect(await host?.end('SIGKILL')).toMatchObject({signal: 'SIGKILL'});
      }
      await moreCalls();
      await one?.startAgain();
      await three?.end('SIGKILL');
      await moreCalls();
      await clients.stop();
      const broken = ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'];
      expect(clients.takeFailures().filter((failure) => !broken.includes(failure))).toEqual([]);

      // The surviving host ends the calls of the others when their leases are over.
      let results = await recorded();
      await vi.waitFor(
        async () => {
          results = await recorded();
          expect([...results.values()].filter(({length}) => length !== 1)).toEqual([]);
        },
        {timeout: 120_000, interval: 1_000},
      );
      expect(clients.acknowledged.filter((receipt) => results.get(receipt)?.[0] !== 'success')).toEqual([]);
      expect(new Set(clients.acknowledged).size).toBe(clients.acknowledged.length);
      const others = [...results.values()].flat().filter((result) => result !== 'success' && result !== 'crashed');
      expect(others).toEqual([]);
      const verified = await runProgram(['evidence', 'verify', '--json'], {cwd: workspace.root, env});
      expect(JSON.parse(verified.stdout)).toMatchObject({ok: true});
    },
    limitMs,
  );
});
