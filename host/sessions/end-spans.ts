// Ends servers whose session or task has ended.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {Sandbox, Span} from '@lumenflow/sandbox';
import type {PackPin} from '@lumenflow/schemas';

type Lifetime = NonNullable<PackPin['lifetime']>;

/** The claim in which a call is made. */
export interface Claim {
  readonly session_id: string;
  readonly run_id: string;
}

/** Undefined for a server that serves one call. */
export function spanOf(lifetime: Lifetime, {session_id, run_id}: Claim): Span | undefined {
  if (lifetime === 'call') return undefined;
  if (lifetime === 'workspace') return {lifetime, id: ''};
  return {lifetime, id: JSON.stringify(lifetime === 'session' ? [session_id] : [session_id, run_id])};
}

/** A session has ended when it has no task. */
export function isSpanOver({lifetime, id}: Span, runtime: Pick<KernelRuntime, 'listHeldTasks'>): boolean {
  if (lifetime === 'workspace') return false;
  const [session_id = '', run_id] = JSON.parse(id) as readonly string[];
  const runs = runtime.listHeldTasks(session_id).map(({run}) => run?.run_id);
  return run_id === undefined ? runs.length === 0 : !runs.includes(run_id);
}

/** Returns the function that stops it. Without servers that last, events are not read. */
export function endSpans(runtime: KernelRuntime, sandbox: Pick<Sandbox, 'endSpans'>): () => void {
  const lasts = [...runtime.workspace.packs.values()].some(({pin: {lifetime = 'call'}}) => lifetime !== 'call');
  if (!lasts) return () => undefined;
  let pending: NodeJS.Immediate | undefined;
  const check = (): void => {
    pending = undefined;
    sandbox.endSpans((span) => isSpanOver(span, runtime));
  };
  const stop = runtime.events.subscribe({types: ['task_completed', 'task_released']}, () => {
    // Once the events of one transition are all known.
    pending ??= setImmediate(check);
  });
  return () => {
    clearImmediate(pending);
    stop();
  };
}
