// A sandbox that was started before its call. Until a call acquires it, it may send only `ready`. No call has asked for anything else,
// so a spare that sends more, to the host or to its network, is killed.
import type {Duplex} from 'node:stream';
import {createFrameDecoder, messageBounds} from '@lumenflow/pack-sdk/wire';
import type {StartedRunner} from '../backends/sandbox-backend.ts';
import type {SpareView} from '../backends/transaction-view.ts';
import type {Usage} from '../limits/meter.ts';
import type {CallNetwork, NetworkReport} from '../network/call-network.ts';

/** A runner with its resources, which end with it. */
export interface RunnerWithResources extends StartedRunner {
  readonly network: Pick<CallNetwork, 'early' | 'begin' | 'report'> | undefined;
  /** The view that it waits in; undefined of one that waits in none, or was started for its call. */
  readonly view: SpareView | undefined;
  /** From now on the view belongs to the call, and does not end with the runner. */
  releaseView(): void;
  /** Returns what it allowed and refused. A second call returns the same. */
  closeNetwork(): Promise<NetworkReport | undefined>;
}

export interface Spare {
  readonly runner: RunnerWithResources;
  /** Calls that it has served. */
  readonly served: number;
  readonly memoryBytes: number;
  readonly cpuMs: number;
  /** Whether it can still be acquired. */
  isUsable(): boolean;
  /** It serves a call from now on. */
  assign(): void;
}

/** Time for a module to load before its spare is abandoned. */
const readyMs = 10_000;

/** Resolves once the runner is ready, undefined when it ended or sent something else; it is ended then. */
export async function awaitReady(runner: RunnerWithResources): Promise<Spare | undefined> {
  const {wire, network} = runner;
  if (wire === undefined) return undefined;
  const isReady = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), readyMs);
    const settle = (ready: boolean): void => {
      clearTimeout(timer);
      resolve(ready);
    };
    const onClose = (): void => settle(false);
    const decode = createFrameDecoder({
      onMessage: ({type}) => {
        wire.off('data', decode).off('close', onClose);
        settle(type === 'ready');
      },
      onProblem: () => settle(false),
      bounds: messageBounds,
    });
    wire.on('data', decode).once('close', onClose);
    void network?.early.then(onClose);
  });
  if (isReady) return activate(runner, wire, 0);
  runner.kill();
  return undefined;
}

/** Usage so far. */
export type SpareUsage = Pick<Usage, 'memoryBytes' | 'cpuMs'>;

/** `usage`: default measured now. A runner that gave its result and is to serve another call. */
export function activateAgain(runner: RunnerWithResources, served: number, usage?: SpareUsage): Spare | undefined {
  return runner.wire && activate(runner, runner.wire, served, usage);
}

function activate(
  runner: RunnerWithResources,
  wire: Duplex,
  served: number,
  usage: SpareUsage | undefined = runner.meter?.read(),
): Spare {
  let isUsable = true;
  const invalidate = (): void => {
    isUsable = false;
    runner.kill();
  };
  wire.on('data', invalidate).once('close', invalidate);
  void runner.network?.early.then(invalidate);
  runner.keepAlive(false);
  return {
    runner,
    served,
    memoryBytes: usage?.memoryBytes ?? 0,
    cpuMs: usage?.cpuMs ?? 0,
    isUsable: () => isUsable,
    assign() {
      isUsable = false;
      wire.off('data', invalidate).off('close', invalidate);
      runner.keepAlive(true);
      runner.network?.begin();
    },
  };
}
