// Follows the records, and lets the engine know which runs can continue: those that waited, once a person has answered, also if that was
// before this host started. Several processes can each have a scheduler; only one at a time runs a program. A run that was interrupted
// in the embedded engine is left to a person, who may have stopped it.
import type {Engine} from '@lumenflow/kernel/adapters';
import {createEmbeddedEngine} from '../../../engine/create-embedded-engine.ts';
import {JobRunner, type Job} from '../../../jobs/job-runner.ts';
import {answeredRuns, type AnsweredRun} from './answered-runs.ts';
import {notifyEngine} from '../../../engine/notify-engine.ts';
import type {ProgramHost} from './program-host.ts';
import {programWork} from './program-work.ts';
import {unstartedRuns} from './unstarted-runs.ts';

export interface ProgramSchedulerOptions {
  /** Maximum number of runs that this process advances at the same time; default 4. */
  readonly concurrency?: number;
  /** The engine that advances the runs, which is closed with the scheduler; default this process. */
  readonly engine?: Engine | undefined;
  /** Called when a run could not be continued; it is retried, up to a bound. */
  onError(error: unknown): void;
}

export interface ProgramScheduler {
  /** Interrupts the runs that this process advances, and waits for them. */
  close(): Promise<void>;
}

export function startProgramScheduler(
  host: ProgramHost,
  {concurrency = 4, engine: server, onError}: ProgramSchedulerOptions,
): ProgramScheduler {
  const {runtime} = host;
  const engine = server ?? createEmbeddedEngine(programWork(host), {slots: concurrency, onError});
  /** The answers that the engine knows of, by run. If the run still waits, the same answers do not help. */
  const used = new Map<string, string>();
  // A process that ended between the record of a run and its start leaves it to the engine of a server.
  const candidates = (): readonly AnsweredRun[] => [
    ...answeredRuns(runtime),
    ...(server ? unstartedRuns(runtime) : []),
  ];
  const due = (): readonly AnsweredRun[] => candidates().filter(({run_id, answers}) => used.get(run_id) !== answers);
  const jobOf = ({run_id, answers}: AnsweredRun): Job => ({
    id: run_id,
    mayBegin: () => true,
    async run() {
      if (await notifyEngine(engine, runtime, run_id)) used.set(run_id, answers);
    },
  });
  const jobs = new JobRunner(
    {
      async mark() {
        await runtime.refresh();
        return JSON.stringify(due());
      },
      due: async () => await Promise.resolve({jobs: due().map(jobOf)}),
    },
    {concurrency, onError, isDoubtful: () => false},
  );
  return {
    async close() {
      await jobs.close();
      await engine.close();
    },
  };
}
