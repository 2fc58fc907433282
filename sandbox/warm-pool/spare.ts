// A sandbox that was started before its call. Until it is taken nothing but one word that it is ready may come from it:
// no call stands behind what its code might ask for, so a spare that speaks, to the host or to its network, is ended.
import type {Duplex} from 'node:stream';
import {createFrameDecoder} from '@lumenflow/pack-sdk/wire';
import type {StartedRunner} from '../calls/run-call.ts';
import type {SpawnedProcess} from '../commands/spawn-process.ts';
import type {CallNetwork} from '../network/create-call-network.ts';

/** A runner whose supervision may change hands. */
export interface SpareRunner
  extends Omit<StartedRunner, 'keep' | 'isHarmless'>, Pick<SpawnedProcess, 'pid' | 'supervise' | 'hold'> {
  /** Limits that its start could not set. */
  readonly unenforced: readonly string[];
  /** What else does not hold in full, in words for the receipt. */
  readonly degraded: readonly string[];
  readonly network: Pick<CallNetwork, 'early' | 'begin'> | undefined;
  /** With what it let through and met besides. A second time it gives the same. */
  closeNetwork(): Promise<Awaited<ReturnType<CallNetwork['close']>> | undefined>;
}

export interface Spare {
  readonly runner: SpareRunner;
  /** Calls that it has served. */
  readonly served: number;
  readonly memoryBytes: number;
  readonly cpuMs: number;
  /** Whether it can still be taken. */
  isStanding(): boolean;
  /** It serves a call from now on. */
  take(): void;
}

/** Resolves once the runner is ready, undefined when it ended or said something else; it is ended then. */
export async function awaitReady(runner: SpareRunner): Promise<Spare | undefined> {
  const {wire, network} = runner;
  if (wire === undefined) return undefined;
  const isReady = await new Promise<boolean>((resolve) => {
    const onClose = (): void => resolve(false);
    const decode = createFrameDecoder({
      onMessage: ({type}) => {
        wire.off('data', decode).off('close', onClose);
        resolve(type === 'ready');
      },
      onProblem: () => resolve(false),
    });
    wire.on('data', decode).once('close', onClose);
    void network?.early.then(onClose);
  });
  if (isReady) return stand(runner, wire, 0);
  runner.kill();
  return undefined;
}

/** A runner that gave its result and is to serve another call. */
export function standAgain(runner: SpareRunner, served: number): Spare | undefined {
  return runner.wire && stand(runner, runner.wire, served);
}

function stand(runner: SpareRunner, wire: Duplex, served: number): Spare {
  let isStanding = true;
  const fall = (): void => {
    isStanding = false;
    runner.kill();
  };
  wire.on('data', fall).once('close', fall);
  void runner.network?.early.then(fall);
  runner.supervise({});
  runner.hold(false);
  const usage = runner.meter?.read();
  return {
    runner,
    served,
    memoryBytes: usage?.memoryBytes ?? 0,
    cpuMs: usage?.cpuMs ?? 0,
    isStanding: () => isStanding && runner.endReason() === undefined,
    take() {
      isStanding = false;
      wire.off('data', fall).off('close', fall);
      runner.hold(true);
      runner.network?.begin();
    },
  };
}
