// Durable runs on a Temporal server. The host loads this where workspace.yaml names the engine `temporal`.
export {createEngine} from './create-engine.ts';
export {startEngineWorker, type TemporalWorker, type TemporalWorkerOptions} from './start-engine-worker.ts';
export type {RetryOptions} from './retry-options.ts';
export type {TemporalSettings} from './temporal-settings.ts';
