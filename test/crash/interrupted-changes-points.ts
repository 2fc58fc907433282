// A host that applies, parks, settles and reverts changes is stopped at a random time, again and again on the same workspace: by a
// kill, or by the loss of the machine's power.
import {spawn, type ChildProcessByStdio} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import type {Readable} from 'node:stream';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {checkChanges} from './check-changes.ts';
import {tries, type CrashPoint, type SuiteOptions} from './crash-point.ts';
import {makeGenerationsWorkspace} from './generations.ts';
import {KnownChanges} from './known-changes.ts';
import {makePowerCutDisk, whyNoPowerCuts, type PowerCutDisk} from './power-cut-disk.ts';
import {createRandom, type Random} from './random.ts';
import type {ReportedChange} from './reported-changes.ts';

const roundsOnOne = 10;

/** Kills, and where this machine can lose its power for a file system, as many cuts. */
export async function* interruptedChangesPoints(options: SuiteOptions): AsyncGenerator<CrashPoint> {
  const random = createRandom(options.seed);
  const rounds = tries(100, options);
  if (isPossible('changes', existsSync('/usr/bin/bwrap') ? undefined : 'bubblewrap is missing')) {
    yield* interruptInRounds(random, rounds, () => undefined);
    if (isPossible('power cuts', whyNoPowerCuts())) yield* interruptInRounds(random, rounds, makePowerCutDisk);
  }
}

function isPossible(what: string, why: string | undefined): boolean {
  if (why !== undefined) process.stderr.write(`${what}: skipped, since ${why}\n`);
  return why === undefined;
}

async function* interruptInRounds(
  random: Random,
  rounds: number,
  makeDisk: () => PowerCutDisk | undefined,
): AsyncGenerator<CrashPoint> {
  for (let first = 0; first < rounds; first += roundsOnOne) {
    const disk = makeDisk();
    yield* interruptOneWorkspace(random, {first, end: Math.min(rounds, first + roundsOnOne), disk});
    disk?.remove();
  }
}

interface Rounds {
  readonly first: number;
  readonly end: number;
  /** Without one the process is killed. */
  readonly disk: PowerCutDisk | undefined;
}

async function* interruptOneWorkspace(random: Random, {first, end, disk}: Rounds): AsyncGenerator<CrashPoint> {
  const workspace = makeGenerationsWorkspace(disk?.folder);
  disk?.sync();
  const known = new KnownChanges(disk !== undefined);
  try {
    for (let round = first; round < end; round += 1) {
      const worker = startWorker(workspace.root, random.below(2 ** 31), 1 + 1_000 * (round - first));
      const steps = countSteps(worker, known);
      await Promise.race([once(worker.stdout, 'data'), once(worker, 'close')]);
      const when = await rightTime(workspace.root, random, () => worker.exitCode !== null);
      worker.kill('SIGKILL');
      disk?.cutPower();
      if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'close');
      disk?.restart();
      const at = known.open === undefined ? 'between steps' : `in ${known.open.does} of ${known.open.generation}`;
      const problems = await checkChanges(workspace, known);
      const how = disk === undefined ? 'killed' : 'power lost';
      yield {name: `round ${round}, ${how} ${when}, after ${steps()} steps, ${at}`, problems};
    }
  } finally {
    // A disk is removed as a whole.
    if (disk === undefined) await workspace.remove();
  }
}

type Worker = ChildProcessByStdio<null, Readable, null>;

function startWorker(root: string, seed: number, firstGeneration: number): Worker {
  const program = fileURLToPath(new URL('change-worker.ts', import.meta.url));
  const args = ['--import', 'tsx', program, root, String(seed), String(firstGeneration)];
  return spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'inherit']});
}

/** Returns the number of messages so far. */
function countSteps({stdout}: Worker, known: KnownChanges): () => number {
  let steps = 0;
  createInterface({input: stdout}).on('line', (line) => {
    const reported = parseWhole(line);
    if (reported === undefined) return;
    steps += 1;
    known.record(reported);
  });
  return () => steps;
}

/** Most are stopped while something is being applied: so long after a journal is there. */
async function rightTime(root: string, random: Random, isOver: () => boolean): Promise<string> {
  await sleep(random.below(1_500));
  if (random.next() < 0.25) return 'at any time';
  while (!hasJournal(root) && !isOver()) await sleep(1);
  const afterMs = Math.round(random.next() ** 2 * 40);
  await sleep(afterMs);
  return `${afterMs} ms after a journal was there`;
}

function hasJournal(root: string): boolean {
  try {
    const folder = join(root, '.lumenflow/transactions');
    return readdirSync(folder).some((name) => readdirSync(join(folder, name)).includes('journal'));
  } catch {
    // It came and went.
    return false;
  }
}

/** Undefined for `ready`, and for a line that the kill cut off, which does not count as acknowledged. */
function parseWhole(line: string): ReportedChange | undefined {
  try {
    const said = JSON.parse(line) as ReportedChange | 'ready';
    return said === 'ready' ? undefined : said;
  } catch {
    return undefined;
  }
}
