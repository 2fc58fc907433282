// Starts a runner in its surroundings, for the call at hand or as a spare for one to come: its network ends with it.
import type {Supervision} from '../commands/process-guard.ts';
import {awaitReady, type SpareRunner} from '../warm-pool/spare.ts';
import {fileIdentities} from '../warm-pool/spare-key.ts';
import type {Filed} from '../warm-pool/stock.ts';
import {openSurroundings, type Surroundings, type SurroundingsPlace} from './open-surroundings.ts';
import {startRunner, type RunnerStart} from './start-runner.ts';

/** For a module to load, before its spare is given up. */
const readyMs = 10_000;

type Timing = Supervision & {readonly onPid?: (pid: number) => void};

export async function startSurrounded(start: RunnerStart, around: Surroundings, timing: Timing): Promise<SpareRunner> {
  const launched = await startRunner({...start, ...around.start}, around.sources, timing);
  const {network, degraded} = around;
  let report: ReturnType<SpareRunner['closeNetwork']> | undefined;
  const closeNetwork: SpareRunner['closeNetwork'] = () => (report ??= network?.close() ?? Promise.resolve(undefined));
  return {
    ...launched,
    degraded,
    network,
    closeNetwork,
    kill() {
      launched.kill();
      // Now, and not once it has ended: what it does while it is being killed is to reach nothing any more.
      void closeNetwork();
    },
    hold(isHeld) {
      launched.hold(isHeld);
      network?.hold(isHeld);
    },
    ended: launched.ended.then(async (end) => {
      await closeNetwork();
      return end;
    }),
  };
}

/** Undefined when files changed meanwhile, when its surroundings cannot be had, or when the runner does not come up. */
export async function startSpare(start: RunnerStart, place: SurroundingsPlace): Promise<Filed | undefined> {
  const files = fileIdentities(start.profile);
  const around = await openSurroundings(start, place);
  if ('message' in around) return undefined;
  const spare = await awaitReady(await startSurrounded(start, around, {timeoutMs: readyMs}));
  if (spare === undefined) return undefined;
  if (fileIdentities(start.profile) === files) return {files, spare};
  spare.runner.kill();
  return undefined;
}
