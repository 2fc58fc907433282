// A case of the conformance suite for workflow engines: what an engine does with scripted runs.
import type {Engine} from '@lumenflow/kernel/adapters';
import type {ScriptedWork} from './scripted-work.ts';

/** One engine without runs at the start of each case. What a case opens is closed when it ends. */
export interface EngineStage {
  readonly work: ScriptedWork;
  /** Opens the engine, with a worker for `work`. */
  open(): Promise<Engine>;
  /** Closes the worker and the engine. A worker finishes what it is advancing. */
  close(engine: Engine): Promise<void>;
}

export interface EngineCase {
  readonly name: string;
  /** Rejects with an AssertionError. */
  run(stage: EngineStage): Promise<void>;
}
