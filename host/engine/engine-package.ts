// The package of the engine that workspace.yaml names. It is loaded when the first run needs it.
import {KernelError} from '@lumenflow/kernel';
import type {Engine, EngineWork, EngineWorker} from '@lumenflow/kernel/adapters';
import type {EngineSettings} from '@lumenflow/schemas';
import {findPackage} from '../find-package.ts';

export interface EngineWorkerOptions {
  readonly hostname: string;
  /** 0 selects a free one. */
  readonly port: number;
  /** Where the engine reaches the worker; default its address. */
  readonly url?: string | undefined;
  /** The number of runs that it advances at a time. */
  readonly slots: number;
}

export interface StartedEngineWorker extends EngineWorker {
  /** Where the engine reaches it, or where it takes runs from. */
  readonly url: string;
  /** Rejects if the worker ends before it is closed. */
  readonly failed?: Promise<never>;
}

/** What the package of an engine exports. */
export interface EnginePackage {
  createEngine(settings: EngineSettings): Engine;
  /** Rejects if the engine is not reachable. */
  startEngineWorker(
    settings: EngineSettings,
    work: EngineWork,
    options: EngineWorkerOptions,
  ): Promise<StartedEngineWorker>;
  /** Of an engine that sends all runs to one address. */
  startEngineBalancer?(
    settings: EngineSettings,
    options: {readonly hostname: string; readonly port: number; readonly workers: readonly string[]},
  ): Promise<StartedEngineWorker>;
}

/** Throws KernelError LOAD_FAILED if it is not installed. */
export async function loadEnginePackage({kind}: EngineSettings, workspaceRoot: string): Promise<EnginePackage> {
  return (await import(urlOf(kind, workspaceRoot))) as EnginePackage;
}

/** Throws KernelError LOAD_FAILED if workspace.yaml names an engine whose package is not installed. */
export function checkEnginePackage(settings: EngineSettings | undefined, workspaceRoot: string): void {
  if (settings !== undefined && settings.kind !== 'embedded') urlOf(settings.kind, workspaceRoot);
}

function urlOf(kind: EngineSettings['kind'], workspaceRoot: string): string {
  const name = `@lumenflow/integration-${kind}`;
  const url = findPackage(name, workspaceRoot);
  if (url !== undefined) return url;
  throw new KernelError(
    'LOAD_FAILED',
    `the engine \`${kind}\` needs the package \`${name}\`: run \`npm install ${name}\` in the workspace`,
  );
}
