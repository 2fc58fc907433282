// The runner misses no change, whenever it happens. It retries failed jobs, which delay no other job.
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {JobRunner, type DueJobs, type Job, type JobSource} from './job-runner.ts';

beforeEach(() => void vi.useFakeTimers());
let runner: JobRunner | undefined;
afterEach(async () => {
  await runner?.close();
  runner = undefined;
  vi.useRealTimers();
});

/** Simulates hours of the scheduler quickly. */
const pass = async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms));

/** A source whose state the test changes. */
function makeWorld(concurrency = 4) {
  const errors: string[] = [];
  const world = {
    version: 0,
    jobs: [] as Job[],
    looks: 0,
    next_in_ms: undefined as number | undefined,
    errors,
    mark: async () => `${world.version}`,
    due: async (): Promise<DueJobs> => {
      world.looks += 1;
      return {jobs: [...world.jobs], ...(world.next_in_ms !== undefined && {next_in_ms: world.next_in_ms})};
    },
  };
  const source: JobSource = {mark: async () => await world.mark(), due: async () => await world.due()};
  runner = new JobRunner(source, {
    concurrency,
    onError: (error) => errors.push(String(error)),
    isDoubtful: (error) => String(error).includes('perhaps'),
  });
  return world;
}

type World = ReturnType<typeof makeWorld>;

/** A job that is due until it has run; `ended` resolves with that moment. */
function makeJob(world: World, id: string, work: () => Promise<void> = async () => undefined) {
  const job = {
    id,
    runs: 0,
    mayBegin: () => true,
    async run() {
      job.runs += 1;
      await work();
      world.jobs = world.jobs.filter((other) => other !== job);
    },
  };
  world.jobs.push(job);
  return job;
}

test('starts jobs that are due at the start, and does not check again without a change', async () => {
  const world = makeWorld();
  const job = makeJob(world, 'one');
  await pass(2_000);
  expect(job.runs).toBe(1);
  // At the start, and because the job ended.
  expect(world.looks).toBe(2);
  await pass(60_000);
  expect(world.looks).toBe(2);
});

test.each([1, 250, 499, 500, 501])('detects a change %i ms after the start', async (ms) => {
  const world = makeWorld();
  await pass(ms);
  world.version += 1;
  const job = makeJob(world, 'late');
  await pass(1_000);
  expect(job.runs).toBe(1);
});

test('detects a change during a check, whichever of both was read first', async () => {
  const world = makeWorld();
  const {due} = world;
  let job: ReturnType<typeof makeJob> | undefined;
  world.due = async () => {
    const found = await due();
    await new Promise((resolve) => setTimeout(resolve, 700));
    if (job === undefined) {
      world.version += 1;
      job = makeJob(world, 'meanwhile');
    }
    return found;
  };
  await pass(5_000);
  expect(job?.runs).toBe(1);
});

test('does not restart a job that ended during a slow check', async () => {
  const world = makeWorld();
  const job = makeJob(world, 'one', async () => void (await new Promise((resolve) => setTimeout(resolve, 1_000))));
  await pass(100);
  const {due} = world;
  world.due = async () => {
    const found = await due();
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    return found;
  };
  world.version += 1;
  await pass(20_000);
  expect(job.runs).toBe(1);
});

test('finds due jobs that no mark reports', async () => {
  const world = makeWorld();
  await pass(1_000);
  const job = makeJob(world, 'unmarked');
  await pass(4 * 60_000);
  expect(job.runs).toBe(0);
  await pass(2 * 60_000);
  expect(job.runs).toBe(1);
});

test('checks when more is due, and an earlier failure does not postpone that', async () => {
  const world = makeWorld();
  world.next_in_ms = 20_000;
  const failing = makeJob(world, 'failing', async () => {
    if (failing.runs < 3) throw new Error('not yet');
  });
  await pass(500);
  world.next_in_ms = undefined;
  await pass(15_000);
  expect(failing.runs).toBe(3);
  expect(world.errors).toEqual(['Error: not yet', 'Error: not yet']);

  world.next_in_ms = 20_000;
  world.version += 1;
  await pass(500);
  const sleeper = makeJob(world, 'sleeper');
  world.next_in_ms = undefined;
  await pass(19_000);
  expect(sleeper.runs).toBe(0);
  await pass(1_500);
  expect(sleeper.runs).toBe(1);
});

test('retries a failing job ever less often, but at least once a minute, while others run', async () => {
  const world = makeWorld(1);
  const failing = makeJob(world, 'failing', async () => {
    throw new Error('never');
  });
  const other = makeJob(world, 'other');
  await pass(10_000);
  expect(other.runs).toBe(1);
  expect(failing.runs).toBe(4);
  await pass(60 * 60_000);
  expect(failing.runs).toBeGreaterThan(55);
  expect(failing.runs).toBeLessThan(75);
});

