// The conformance suites for implementers of a workspace's state, and of a workflow engine.
export {recordsOfCall} from './example-records.ts';
export {archiveCases, type ArchiveCase, type ArchiveStage} from './archive-cases.ts';
export type {EngineCase, EngineStage} from './engine-case.ts';
export {createScriptedWork, type ScriptedRun, type ScriptedStep, type ScriptedWork} from './scripted-work.ts';
export {forgeriesOf} from './forgeries.ts';
export {createProcessTable, type ProcessTable} from './process-table.ts';
export {
  runStateConformance,
  stateCases,
  type StateConformanceOptions,
  type StateHome,
} from './run-state-conformance.ts';
export {
  engineCases,
  runEngineConformance,
  type EngineConformanceOptions,
  type EngineHome,
  type OpenedEngine,
} from './run-engine-conformance.ts';
export type {SignedState, StateCase, StateStage} from './state-case.ts';
