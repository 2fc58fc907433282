// Synchronizes what a tool does with other clones: reads the shared log before the work, and publishes what happened afterwards. A
// rejected call publishes nothing, because nothing was recorded. Without `sync` in workspace.yaml, only the work runs.
import {isToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {callOrThrow} from '../nested-calls/call-or-throw.ts';
import type {PackConfig} from '../pack-config.ts';
import type {SyncRequest} from './sync-log.ts';

export type SyncContext = Pick<ToolContext<PackConfig>, 'callTool' | 'config' | 'log'>;

type SyncInput = Omit<SyncRequest, 'remote'>;

/** Part of a tool's output. */
export interface Unsynced {
  /** The remote was unreachable: other clones learn of this with the next tool that synchronizes. */
  readonly unsynced?: true;
}

/** Throws the errors of the work, and before the work those of `wu:sync-log`. */
export async function inSync<Result extends object>(
  context: SyncContext,
  dryRun: boolean,
  work: () => Promise<Result>,
): Promise<Result & Unsynced> {
  if (context.config?.sync === undefined || dryRun) return await work();
  const isRead = await syncUnlessOffline(context);
  const result = await work();
  return isRead && (await publish(context)) ? result : {...result, unsynced: true};
}

/** False if the remote is unreachable, and `offline: allow` permits that. True without `sync`. */
export async function syncUnlessOffline(context: SyncContext, input: SyncInput = {}): Promise<boolean> {
  const {sync} = context.config ?? {};
  if (sync === undefined) return true;
  try {
    await callOrThrow(context, 'wu:sync-log', input);
    return true;
  } catch (error) {
    if (isToolError(error) && error.code === 'REMOTE_UNREACHABLE' && sync.offline === 'allow') return false;
    throw error;
  }
}

/** The work is done, so a failure does not undo it: the events wait in this clone. */
async function publish(context: SyncContext): Promise<boolean> {
  try {
    return await syncUnlessOffline(context, {publish_only: true});
  } catch (error) {
    if (!isToolError(error)) throw error;
    context.log.warn(`what happened was not published: ${error.message}`);
    return false;
  }
}
