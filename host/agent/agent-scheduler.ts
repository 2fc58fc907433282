// Runs due sessions and workflows: those started elsewhere, those whose wake time has come, and those whose approvals were
// answered. Several processes can each have a scheduler; only one at a time runs a session. With the engine of a server, its workers run
// them, and the scheduler reports to the engine what is due.
import type {Engine} from '@lumenflow/kernel/adapters';
import {join} from 'node:path';
import {agentFailedWith, missedCodes, takenCodes} from './agent-session-error.ts';
import type {AgentHost, AgentRun} from './agent-sessions.ts';
import {dueJobs} from './due-jobs.ts';
import {countLanePlaces} from './lane-places.ts';
import {readDue} from './read-due.ts';
import {readJournalSizes} from './read-journal-sizes.ts';
import {jobsOnEngine} from './jobs-on-engine.ts';
import {JobRunner} from '../jobs/job-runner.ts';

export interface AgentSchedulerOptions {
  /** The identity of the agents; default `agent`. */
  readonly by?: string;
  /** Maximum number of concurrent sessions; default 4. */
  readonly concurrency?: number;
  /** The engine that runs the sessions, which is closed with the scheduler; default this process. */
  readonly engine?: Engine | undefined;
  /** Called for each run of this process. */
  onRun?(run: AgentRun): void;
  /** Called when a job failed; it is retried. */
  onError?(error: unknown): void;
}

export interface AgentScheduler {
  /** Interrupts the running sessions, which can be resumed later, and waits for them. */
  close(): Promise<void>;
}

export function startAgentScheduler(host: AgentHost, options: AgentSchedulerOptions = {}): AgentScheduler {
  const {by = 'agent', concurrency = 4, engine, onError, onRun} = options;
  const {runtime, workspaceRoot} = host;
  const toEngine = engine && jobsOnEngine(engine, runtime);
  const journals = join(workspaceRoot, '.agent-runtime', 'workflow');
  const source = {
    /** Journals, answers to approvals, and free places in the lanes. */
    async mark() {
      await runtime.refresh();
      const pending = runtime.listApprovals({state: 'pending'}).map(({request_id}) => request_id);
      const full = [...countLanePlaces(runtime)].flatMap(([lane, places]) => (places === 0 ? [lane] : []));
      return JSON.stringify([await readJournalSizes(journals), pending, full]);
    },
    async due(signal: AbortSignal) {
      const due = await readDue(runtime, signal);
      const own = dueJobs(host, due, {by, onRun: (run) => onRun?.(run)});
      const jobs = toEngine?.(own) ?? own;
      const wakeAt = Date.parse(due.next_wake_at ?? '');
      return Number.isNaN(wakeAt) ? {jobs} : {jobs, next_in_ms: Math.max(0, wakeAt - Date.now())};
    },
  };
  const jobs = new JobRunner(source, {
    concurrency,
    onError: (error) => {
      if (!agentFailedWith(error, takenCodes)) onError?.(error);
    },
    isDoubtful: (error) => agentFailedWith(error, missedCodes),
  });
  return {
    async close() {
      await jobs.close();
      await engine?.close();
    },
  };
}
