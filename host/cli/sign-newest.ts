// Signs a checkpoint over all records before a command exports them.
import type {CliContext} from './command.ts';
import {isReadOnly} from './with-evidence.ts';
import {withHost} from './with-host.ts';

/** A copy (`folder`) or a workspace that cannot be written ends at its newest checkpoint. */
export async function signNewest(context: CliContext, folder: string | undefined): Promise<void> {
  if (folder !== undefined || isReadOnly(context)) return;
  await withHost(context, ({runtime}) => runtime.evidence.checkpoint());
}
