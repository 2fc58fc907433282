// What happens to the streams of a container that its engine has left running.
import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {runnerProgram} from '../backends/runner-program.ts';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {failed, ok} from '../outcome.ts';
import type {EngineContainer} from './engine-container.ts';
import {launchWithPipes, type PipedLaunch} from './launch-with-pipes.ts';

let left: ChildProcess | undefined;
let leftEnds: Promise<unknown>;
afterEach(() => left?.kill());

/** Opens its streams as the first process of a container does, and keeps them open. */
async function leaveProcess(pipes: string): Promise<void> {
  const script =
    'exec >stdout 2>stderr 3<from-host 4>to-host; echo ready >&4; : >opened; while echo more; do sleep 0.02; done';
  left = spawn('/bin/sh', ['-c', script], {cwd: pipes, stdio: 'ignore'});
  leftEnds = once(left, 'exit');
  await vi.waitUntil(() => existsSync(join(pipes, 'opened')), {timeout: 60_000});
}

async function launch(container: Pick<EngineContainer<string>, 'begin' | 'waitForEnd'>, folders: string[] = []) {
  const input: PipedLaunch<string> = {
    backend: 'engine',
    executor: createSpawnExecutor(),
    program: {kind: 'runner', runner: runnerProgram({nodePath: process.execPath, runnerPath: process.execPath})},
    topLevel: [],
    memoryBytes: undefined,
    container: () => ({kill: async () => undefined, remove: async () => undefined, ...container}),
    request({pipes}) {
      folders.push(pipes);
      return pipes;
    },
  };
  return await launchWithPipes(input);
}

const neverEnds = () => ({end: new Promise<never>(() => undefined), keepAlive: () => undefined});

test('of a container that was started without an answer, no stream stays open', async () => {
  const folders: string[] = [];
  const launched = await launch(
    {
      async begin(pipes) {
        await leaveProcess(pipes);
        return failed({status: undefined, message: 'socket hang up'});
      },
      waitForEnd: neverEnds,
    },
    folders,
  );
  expect(launched).toMatchObject({
    ok: false,
    problem: {message: 'engine could not start the container (`socket hang up`)'},
  });
  // Its next line has no reader.
  await leftEnds;
  expect(existsSync(join(folders[0] ?? '', 'stdout'))).toBe(false);
});

test('of a container whose engine has ended, the wire ends', async () => {
  let lose: () => void = () => undefined;
  const lost = new Promise<void>((resolve) => (lose = resolve));
  const launched = await launch({
    async begin(pipes) {
      await leaveProcess(pipes);
      return ok(undefined);
    },
    waitForEnd: () => ({
      ...neverEnds(),
      end: lost.then(() => ({exitCode: 137, startError: 'the engine did not report its end', isOutOfMemory: false})),
    }),
  });
  if (!launched.ok) throw new Error(launched.problem.message);
  const {wire, ended} = launched.value;
  const closed = once(wire as NodeJS.EventEmitter, 'close');
  lose();
  await Promise.all([closed, ended]);
});
