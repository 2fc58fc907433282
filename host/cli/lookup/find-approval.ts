// Finds an approval request by its id or a prefix of it.
import type {KernelRuntime, StandingApproval} from '@lumenflow/kernel';
import {CliError} from '../failures/cli-error.ts';
import {findByPrefix} from './find-by-prefix.ts';

/** Throws CliError APPROVAL_NOT_FOUND. */
export function findApproval(runtime: KernelRuntime, id: string): StandingApproval {
  const found = id === '' ? undefined : findByPrefix(id, runtime.listApprovals(), ({request_id}) => request_id);
  if (found) return found;
  throw new CliError('APPROVAL_NOT_FOUND', `there is no approval request \`${id}\``, {
    help: '`lumenflow approvals list --state all` lists the requests',
  });
}
