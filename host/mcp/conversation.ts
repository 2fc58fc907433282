// The state of one MCP client: a host's runtime, the session for its calls, and its open questions.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {Session} from '../sessions/open-session.ts';
import {createConsents, type Consents} from './consents.ts';
import {createRequestStateSeal, type Seal} from './request-state.ts';

export interface Conversation {
  readonly runtime: KernelRuntime;
  readonly session: Session;
  readonly seal: Seal;
  readonly consents: Consents;
}

/** A client's conversations, one after the other: a session can end while its client stays connected. */
export interface Conversations {
  readonly seal: Seal;
  /** Runs a request in the open conversation, or opens one for it. */
  during<T>(work: (conversation: Conversation) => T | Promise<T>): Promise<T>;
}

export function openConversation(runtime: KernelRuntime, session: Session, seal: Seal): Conversation {
  return {runtime, session, seal, consents: createConsents(runtime, session, seal)};
}

/** For a client that uses one session throughout. It is opened for the first request; if that fails, for the next one. */
export function lateConversation(
  open: (isRetry: boolean) => Promise<{readonly runtime: KernelRuntime; readonly session: Session}>,
): Conversations {
  const seal = createRequestStateSeal();
  let opening: Promise<Conversation> | undefined;
  let hasFailed = false;

  async function openOnce(): Promise<Conversation> {
    try {
      const {runtime, session} = await open(hasFailed);
      return openConversation(runtime, session, seal);
    } catch (error) {
      hasFailed = true;
      opening = undefined;
      throw error;
    }
  }

  return {seal, during: async (work) => await work(await (opening ??= openOnce()))};
}
