// A program for tests that runs an engine: it prints what it has started as JSON, and ends the engine with its input.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';

export interface EngineProgram<T> {
  readonly started: T;
  /** Rejects if a process of it is left. */
  end(): Promise<void>;
}

/** `args`: of Node. */
export async function runEngineProgram<T>(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<EngineProgram<T>> {
  const child = spawn(process.execPath, args, {env, stdio: ['pipe', 'pipe', 'inherit']});
  const ended = once(child, 'exit');
  const lines = createInterface({input: child.stdout});
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as readonly unknown[];
  if (typeof line !== 'string') throw new Error(`${name} did not start`);
  return {
    started: JSON.parse(line) as T,
    async end() {
      child.stdin.end();
      const [exitCode] = (await ended) as [number | null];
      if (exitCode !== 0) throw new Error(`${name} was not ended in order (exit code ${exitCode})`);
    },
  };
}
