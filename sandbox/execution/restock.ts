// Starts spares for calls like one that has just finished.
import {writesNothing} from '../profile/changes-nothing.ts';
import type {SandboxRequest} from '../backends/sandbox-call.ts';
import {awaitReady} from '../warm-pool/spare.ts';
import {fileIdentities, type SpareKey} from '../warm-pool/spare-key.ts';
import type {StoredSpare} from '../warm-pool/stock.ts';
import type {ExecutorContext} from './executor-context.ts';
import {startForLater} from './start-with-resources.ts';

/** A sandbox that is kept for its task serves that task alone, so there is nothing to start in advance. */
export function restock(key: SpareKey | undefined, request: SandboxRequest, context: ExecutorContext): void {
  if (key === undefined || request.warm?.reuseForTask !== undefined) return;
  const settled = request.warm?.settled ?? Promise.resolve();
  void settled.then(() => context.pool?.restock(key, () => startSpare(request, context)));
}

/** Undefined if files have changed since, if its resources are not available, or if the runner does not start. */
async function startSpare(
  {profile, invocation, transaction}: SandboxRequest,
  context: ExecutorContext,
): Promise<StoredSpare | undefined> {
  const views = transaction?.spareViews;
  if (transaction !== undefined && views === undefined) return undefined;
  const files = fileIdentities(profile, views);
  // Code of a pack runs before its call only if it can change nothing and if what it reads does not matter. Otherwise a spare
  // waits with Node alone.
  const mayLoad = transaction === undefined && writesNothing(profile.profile);
  const handlerEntry = mayLoad ? invocation.handler_entry : undefined;
  const program = {kind: 'runner', runner: context.runner, waiting: {handlerEntry}} as const;
  const runner = await startForLater({profile, program, views}, context);
  const spare = runner.ok ? await awaitReady(runner.value) : undefined;
  if (spare === undefined) return undefined;
  if (fileIdentities(profile, views) === files) return {files, spare};
  spare.runner.kill();
  return undefined;
}
