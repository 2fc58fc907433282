// What one MCP client talks to: a host's runtime, the session that its calls are made in, and the questions it was asked.
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

/** A client's conversations, one after the other: a session may end while its client stays. */
export interface Conversations {
  readonly seal: Seal;
  /** Does a request's work in the conversation that stands, or in one that is opened for it. */
  during<T>(work: (conversation: Conversation) => T | Promise<T>): Promise<T>;
}

export function openConversation(runtime: KernelRuntime, session: Session, seal: Seal): Conversation {
  return {runtime, session, seal, consents: createConsents(runtime, session, seal)};
}

/** Of a client that has the same session from beginning to end. */
export function oneConversation(runtime: KernelRuntime, session: Session): Conversations {
  const conversation = openConversation(runtime, session, createRequestStateSeal());
  return {seal: conversation.seal, during: async (work) => await work(conversation)};
}
