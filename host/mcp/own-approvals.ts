// The approvals that the client's agent requested, in any task.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {Conversation} from './conversation.ts';

export function ownApprovals({runtime, session}: Conversation): ReturnType<KernelRuntime['listApprovals']> {
  return runtime.listApprovals().filter(({requested_by}) => requested_by === session.by);
}
