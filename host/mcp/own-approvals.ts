// What the client's agent asked a person for, in whichever task.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {Conversation} from './conversation.ts';

export function approvalsOf({runtime, session}: Conversation): ReturnType<KernelRuntime['listApprovals']> {
  return runtime.listApprovals().filter(({requested_by}) => requested_by === session.by);
}
