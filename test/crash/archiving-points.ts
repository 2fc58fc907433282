// Callers work while another process deletes old contents and archives. Both are killed at a random time, again and again on the same
// workspace; what was acknowledged is found here or in the archive.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import type {Acknowledgement} from './acknowledgement.ts';
import {checkWorkspace} from './check-workspace.ts';
import {tries, type CrashPoint, type SuiteOptions} from './crash-point.ts';
import {makeCrashWorkspace} from './crash-workspace.ts';
import type {RecordedCalls} from './expected.ts';
import {createRandom, type Random} from './random.ts';
import {startWorker} from './start-worker.ts';

const roundsOnOne = 6;
const callers = 8;

export async function* archivingPoints(options: SuiteOptions): AsyncGenerator<CrashPoint> {
  const random = createRandom(options.seed);
  const rounds = tries(60, options);
  for (let first = 0; first < rounds; first += roundsOnOne) {
    yield* killOnOneWorkspace(random, first, Math.min(rounds, first + roundsOnOne));
  }
}

async function* killOnOneWorkspace(random: Random, first: number, end: number): AsyncGenerator<CrashPoint> {
  const workspace = await makeCrashWorkspace();
  const {root} = workspace;
  const reported: Acknowledgement[] = [];
  let earlier: RecordedCalls = new Map();
  try {
    for (let round = first; round < end; round += 1) {
      const seed = random.below(2 ** 31);
      const worker = startWorker({kind: 'small segments', root, name: `w${round}`, seed, callers});
      await worker.ready;
      const archiver = startArchiver(root);
      const ended = await archiver.reaches(random.below(60));
      await sleep(random.below(20));
      await archiver.kill();
      await worker.kill();
      reported.push(...worker.reported);
      const {problems, calls} = await checkWorkspace(root, {reported, effects: workspace.effects(), earlier});
      earlier = calls;
      const name = `round ${round}, killed after step ${archiver.steps()}, ${archiver.last()}`;
      const figures = [{title: 'steps of archiving', value: archiver.steps(), over: 'sum' as const}];
      yield {name, problems: [...problems, ...(ended === undefined ? [] : [ended])], figures};
    }
  } finally {
    workspace.remove();
  }
}

interface Archiver {
  steps(): number;
  /** The newest step, for people. */
  last(): string;
  /** Resolves once it has printed so many steps, or with what it printed when it failed. */
  reaches(step: number): Promise<string | undefined>;
  kill(): Promise<void>;
}

function startArchiver(root: string): Archiver {
  const program = fileURLToPath(new URL('archive-worker.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, root], {stdio: ['ignore', 'pipe', 'pipe']});
  const state = {steps: 0, last: 'at its start', complaint: '', hasEnded: false};
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    state.complaint += text;
  });
  createInterface({input: child.stdout}).on('line', (line) => {
    state.steps += 1;
    state.last = `before ${line}`;
  });
  child.on('close', () => {
    state.hasEnded = true;
  });
  const ended = once(child, 'close');
  return {
    steps: () => state.steps,
    last: () => state.last,
    async reaches(step) {
      while (state.steps < step && !state.hasEnded) await sleep(2);
      return state.hasEnded ? `the archiver ended: ${state.complaint.slice(0, 1_000)}` : undefined;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
