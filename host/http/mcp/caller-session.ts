// The session that a caller's MCP clients share in a lane. The first request opens it, or reopens it if its task was ended. It
// closes after a period without requests, which frees the lane's WIP limit.
import {failed, ok, type KernelRuntime, type Outcome, type TransitionFailure} from '@lumenflow/kernel';
import type {Person} from '@lumenflow/schemas';
import {
  createRequestStateSeal,
  createTaskStore,
  reportResourceUpdates,
  openConversation,
  type Conversation,
  type Conversations,
  type Seal,
  Unavailable,
} from '../../mcp/index.ts';
import type {ToolCatalogue} from '../../exec/index.ts';
import type {Session} from '../../sessions/open-session.ts';
import type {HttpHost} from '../route.ts';

export interface CallerSessionOptions {
  readonly host: HttpHost;
  readonly catalogue: ToolCatalogue;
  readonly by: string;
  readonly person?: Person | undefined;
  readonly lane: string | null;
  /** The address of this server. */
  readonly dashboard: string;
  /** Idle time in milliseconds after which the session ends. */
  readonly idleMs: number;
  /** Monotonic time in milliseconds. */
  now(): number;
  onUpdate(uri: string): void;
}

export interface CallerSession extends Conversations {
  /** Opens the session if there is none. Returns the reason if it cannot be opened. */
  open(): Promise<TransitionFailure | undefined>;
  /** Ends the session after the idle time, unless a request is pending or an approved call has not been repeated. */
  endIfIdle(): Promise<void>;
  close(): Promise<void>;
}

type Opened = Outcome<Standing, TransitionFailure>;

interface Standing {
  readonly conversation: Conversation;
  stopReports(): void;
}

export function createCallerSession(options: CallerSessionOptions): CallerSession {
  const {idleMs, now} = options;
  const {runtime} = options.host;
  const seal = createRequestStateSeal();
  let standing: Promise<Opened> | undefined;
  let inHand = 0;
  let lastUse = now();

  async function current(): Promise<Opened> {
    const known = standing;
    if (known) {
      const found = await known;
      if (!found.ok) return found;
      const {conversation, stopReports} = found.value;
      if (await isActive(runtime, conversation.session)) return found;
      stopReports();
      // Another process can have opened a session at the same time.
      if (standing && standing !== known) return await standing;
    }
    const opened = openSessionEntry(options, seal);
    standing = opened;
    const result = await opened.catch((error: unknown) => ({ok: false as const, error}));
    if (!result.ok && standing === opened) standing = undefined;
    return await opened;
  }

  async function end(): Promise<void> {
    const ending = standing;
    standing = undefined;
    const ended = await ending?.catch(() => undefined);
    if (ended?.ok) await endSessionEntry(ended.value);
  }

  return {
    seal,
    tasks: createTaskStore(),
    async during(work) {
      inHand += 1;
      try {
        const found = await current();
        if (!found.ok) throw new Unavailable(found.problem);
        return await work(found.value.conversation);
      } finally {
        inHand -= 1;
        lastUse = now();
      }
    },
    async open() {
      const opened = await (standing ?? current());
      return opened.ok ? undefined : opened.problem;
    },
    async endIfIdle() {
      const found = await standing?.catch(() => undefined);
      const session = found?.ok === true ? found.value.conversation.session : undefined;
      if (!session || inHand > 0 || now() - lastUse < idleMs) return;
      if (!waitsForSomebody(runtime, session)) await end();
    },
    close: end,
  };
}

async function openSessionEntry(
  {host, catalogue, by, person, lane, dashboard, onUpdate}: CallerSessionOptions,
  seal: Seal,
): Promise<Opened> {
  const session = await host.openSession({by, person, surface: 'mcp', lane: lane ?? undefined});
  if (!session.success) return failed(session.error);
  return ok({
    conversation: openConversation(
      {runtime: host.runtime, workspaceRoot: host.workspaceRoot, catalogue, session, dashboard},
      seal,
    ),
    stopReports: reportResourceUpdates(host.runtime, session, onUpdate),
  });
}

async function endSessionEntry({conversation: {session}, stopReports}: Standing): Promise<void> {
  stopReports();
  if (!(await session.complete()).success) await session.release('its client is gone');
}

async function isActive(runtime: KernelRuntime, {task_id, run_id}: Session): Promise<boolean> {
  const found = await runtime.inspectTask(task_id);
  return found.success && found.data.state !== 'done' && found.data.run?.run_id === run_id;
}

/** Terminates, because requests for approval expire. */
function waitsForSomebody(runtime: KernelRuntime, {task_id}: Session): boolean {
  return runtime.listApprovals({task_id}).some(({state}) => state === 'pending' || state === 'approved');
}
