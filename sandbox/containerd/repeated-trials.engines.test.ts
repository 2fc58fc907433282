// Later hosts do not repeat the trials of an earlier host, unless the profile changes or containerd restarts.
import {execFileSync, spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {setTimeout as delay} from 'node:timers/promises';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {engineObstacle, startEngine, type EngineDaemon} from '../testing/engine-daemon.fixture.ts';
import {createUserBench, userObstacle, type UserBench} from '../testing/user-bench.fixture.ts';
import {containerdBackends} from './containerd-runtimes.ts';

const timeout = 300_000;

let marks = 0;

interface EventLog {
  /** Number of containers created since the previous call. */
  created(): Promise<number>;
  end(): Promise<void>;
}

/** Reads the events of containerd. */
function openEventLog(socket: string): EventLog {
  const ctr = ['--address', socket];
  const child: ChildProcess = spawn('ctr', [...ctr, 'events'], {stdio: ['ignore', 'pipe', 'inherit']});
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (text += part));
  return {
    async created() {
      // Events arrive in order, so this one follows those of all containers.
      let name = '';
      do {
        name = `mark-${(marks += 1)}-end`;
        execFileSync('ctr', [...ctr, 'namespaces', 'create', name]);
        await delay(50);
      } while (!text.includes(name));
      const created = text.split('\n').filter((line) => line.includes('/containers/create')).length;
      text = '';
      return created;
    },
    async end() {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill()) await ended;
    },
  };
}

for (const backend of containerdBackends) {
  const obstacle = engineObstacle(backend) ?? userObstacle();
  describe.skipIf(obstacle !== undefined)(`${backend}${obstacle === undefined ? '' : ` (${obstacle})`}`, () => {
    let daemon: EngineDaemon;
    let users: UserBench;
    let events: EventLog;
    beforeEach(async () => {
      [daemon, users] = [await startEngine(backend), await createUserBench()];
      events = openEventLog(daemon.socket);
      await events.created();
    }, timeout);
    afterEach(async () => {
      await events.end();
      users.remove();
      await daemon.end();
    }, timeout);

    /** Number of containers that a new host created. */
    async function containersOf(write: readonly string[] = ['**']): Promise<number> {
      const {output} = await users.call('return 1;', {
        backend,
        uid: 0,
        options: {[backend]: {socket: daemon.socket}},
        write,
      });
      expect(output).toEqual({success: true, data: 1});
      return await events.created();
    }

    test('a host creates the container of its call alone once another one has tried the same', {timeout}, async () => {
      // containerd itself, the profile, and the call.
      expect(await containersOf()).toBe(3);
      expect(await containersOf()).toBe(1);
      expect(await containersOf(['docs/**'])).toBe(2);
      await events.end();
      daemon.kill();
      await daemon.startAgain();
      // A killed engine can still accept a connection.
      while (spawnSync('ctr', ['--address', daemon.socket, 'version']).status !== 0) await delay(50);
      events = openEventLog(daemon.socket);
      await events.created();
      expect(await containersOf()).toBe(3);
    });
  });
}
