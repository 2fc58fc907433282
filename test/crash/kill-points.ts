// A process with 64 callers is killed at a random time, again and again on the same workspace; after each kill the next
// one opens it and finds all that was acknowledged.
import {setTimeout as sleep} from 'node:timers/promises';
import type {Acknowledgement} from './acknowledgement.ts';
import {checkWorkspace} from './check-workspace.ts';
import {tries, type CrashPoint, type SuiteOptions} from './crash-point.ts';
import {makeCrashWorkspace} from './crash-workspace.ts';
import type {RecordedCalls} from './expected.ts';
import {runtimeKinds} from './open-crash-runtime.ts';
import {createRandom, type Random} from './random.ts';
import {startWorker} from './start-worker.ts';

const roundsOnOne = 8;
const callers = 64;

export async function* killPoints(options: SuiteOptions): AsyncGenerator<CrashPoint> {
  const random = createRandom(options.seed);
  const rounds = tries(160, options);
  for (let first = 0; first < rounds; first += roundsOnOne) {
    yield* killOnOneWorkspace(random, first, Math.min(rounds, first + roundsOnOne));
  }
}

async function* killOnOneWorkspace(random: Random, first: number, end: number): AsyncGenerator<CrashPoint> {
  const workspace = await makeCrashWorkspace();
  const reported: Acknowledgement[] = [];
  let earlier: RecordedCalls = new Map();
  try {
    for (let round = first; round < end; round += 1) {
      const kind = runtimeKinds[round % runtimeKinds.length] ?? 'initialized';
      const worker = startWorker({kind, root: workspace.root, name: `w${round}`, seed: random.below(2 ** 31), callers});
      // Most are killed at work; every fifth whenever it comes, so while starting and reconciling, too.
      const early = random.next() < 0.2;
      if (!early) await worker.ready;
      const afterMs = Math.round(random.next() ** 2 * (early ? 1_500 : 500));
      await sleep(afterMs);
      await worker.kill();
      reported.push(...worker.reported);
      const {problems, calls} = await checkWorkspace(workspace.root, {reported, effects: workspace.effects(), earlier});
      const when = `${afterMs} ms after ${early ? 'its start' : 'it was ready'}`;
      const name = `round ${round}, ${kind}, killed ${when}, ${worker.reported.length} acknowledged`;
      yield {name, problems};
      earlier = calls;
    }
  } finally {
    workspace.remove();
  }
}
