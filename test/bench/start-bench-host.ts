// Hosts of one workspace as processes, which make calls on command.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

/** One measurement. */
export interface HostLoad {
  readonly callers: number;
  readonly ms: number;
}

export interface BenchHost {
  /** Returns how many calls ended. */
  serve(load: HostLoad): Promise<number>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface BenchHostOptions {
  readonly root: string;
  /** Default: files. */
  readonly url?: string;
  /** Default 10,000. */
  readonly leaseMs?: number;
}

const program = fileURLToPath(new URL('host-worker.ts', import.meta.url));

export async function startBenchHost({root, url, leaseMs = 10_000}: BenchHostOptions): Promise<BenchHost> {
  const {LUMENFLOW_DATABASE_URL: _, ...env} = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', program, root, String(leaseMs)], {
    env: {...env, ...(url !== undefined && {LUMENFLOW_DATABASE_URL: url})},
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // A host that was killed reads nothing more.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'exit');
  const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const {value, done} = await lines.next();
    if (done === true) throw new Error('a host ended before it replied');
    return JSON.parse(value);
  };
  await next();
  return {
    async serve(load) {
      child.stdin.write(`${JSON.stringify(load)}\n`);
      return (await next()) as number;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
