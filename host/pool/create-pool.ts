// The worker-thread pool for trusted in-process handlers. A call that waits for a nested call occupies a thread, so each depth
// of nesting has its own threads and no wait can deadlock.
import {availableParallelism} from 'node:os';
import type {ResourceLimits} from 'node:worker_threads';
import type {ToolOutput} from '@lumenflow/schemas';
import {failedOutput} from './failed-output.ts';
import {findWorker} from './find-worker.ts';
import {createCallMeter, type PoolCounters} from './pool-counters.ts';
import type {PoolCall} from './pooled-call.ts';
import {createThreadGroup, type ThreadGroup} from './thread-group.ts';

export interface PoolOptions {
  /** Minimum number of threads; default 2. */
  readonly threadsMin?: number;
  /** Maximum number of threads for each depth of nesting; default the number of CPUs, at least `threadsMin`. */
  readonly threadsMax?: number;
  /** Maximum number of queued calls; further calls fail with LIMIT_EXCEEDED. Default 4096. */
  readonly queueMax?: number;
  /** Grace period for a handler that was asked to stop, before its thread is killed. Default 500. */
  readonly graceMs?: number;
  /** Heap limit of each thread; default 512 MiB. */
  readonly resourceLimits?: ResourceLimits;
  /** Called for a thread that ended while it ran no call. */
  readonly onProblem?: (problem: string) => void;
}

export interface Pool {
  /** Never rejects. Returns TOOL_TIMEOUT, TOOL_CANCELLED, TOOL_CRASHED or LIMIT_EXCEEDED for a call that the pool ended. */
  run(call: PoolCall): Promise<ToolOutput>;
  counters(): PoolCounters;
  /** Cancels running calls and ends all threads. */
  close(): Promise<void>;
}

/** Maximum nesting depth, counted from an outside call, which has depth 0. */
export const nestingMax = 8;

/** Throws KernelError LOAD_FAILED when the thread's program is not built. */
export function createPool(options: PoolOptions = {}): Pool {
  const worker = findWorker();
  const threadsMin = options.threadsMin ?? 2;
  const settings = {
    worker,
    threadsMax: Math.max(threadsMin, options.threadsMax ?? availableParallelism()),
    queueMax: options.queueMax ?? 4096,
    graceMs: options.graceMs ?? 500,
    resourceLimits: options.resourceLimits ?? {maxOldGenerationSizeMb: 512},
    onProblem: options.onProblem ?? (() => {}),
  };
  const groups: ThreadGroup[] = [createThreadGroup({...settings, threadsMin})];
  /** Unanswered calls of each depth. */
  const open: number[] = Array.from({length: nestingMax + 1}, () => 0);
  const meter = createCallMeter();

  function groupAt(depth: number): ThreadGroup {
    while (groups.length <= depth) groups.push(createThreadGroup({...settings, threadsMin: 1}));
    return groups[depth] as ThreadGroup;
  }

  return {
    async run(call) {
      const startedMs = performance.now();
      const depth = call.depth ?? 0;
      if (open[depth] === undefined) return meter.add(tooDeep(depth), 0);
      open[depth] += 1;
      const output = await groupAt(depth).run(call);
      open[depth] -= 1;
      return meter.add(output, performance.now() - startedMs);
    },
    counters() {
      // Each depth has its own threads, and none is idle while a call waits.
      const running = open.reduce((sum, calls) => sum + Math.min(calls, settings.threadsMax), 0);
      return meter.read({running, waiting: open.reduce((sum, calls) => sum + calls, 0) - running});
    },
    async close() {
      await Promise.all(groups.map(async (group) => await group.close()));
    },
  };
}

function tooDeep(depth: number): ToolOutput {
  return failedOutput('LIMIT_EXCEEDED', `calls are nested ${depth} deep; at most ${nestingMax} are run`, {depth});
}
