// Carries out what is due of sessions and workflows: what was started elsewhere, what slept, and what waited for a person
// who has answered. Several processes may each have one: a session is carried out by one of them at a time.
import {join} from 'node:path';
import {SessionError} from '../sessions/open-session.ts';
import {AgentSessionError} from './agent-session-error.ts';
import type {AgentHost, AgentRun} from './agent-sessions.ts';
import {dueJobs} from './due-jobs.ts';
import {countLanePlaces} from './lane-places.ts';
import {readDue} from './read-due.ts';
import {readJournalSizes} from './read-journal-sizes.ts';
import {JobRunner} from './job-runner.ts';

export interface AgentSchedulerOptions {
  /** Who the agents are; default `agent`. */
  readonly by?: string;
  /** Sessions at work at once; default 4. */
  readonly concurrency?: number;
  onRun?(run: AgentRun): void;
  /** Something could not be carried out now; it is tried again. */
  onError?(error: unknown): void;
}

export interface AgentScheduler {
  /** Interrupts the sessions at work, which go on where they were, and waits for them. */
  close(): Promise<void>;
}

export function startAgentScheduler(host: AgentHost, options: AgentSchedulerOptions = {}): AgentScheduler {
  const {by = 'agent', concurrency = 4, onError, onRun} = options;
  const {runtime, workspaceRoot} = host;
  const journals = join(workspaceRoot, '.agent-runtime', 'workflow');
  const source = {
    /** Journals, persons' answers, and room in the lanes. */
    async mark() {
      const pending = runtime.listApprovals({state: 'pending'}).map(({request_id}) => request_id);
      const full = [...countLanePlaces(runtime)].flatMap(([lane, places]) => (places === 0 ? [lane] : []));
      return JSON.stringify([await readJournalSizes(journals), pending, full]);
    },
    async due(signal: AbortSignal) {
      const due = await readDue(runtime, signal);
      const jobs = dueJobs(host, due, {by, onRun: (run) => onRun?.(run)});
      const wakeAt = Date.parse(due.next_wake_at ?? '');
      return Number.isNaN(wakeAt) ? {jobs} : {jobs, next_in_ms: Math.max(0, wakeAt - Date.now())};
    },
  };
  return new JobRunner(source, {
    concurrency,
    onError: (error) => {
      if (!failedWith(error, taken)) onError?.(error);
    },
    isDoubtful: (error) => failedWith(error, missed),
  });
}

/** In the hands of another, or of others that fill its lane. */
const taken = ['SESSION_BUSY', 'WIP_LIMIT_REACHED'];
/** Another was faster, between the look and the work. */
const missed = ['SESSION_OVER', 'SESSION_EXISTS', 'SESSION_NOT_READY'];

function failedWith(error: unknown, codes: readonly string[]): boolean {
  return (error instanceof AgentSessionError || error instanceof SessionError) && codes.includes(error.failure.code);
}