test('a job that succeeds and is still due does not keep the machine busy', async () => {
  const world = makeWorld();
  const job = {id: 'same', runs: 0, mayBegin: () => true, run: async () => void (job.runs += 1)};
  world.jobs.push(job);
  await pass(10_000);
  expect(job.runs).toBe(4);
  expect(world.looks).toBeLessThan(20);
});

test('runs at most the maximum number of jobs, each job once at a time, and reuses free slots', async () => {
  const world = makeWorld(2);
  const ends: (() => void)[] = [];
  const wait = async () => await new Promise<void>((resolve) => void ends.push(resolve));
  const jobs = ['a', 'b', 'c', 'd'].map((id) => makeJob(world, id, wait));
  const runs = () => jobs.map((job) => job.runs).join('');
  await pass(1_000);
  world.version += 1;
  await pass(1_000);
  expect(runs()).toBe('1100');
  ends[1]?.();
  await pass(1);
  expect(runs()).toBe('1110');
  ends[0]?.();
  await pass(1);
  expect(runs()).toBe('1111');
  for (const end of ends) end();
});

test('a job that throws synchronously releases its slot', async () => {
  const world = makeWorld(1);
  makeJob(world, 'broken').run = () => {
    throw new Error('at once');
  };
  const other = makeJob(world, 'other');
  await pass(900);
  expect(other.runs).toBe(1);
  expect(world.errors).toEqual(['Error: at once']);
});

test('reports a failure that another process may have caused only if the job is still due', async () => {
  const world = makeWorld();
  const done = makeJob(world, 'done', async () => {
    world.jobs = world.jobs.filter((other) => other !== done);
    throw new Error('perhaps done');
  });
  await pass(10_000);
  expect({runs: done.runs, errors: world.errors}).toEqual({runs: 1, errors: []});

  const due = makeJob(world, 'due', async () => {
    throw new Error('perhaps not');
  });
  world.version += 1;
  await pass(600);
  expect({runs: due.runs, errors: world.errors}).toEqual({runs: 1, errors: []});
  await pass(1_000);
  expect({runs: due.runs, errors: world.errors}).toEqual({runs: 2, errors: ['Error: perhaps not']});
});

test('checks again after a change whether a job may start', async () => {
  const world = makeWorld();
  const job = makeJob(world, 'held');
  let isFree = false;
  job.mayBegin = () => isFree;
  await pass(10_000);
  isFree = true;
  expect(job.runs).toBe(0);
  world.version += 1;
  await pass(500);
  expect(job.runs).toBe(1);
});

test.each(['mark', 'due'] as const)('reads again after a failed %s', async (broken) => {
  const world = makeWorld();
  const job = makeJob(world, 'one');
  const {[broken]: whole} = world;
  let failures = 0;
  world[broken] = async () => {
    failures += 1;
    throw new Error(`no ${broken}`);
  };
  await pass(8_000);
  expect(failures).toBe(4);
  expect(world.errors).toEqual(Array(4).fill(`Error: no ${broken}`));
  world[broken] = whole as never;
  await pass(8_000);
  expect(job.runs).toBe(1);
});

test('a listener that throws stops neither the checks nor the jobs', async () => {
  const thrown: unknown[] = [];
  const catchAll = (error: unknown): void => void thrown.push(error);
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', catchAll);
  try {
    const world = makeWorld();
    world.errors.push = () => {
      throw new Error('the listener failed');
    };
    const job = makeJob(world, 'one', async () => {
      if (job.runs === 1) throw new Error('once');
    });
    await pass(5_000);
    expect(job.runs).toBe(2);
    expect(thrown.map(String)).toEqual(['Error: the listener failed']);
  } finally {
    process.off('uncaughtException', catchAll);
    for (const listener of listeners) process.on('uncaughtException', listener);
  }
});

test('closing interrupts running jobs, waits for them and starts no more', async () => {
  const world = makeWorld(1);
  let isOver = false;
  world.jobs.push({
    id: 'long',
    mayBegin: () => true,
    run: async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await new Promise((resolve) => setTimeout(resolve, 100));
      isOver = true;
      throw new Error('interrupted');
    },
  });
  const next = makeJob(world, 'next');
  await pass(600);
  const closed = runner?.close();
  await pass(100);
  await closed;
  expect(isOver).toBe(true);
  await pass(10_000);
  expect(next.runs).toBe(0);
  expect(world.errors).toEqual([]);
});
