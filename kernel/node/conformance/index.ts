// The conformance suite for implementers of a workspace's state.
export {recordsOfCall} from './example-records.ts';
export {forgeriesOf} from './forgeries.ts';
export {createProcessTable, type ProcessTable} from './process-table.ts';
export {
  runStateConformance,
  stateCases,
  type StateConformanceOptions,
  type StateHome,
} from './run-state-conformance.ts';
export type {SignedState, StateCase, StateStage} from './state-case.ts';
