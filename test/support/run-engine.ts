// A container engine for a test, run by `scripts/run-engine.mjs`: it ends with this process, at the latest.
import {join} from 'node:path';
import {runEngineProgram} from './run-engine-program.ts';

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
  const {started, end} = await runEngineProgram<{readonly socket: string}>(name, [
    program,
    name,
    String(uid),
    ...(folder === undefined ? [] : [folder]),
  ]);
  return {socket: started.socket, end};
}
