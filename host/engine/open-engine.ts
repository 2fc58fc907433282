// The engine that workspace.yaml names, if it is not the embedded one.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {Engine} from '@lumenflow/kernel/adapters';
import {loadEnginePackage} from './engine-package.ts';

export interface EngineHost {
  readonly runtime: Pick<KernelRuntime, 'workspace'>;
  readonly workspaceRoot: string;
}

/** Undefined: runs are advanced by the process that starts or resumes them. Throws KernelError LOAD_FAILED. */
export async function openEngine({runtime, workspaceRoot}: EngineHost): Promise<Engine | undefined> {
  const {engine} = runtime.workspace.spec;
  if (engine === undefined || engine.kind === 'embedded') return undefined;
  return (await loadEnginePackage(engine, workspaceRoot)).createEngine(engine);
}
