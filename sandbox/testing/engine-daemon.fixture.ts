// A container engine for tests, run by `scripts/run-engine.mjs`.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {findProgram} from '../commands/find-program.ts';
import type {ContainerdBackendName} from '../containerd/containerd-runtimes.ts';
import type {EngineBackendName} from '../engine/engines.ts';

type DaemonBackend = EngineBackendName | ContainerdBackendName;

export interface EngineDaemon {
  readonly socket: string;
  /** Kills the engine itself, as a crash would; containers may go on. */
  kill(): void;
  /** After that. */
  startAgain(): Promise<void>;
  /** Rejects if a process of it is left. */
  end(): Promise<void>;
}

const program = join(import.meta.dirname, '../../scripts/run-engine.mjs');
const programs: Readonly<Record<DaemonBackend, readonly string[]>> = {
  docker: ['dockerd', 'containerd', 'runc'],
  podman: ['podman', 'runc'],
  containerd: ['containerd', 'ctr', 'runc'],
  // See `scripts/run-engine.mjs` for what is in its place.
  kata: ['containerd', 'ctr', 'runsc'],
};

/** Why there can be no such engine here. */
export function engineObstacle(backend: DaemonBackend): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can start it here';
  const missing = programs[backend].find((name) => findProgram(name) === undefined);
  return missing === undefined ? undefined : `\`${missing}\` is missing: npm run engines -- ${backend}`;
}

/** `uid`: of its user, for Podman. */
export async function startEngine(backend: DaemonBackend, uid = 0): Promise<EngineDaemon> {
  const child = spawn(process.execPath, [program, backend, String(uid)], {stdio: ['pipe', 'pipe', 'inherit']});
  const ended = once(child, 'exit');
  const started = async (): Promise<{readonly socket: string; readonly pid: number}> => {
    const answer = await Promise.race([once(child.stdout, 'data'), ended]);
    const line: unknown = answer[0];
    if (!Buffer.isBuffer(line)) throw new Error(`${backend} did not start`);
    return JSON.parse(line.toString()) as {readonly socket: string; readonly pid: number};
  };
  let engine = await started();
  return {
    socket: engine.socket,
    kill: () => void process.kill(engine.pid, 'SIGKILL'),
    async startAgain() {
      child.stdin.write('\n');
      engine = await started();
    },
    async end() {
      child.stdin.end();
      const [exitCode] = (await ended) as [number | null];
      if (exitCode !== 0) throw new Error(`the engine was not ended in order (exit code ${exitCode})`);
    },
  };
}
