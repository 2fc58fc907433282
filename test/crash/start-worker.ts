// Starts a worker as a separate process on the built packages, and collects its acknowledgements.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import type {Acknowledgement} from './acknowledgement.ts';
import type {RuntimeKind} from './open-crash-runtime.ts';

export interface WorkerOptions {
  readonly kind: RuntimeKind;
  readonly root: string;
  readonly name: string;
  readonly seed: number;
  readonly callers: number;
  readonly flags?: readonly ('competes' | 'slow')[];
}

export interface Worker {
  readonly name: string;
  readonly pid: number;
  /** The acknowledgements of its callers so far. */
  readonly reported: readonly Acknowledgement[];
  /** When each one arrived, by `performance.now()`. */
  readonly reportedAt: readonly number[];
  /** Resolves when it is open, or has ended before. */
  readonly ready: Promise<void>;
  /** Kills it; resolves when all its output was read. */
  kill(): Promise<void>;
  /** Waits for its end; returns its stderr if it failed. */
  stop(): Promise<string | undefined>;
}

export function startWorker(options: WorkerOptions): Worker {
  const {kind, root, name, seed, callers, flags = []} = options;
  const program = fileURLToPath(new URL('worker.ts', import.meta.url));
  const args = ['--import', 'tsx', program, kind, root, name, String(seed), String(callers), ...flags];
  const child = spawn(process.execPath, args, {stdio: ['pipe', 'pipe', 'pipe']});
  const reported: Acknowledgement[] = [];
  const reportedAt: number[] = [];
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  // A worker that was killed reads nothing more.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  const lines = createInterface({input: child.stdout});
  const ready = Promise.race([once(lines, 'line').then(() => undefined), ended.then(() => undefined)]);
  lines.on('line', (line) => {
    const said = parseWhole(line);
    if (said === undefined) return;
    reported.push(said);
    reportedAt.push(performance.now());
  });
  return {
    name,
    pid: child.pid ?? 0,
    reported,
    reportedAt,
    ready,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.stdin.end();
      const [code, signal] = await ended;
      return code === 0 ? undefined : `worker ${name} ended with ${String(code ?? signal)}: ${complaint}`;
    },
  };
}

/** Undefined for `ready`, and for a line that the kill cut off, which does not count as acknowledged. */
function parseWhole(line: string): Acknowledgement | undefined {
  try {
    const said = JSON.parse(line) as Acknowledgement | 'ready';
    return said === 'ready' ? undefined : said;
  } catch {
    return undefined;
  }
}
