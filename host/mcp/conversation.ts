// The state of one MCP client: a host's runtime, the session for its calls, and its open questions.
import type {KernelRuntime} from '@lumenflow/kernel';
import {createExec, type Exec, type ExecHost} from '../exec/index.ts';
import type {Session} from '../sessions/open-session.ts';
import {createConsents, type Consents} from './consents.ts';
import {createRequestStateSeal, type Seal} from './request-state.ts';
import {createTaskStore, type TaskStore} from './task-store.ts';

export interface Conversation {
  readonly runtime: KernelRuntime;
  readonly session: Session;
  readonly exec: Exec;
  readonly seal: Seal;
  readonly consents: Consents;
  /** Its address, if a person can answer requests there. */
  readonly dashboard?: string;
  /** Bytes of a result that its client can receive at most; default no limit. */
  readonly messageMax?: number;
}

/** A client's conversations, one after the other: a session can end while its client stays connected. */
export interface Conversations {
  readonly seal: Seal;
  readonly tasks: TaskStore;
  /** Runs a request in the open conversation, or opens one for it. */
  during<T>(work: (conversation: Conversation) => T | Promise<T>): Promise<T>;
}

export function openConversation(
  {
    catalogue,
    workspaceRoot,
    ...parts
  }: Pick<Conversation, 'runtime' | 'session' | 'dashboard' | 'messageMax'> &
    Pick<ExecHost, 'catalogue' | 'workspaceRoot'>,
  seal: Seal,
): Conversation {
  const {runtime, session} = parts;
  const exec = createExec({runtime, workspaceRoot, ...(catalogue && {catalogue})}, {session});
  return {...parts, exec, seal, consents: createConsents(parts.runtime, parts.session, seal)};
}

/** Some clients on stdio buffer 10 MB at most. */
const messageMax = 8 * 1024 * 1024;

/** For a client on stdio, which uses one session throughout. It is opened for the first request; if that fails, for the next one. */
export function lateConversation(
  open: (
    isRetry: boolean,
  ) => Promise<{readonly runtime: KernelRuntime; readonly session: Session; readonly workspaceRoot?: string}>,
): Conversations {
  const seal = createRequestStateSeal();
  let opening: Promise<Conversation> | undefined;
  let hasFailed = false;

  async function openOnce(): Promise<Conversation> {
    try {
      return openConversation({...(await open(hasFailed)), messageMax}, seal);
    } catch (error) {
      hasFailed = true;
      opening = undefined;
      throw error;
    }
  }

  return {seal, tasks: createTaskStore(), during: async (work) => await work(await (opening ??= openOnce()))};
}
