// The conformance suite for sandbox backends, for whoever implements one.
export type {BackendCase, CaseCall, CaseStage} from './backend-case.ts';
export {
  backendCases,
  runBackendConformance,
  type ConformanceOptions,
  type SkippedCases,
} from './run-backend-conformance.ts';
