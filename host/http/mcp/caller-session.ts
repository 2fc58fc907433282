// The session that a caller's MCP clients share in a lane. The first request opens it, or reopens it if its task was ended. It
// closes after a period without requests, which frees the lane's WIP limit.
import type {KernelRuntime} from '@lumenflow/kernel';
import {
  createRequestStateSeal,
  reportResourceUpdates,
  openConversation,
  type Conversation,
  type Conversations,
} from '../../mcp/index.ts';
import type {Session} from '../../sessions/open-session.ts';
import type {HttpHost} from '../route.ts';

export interface CallerSessionOptions {
  readonly host: HttpHost;
  readonly by: string;
  readonly lane: string | null;
  /** Idle time in milliseconds after which the session ends. */
  readonly idleMs: number;
  /** Monotonic time in milliseconds. */
  now(): number;
  onUpdate(uri: string): void;
}

export interface CallerSession extends Conversations {
  /** Opens the session if there is none, so that errors are reported first. Throws SessionError. */
  open(): Promise<void>;
  /** Ends the session after the idle time, unless a request is pending or an approved call has not been repeated. */
  endIfIdle(): Promise<void>;
  close(): Promise<void>;
}

interface Standing {
  readonly conversation: Conversation;
  stopReports(): void;
}

export function createCallerSession(options: CallerSessionOptions): CallerSession {
  const {host, by, lane, idleMs, now, onUpdate} = options;
  const {runtime} = host;
  const seal = createRequestStateSeal();
  let standing: Promise<Standing> | undefined;
  let inHand = 0;
  let lastUse = now();

  async function open(): Promise<Standing> {
    const session = await host.openSession({by, surface: 'mcp', ...(lane !== null && {lane})});
    return {
      conversation: openConversation(runtime, session, seal),
      stopReports: reportResourceUpdates(runtime, session, onUpdate),
    };
  }

  async function current(): Promise<Standing> {
    const known = standing;
    if (known) {
      const {conversation, stopReports} = await known;
      if (await isActive(runtime, conversation.session)) return await known;
      stopReports();
      // Another process can have opened a session at the same time.
      if (standing && standing !== known) return await standing;
    }
    const opened = open();
    standing = opened;
    opened.catch(() => {
      if (standing === opened) standing = undefined;
    });
    return await opened;
  }

  async function end(): Promise<void> {
    const ending = standing;
    standing = undefined;
    const ended = await ending?.catch(() => undefined);
    if (!ended) return;
    ended.stopReports();
    const {session} = ended.conversation;
    if (!(await session.complete()).success) await session.release('its client is gone');
  }

  return {
    seal,
    async during(work) {
      inHand += 1;
      try {
        return await work((await current()).conversation);
      } finally {
        inHand -= 1;
        lastUse = now();
      }
    },
    async open() {
      if (!standing) await current();
    },
    async endIfIdle() {
      const session = (await standing?.catch(() => undefined))?.conversation.session;
      if (!session || inHand > 0 || now() - lastUse < idleMs) return;
      if (!waitsForSomebody(runtime, session)) await end();
    },
    close: end,
  };
}

async function isActive(runtime: KernelRuntime, {task_id, run_id}: Session): Promise<boolean> {
  const found = await runtime.inspectTask(task_id);
  return found.success && found.data.state !== 'done' && found.data.run?.run_id === run_id;
}

/** Terminates, because requests for approval expire. */
function waitsForSomebody(runtime: KernelRuntime, {task_id}: Session): boolean {
  return runtime.listApprovals({task_id}).some(({state}) => state === 'pending' || state === 'approved');
}
