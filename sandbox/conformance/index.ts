// The conformance suite for implementers of sandbox backends.
export type {BackendCase, CaseCall, CaseStage} from './backend-case.ts';
export {
  backendCases,
  runBackendConformance,
  type ConformanceOptions,
  type SkippedCases,
} from './run-backend-conformance.ts';
