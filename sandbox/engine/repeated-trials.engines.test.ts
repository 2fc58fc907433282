// What one host has tried on an engine, later hosts do not try again, until the engine starts again or a call has another profile.
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {connect, createServer, type Server} from 'node:net';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {engineObstacle, startEngine, type EngineDaemon} from '../testing/engine-daemon.fixture.ts';
import {createUserBench, userObstacle, type UserBench} from '../testing/user-bench.fixture.ts';
import {engineBackends} from './engines.ts';

const timeout = 300_000;

interface CountingSocket {
  /** Containers that were created through it since the last question. */
  created(): number;
  close(): void;
}

/** Passes everything on to the engine. */
async function openCountingSocket(path: string, engine: string): Promise<CountingSocket> {
  let count = 0;
  const server: Server = createServer((client) => {
    const upstream = connect(engine);
    client.on('data', (bytes) => (count += bytes.toString('latin1').split(/POST \S*\/containers\/create/).length - 1));
    client.pipe(upstream).pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('error', () => other.destroy());
  }).listen(path);
  await once(server, 'listening');
  return {
    created() {
      const created = count;
      count = 0;
      return created;
    },
    close: () => void server.close(),
  };
}

for (const backend of engineBackends) {
  const obstacle = engineObstacle(backend) ?? userObstacle();
  describe.skipIf(obstacle !== undefined)(`${backend}${obstacle === undefined ? '' : ` (${obstacle})`}`, () => {
    let daemon: EngineDaemon;
    let users: UserBench;
    let folder: string;
    let counting: CountingSocket;
    const socket = (): string => join(folder, 'counting.sock');
    beforeEach(async () => {
      folder = mkdtempSync('/var/tmp/lumenflow-counting-');
      [daemon, users] = [await startEngine(backend), await createUserBench()];
      counting = await openCountingSocket(socket(), daemon.socket);
    }, timeout);
    afterEach(async () => {
      counting.close();
      users.remove();
      rmSync(folder, {recursive: true});
      await daemon.end();
    }, timeout);

    /** Of a host of its own: how many containers it created. */
    async function containersOf(write: readonly string[] = ['**']): Promise<number> {
      const {output, enforcement} = await users.call('return 1;', {
        backend,
        uid: 0,
        options: {[backend]: {socket: socket()}},
        write,
      });
      expect(output).toEqual({success: true, data: 1});
      expect(enforcement.self_test).toMatch(/^[0-9a-f]{64}$/);
      return counting.created();
    }

    test('a host creates the container of its call alone once another one has tried the same', {timeout}, async () => {
      // The engine itself, the profile, and the call.
      expect(await containersOf()).toBe(3);
      expect(await containersOf()).toBe(1);
      expect(await containersOf(['docs/**'])).toBe(2);
      counting.close();
      rmSync(socket(), {force: true});
      counting = await openCountingSocket(socket(), daemon.socket);
      expect(await containersOf()).toBe(3);
    });
  });
}
