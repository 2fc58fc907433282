// What one MCP client talks to: a host's runtime, and the session that its calls are made in.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {Session} from '../sessions/open-session.ts';

export interface Conversation {
  readonly runtime: KernelRuntime;
  readonly session: Session;
}
