// A Piscina with its calls: each is let in, run on a thread, stopped when it must be, and answered
// whatever becomes of the thread.
import {setMaxListeners} from 'node:events';
import type {ResourceLimits} from 'node:worker_threads';
import type {Invocation, ToolOutput} from '@lumenflow/schemas';
import {Piscina} from 'piscina';
import {createAdmission, hostClosing} from './admission.ts';
import {createCallStopper, type CallStopper} from './call-stopper.ts';
import {crashedOutput} from './crashed-output.ts';
import {createSwitchboard, type CallListener} from './switchboard.ts';
import type {ThreadAnswer, ThreadHello, ThreadTask} from './thread-message.ts';

export interface PoolCall {
  readonly invocation: Invocation;
  readonly signal?: AbortSignal;
  /** Of the handler's run; waiting for a thread is bounded by the same. */
  readonly timeoutMs: number;
  /** How many calls this one is nested in; default 0. */
  readonly depth?: number;
  /** Gets the handler's messages in order, all before the call is answered. */
  readonly onMessage: CallListener;
}

export interface ThreadGroupOptions {
  /** Absolute path of the built thread program. */
  readonly worker: string;
  readonly threadsMin: number;
  readonly threadsMax: number;
  readonly queueMax: number;
  readonly graceMs: number;
  readonly resourceLimits: ResourceLimits;
  readonly onProblem: (problem: string) => void;
}

export interface ThreadGroup {
  /** Never rejects. */
  run(call: PoolCall): Promise<ToolOutput>;
  close(): Promise<void>;
}

export function createThreadGroup(options: ThreadGroupOptions): ThreadGroup {
  const {graceMs, threadsMax, queueMax} = options;
  const piscina = startPiscina(options);
  const switchboard = createSwitchboard();
  const admission = createAdmission({places: threadsMax, queueMax});
  const running = new Set<CallStopper>();
  let lastCall = 0;
  let closing = false;
  piscina.on('message', (hello: ThreadHello) => switchboard.connect(hello));

  async function runOnThread(call: PoolCall): Promise<ToolOutput> {
    const task: ThreadTask = {call: ++lastCall, invocation: call.invocation};
    const stopper = createCallStopper(call, {
      graceMs,
      tellHandler: (reason) => switchboard.cancel(task.call, reason),
    });
    running.add(stopper);
    switchboard.open(task.call, call.onMessage);
    try {
      const text = (await piscina.run(JSON.stringify(task), {signal: stopper.kill})) as string;
      const answer = JSON.parse(text) as ThreadAnswer;
      switchboard.drain(answer.thread_id);
      return stopper.answer() ?? answer.output;
    } catch (error) {
      switchboard.drain();
      return stopper.answer() ?? crashedOutput(error, options.resourceLimits);
    } finally {
      stopper.dispose();
      running.delete(stopper);
      switchboard.close(task.call);
    }
  }

  return {
    async run(call) {
      // A caller may give one signal to all its calls; their number is bounded here, so it is no leak.
      if (call.signal !== undefined) setMaxListeners(0, call.signal);
      const refused = await admission.enter(call);
      if (refused !== undefined) return refused;
      try {
        return closing ? hostClosing() : await runOnThread(call);
      } finally {
        admission.leave();
      }
    },
    async close() {
      closing = true;
      for (const stopper of running) stopper.stop(hostClosing());
      await admission.close();
      await piscina.destroy();
    },
  };
}

function startPiscina(options: ThreadGroupOptions): Piscina {
  const piscina = new Piscina({
    filename: options.worker,
    name: 'runCall',
    minThreads: options.threadsMin,
    maxThreads: options.threadsMax,
    maxQueue: Infinity,
    resourceLimits: options.resourceLimits,
    recordTiming: false,
    // Handlers see no variable of the host, nor do threads take over its loaders.
    env: {},
    execArgv: [],
    argv: [],
  });
  piscina.on('error', (error: unknown) => options.onProblem(`an idle pool thread ended: ${String(error)}`));
  return piscina;
}
