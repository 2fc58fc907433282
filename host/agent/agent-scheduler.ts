// Carries out what is due of sessions and workflows: what was started elsewhere, what slept, and what waited for a person
// who has answered. Several processes may each have one: a session is carried out by one of them at a time.
import {join} from 'node:path';
import {
  carryOutAgentSession,
  resumeAgentSession,
  startAgentSession,
  type AgentHost,
  type AgentRun,
  type AgentRunOptions,
} from './agent-sessions.ts';
import {AgentSessionError} from './agent-session-error.ts';
import {askNodeApproval} from './ask-node-approval.ts';
import {readDue, type DueWork} from './read-due.ts';
import {watchJournals, type JournalWatch} from './watch-journals.ts';

export interface AgentSchedulerOptions {
  /** Who the agents are; default `agent`. */
  readonly by?: string;
  /** Sessions at work at once; default 4. */
  readonly concurrency?: number;
  onRun?(run: AgentRun): void;
  /** A session could not be carried out now; it is tried again. */
  onError?(error: unknown): void;
}

export interface AgentScheduler {
  /** Interrupts the sessions at work, which go on where they were, and waits for them. */
  close(): Promise<void>;
}

/** What failed, or is held by another process, is looked at again after this long. */
const retryMs = 30_000;
const sleepMsMax = 60 * 60 * 1_000;

type Job = (options: AgentRunOptions) => Promise<AgentRun>;

export function startAgentScheduler(host: AgentHost, options: AgentSchedulerOptions = {}): AgentScheduler {
  const {by = 'agent', concurrency = 4, onError, onRun} = options;
  const {runtime, workspaceRoot} = host;
  const stop = new AbortController();
  const atWork = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let watch: JournalWatch | undefined;

  const lookAgainIn = (ms: number): void => {
    clearTimeout(timer);
    if (!stop.signal.aborted) timer = setTimeout(() => watch?.touch(), Math.min(ms, sleepMsMax)).unref();
  };

  async function run(session_id: string, job: Job): Promise<void> {
    try {
      const done = await job({signal: stop.signal});
      onRun?.(done);
    } catch (error) {
      if (!isSomebodyElses(error)) onError?.(error);
      lookAgainIn(retryMs);
    } finally {
      atWork.delete(session_id);
      watch?.touch();
    }
  }

  async function look(): Promise<void> {
    if (stop.signal.aborted) return;
    try {
      const due = await readDue(runtime);
      for (const node of due.approvals) await askNodeApproval(runtime, by, node);
      for (const [session_id, job] of jobsOf(host, by, due)) {
        if (atWork.size >= concurrency) break;
        if (!atWork.has(session_id)) atWork.set(session_id, run(session_id, job));
      }
      if (due.next_wake_at !== undefined) lookAgainIn(Math.max(0, Date.parse(due.next_wake_at) - Date.now()));
    } catch (error) {
      onError?.(error);
      lookAgainIn(retryMs);
    }
  }

  watch = watchJournals(join(workspaceRoot, '.agent-runtime', 'workflow'), look);
  const {touch} = watch;
  const unsubscribe = runtime.events.subscribe({types: ['approval_resolved']}, () => touch());
  touch();
  return {
    async close() {
      stop.abort();
      clearTimeout(timer);
      unsubscribe();
      await watch.close();
      await Promise.all(atWork.values());
    },
  };
}

/** Between the look and the work another was faster. */
function isSomebodyElses(error: unknown): boolean {
  const codes = ['SESSION_BUSY', 'SESSION_OVER', 'SESSION_EXISTS', 'SESSION_NOT_READY'];
  return error instanceof AgentSessionError && codes.includes(error.failure.code);
}

/** By session. */
function jobsOf(host: AgentHost, by: string, due: DueWork): readonly (readonly [string, Job])[] {
  const answered = due.waiting.filter(({approvals = []}) => approvals.every((id) => isAnswered(host, id)));
  return [
    ...due.sessions.map(
      (place) => [place.session_id, (o: AgentRunOptions) => carryOutAgentSession(host, {by, ...place}, o)] as const,
    ),
    ...answered.map(
      ({session_id}) =>
        [
          session_id,
          (o: AgentRunOptions) => resumeAgentSession(host, {by, session_id, reason: 'approval'}, o),
        ] as const,
    ),
    ...due.nodes.map(
      (node) => [node.session_id, (o: AgentRunOptions) => startAgentSession(host, {by, ...node}, o)] as const,
    ),
  ];
}

function isAnswered({runtime}: AgentHost, request_id: string): boolean {
  return !runtime.listApprovals({state: 'pending'}).some((approval) => approval.request_id === request_id);
}
