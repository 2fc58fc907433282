// What one MCP client talks to: a host's runtime, the session that its calls are made in, and the questions it was asked.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {Session} from '../sessions/open-session.ts';
import {createConsents, type Consents} from './consents.ts';

export interface Conversation {
  readonly runtime: KernelRuntime;
  readonly session: Session;
  readonly consents: Consents;
}

export function openConversation(runtime: KernelRuntime, session: Session): Conversation {
  return {runtime, session, consents: createConsents(runtime, session)};
}
