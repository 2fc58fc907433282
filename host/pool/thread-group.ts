// Threads and their calls. Each call is admitted, sent to a thread, stopped when necessary, and always answered, even if its
// thread ends.
import type {ToolOutput, WireMessage} from '@lumenflow/schemas';
import {createCallQueue} from './call-queue.ts';
import {crashedOutput} from './crashed-output.ts';
import {createPooledCall, type Interruption, type PoolCall, type PooledCall} from './pooled-call.ts';
import {cancelledBeforeStart, hostClosing, queueFull} from './refusals.ts';
import {endPiscina, startPiscina, type ThreadOptions} from './start-piscina.ts';
import {createSwitchboard, type CallListener, type Reply} from './switchboard.ts';
import {withdrawCall, type ThreadBatch} from './thread-batch.ts';
import {createThreadFeeder} from './thread-feeder.ts';
import type {ThreadAnswer, ThreadHello} from './thread-message.ts';

export interface ThreadGroupOptions extends ThreadOptions {
  readonly queueMax: number;
  readonly graceMs: number;
}

export interface ThreadGroup {
  /** Never rejects. */
  run(call: PoolCall): Promise<ToolOutput>;
  close(): Promise<void>;
}

const closing: Interruption = {ifRunning: hostClosing(), ifWaiting: hostClosing()};

export function createThreadGroup(options: ThreadGroupOptions): ThreadGroup {
  const piscina = startPiscina(options);
  const switchboard = createSwitchboard((call) => listenerOf(batches, call));
  const queue = createCallQueue(options.queueMax);
  const batches: ThreadBatch[] = [];
  let lastCall = 0;
  let onEmpty: (() => void) | undefined;
  const feed = createThreadFeeder({
    threadsMax: options.threadsMax,
    queue,
    batches,
    runBatch: (batch) => void runBatch(batch),
  });
  piscina.on('message', (hello: ThreadHello) => switchboard.connect(hello));

  async function runBatch(batch: ThreadBatch): Promise<void> {
    batches.push(batch);
    try {
      const answer: string = await piscina.run(batch.task(), {signal: batch.kill});
      const {thread_id, duration_ms, output} = JSON.parse(answer) as ThreadAnswer;
      queue.learn(batch.calls.length, duration_ms);
      switchboard.drain(thread_id);
      if (output !== undefined) batch.calls.at(-1)?.answer(output);
    } catch (error) {
      switchboard.drain();
      queue.putBack(batch.abandon(crashedOutput(error, options.resourceLimits)));
    }
    batches.splice(batches.indexOf(batch), 1);
    feed();
    if (batches.length === 0) onEmpty?.();
  }

  function interrupt(pooled: PooledCall, {ifRunning, ifWaiting}: Interruption): void {
    if (queue.remove(pooled) || withdrawCall(pooled)) pooled.answer(ifWaiting);
    else if (pooled.stop(ifRunning, options.graceMs)) switchboard.cancel(pooled.id, ifRunning);
  }

  return {
    run(call) {
      return new Promise((answer) => {
        if (onEmpty !== undefined) return answer(hostClosing());
        if (call.signal?.aborted === true) return answer(cancelledBeforeStart());
        if (!queue.hasRoom(options.threadsMax - batches.length)) return answer(queueFull(options.queueMax));
        const id = ++lastCall;
        const onAnswer = (output: ToolOutput): void => {
          switchboard.forget(id);
          answer(output);
        };
        queue.add(createPooledCall({id, call, interrupt, onAnswer}));
        return feed();
      });
    },
    async close() {
      await new Promise<void>((resolve) => {
        onEmpty = resolve;
        const handed = batches.flatMap(({calls}) => calls);
        for (const pooled of [...queue.all(), ...handed]) interrupt(pooled, closing);
        if (batches.length === 0) resolve();
      });
      await endPiscina(piscina, switchboard.isConnected);
    },
  };
}

function listenerOf(batches: readonly ThreadBatch[], id: number): CallListener | undefined {
  for (const batch of batches) {
    const pooled = batch.current();
    if (pooled?.id === id) return (message, reply) => receive(pooled, message, reply);
  }
  return undefined;
}

function receive(pooled: PooledCall, message: WireMessage, reply: Reply): void {
  if (message.type !== 'result') return pooled.call.onMessage(message, reply);
  pooled.answer(message.output);
  pooled.batch?.beginNext();
}
