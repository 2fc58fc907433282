// A container engine for a test, run by `scripts/run-engine.mjs`: it ends with this process, at the latest.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';

export interface RunningEngine {
  readonly socket: string;
  end(): Promise<void>;
}

const program = join(import.meta.dirname, '../../scripts/run-engine.mjs');

export const engineNames = ['docker', 'podman', 'containerd'] as const;
export type EngineName = (typeof engineNames)[number];

/** `folder`: empty; default a new one. */
export async function runEngine(name: EngineName, folder?: string): Promise<RunningEngine> {
  const uid = process.getuid?.() ?? 0;
  const child = spawn(process.execPath, [program, name, String(uid), ...(folder === undefined ? [] : [folder])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as readonly unknown[];
  if (!Buffer.isBuffer(line)) throw new Error(`${name} did not start`);
  const {socket} = JSON.parse(line.toString()) as {readonly socket: string};
  return {
    socket,
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}
