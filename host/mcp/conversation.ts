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

/** For a client that uses the same session throughout. */
export function oneConversation(runtime: KernelRuntime, session: Session): Conversations {
  const conversation = openConversation(runtime, session, createRequestStateSeal());
  return {seal: conversation.seal, during: async (work) => await work(conversation)};
}
