// One suite for every workflow engine: embedded, or a server.
import type {Engine} from '@lumenflow/kernel/adapters';
import {engineAttackCases} from './engine-attack-cases.ts';
import type {EngineCase, EngineStage} from './engine-case.ts';
import {engineEndingCases} from './engine-ending-cases.ts';
import {engineRunCases} from './engine-run-cases.ts';
import {createScriptedWork, type ScriptedWork} from './scripted-work.ts';

/** An engine that is open, and its worker. */
export interface OpenedEngine {
  readonly engine: Engine;
  /** Closes both, and lets the worker finish first. */
  close(): Promise<void>;
}

/** An engine without runs. It must retry within milliseconds, and park a run after 5 failed attempts at most. */
export interface EngineHome {
  open(work: ScriptedWork): Promise<OpenedEngine>;
  /** Called after everything that was opened is closed. */
  remove(): Promise<void> | void;
}

export interface EngineConformanceOptions {
  /** For one case. */
  create(): Promise<EngineHome> | EngineHome;
  /** Registers a case, such as `test` of vitest or of node:test. */
  register(name: string, run: () => Promise<void>): void;
}

export const engineCases: readonly EngineCase[] = [...engineRunCases, ...engineEndingCases, ...engineAttackCases];

export function runEngineConformance({create, register}: EngineConformanceOptions): void {
  for (const {name, run} of engineCases) register(name, () => onStage(create, run));
}

async function onStage(create: EngineConformanceOptions['create'], run: EngineCase['run']): Promise<void> {
  const home = await create();
  const work = createScriptedWork();
  const opened = new Map<Engine, OpenedEngine>();
  const close: EngineStage['close'] = async (engine) => {
    const one = opened.get(engine);
    opened.delete(engine);
    await one?.close();
  };
  try {
    await run({
      work,
      close,
      async open() {
        const one = await home.open(work);
        opened.set(one.engine, one);
        return one.engine;
      },
    });
  } finally {
    work.letGo();
    for (const engine of opened.keys()) await close(engine);
    await home.remove();
  }
}
