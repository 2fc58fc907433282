// The run of a program, from its task.
import {failed, ok, type KernelRuntime, type Outcome} from '@lumenflow/kernel';
import type {ProgramSource, ToolFailure} from '@lumenflow/schemas';
import {join} from 'node:path';
import {readProgram, type ProgramDocument} from '../document/read-program.ts';

export interface FoundRun {
  readonly source: ProgramSource;
  readonly document: ProgramDocument;
  readonly isOver: boolean;
  readonly cancelled_reason?: string | undefined;
}

/** Fails if there is no such task, or if it runs no program. */
export async function findRun(runtime: KernelRuntime, run_id: string): Promise<Outcome<FoundRun, ToolFailure>> {
  const task = await runtime.inspectTask(run_id);
  if (!task.success) return failed(task.error);
  const {spec, state, cancelled_reason} = task.data;
  const {program: source} = spec;
  const message = `task \`${run_id}\` does not run a program`;
  const document = source && readProgram(source);
  // A run has no type, so a pack cannot have created it.
  if (source === undefined || spec.type !== undefined || document?.ok !== true)
    return failed({code: 'TASK_NOT_FOUND', message, details: {run_id}});
  return ok({source, document: document.value, isOver: state === 'done' || state === 'cancelled', cancelled_reason});
}

/** Of the lock that the process has that runs it. */
export function lockFolder(workspaceRoot: string, run_id: string): string {
  return join(workspaceRoot, '.lumenflow', 'programs', run_id);
}
