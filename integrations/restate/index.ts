// Durable runs on a Restate server. The host loads this where workspace.yaml names the engine `restate`.
export {createEngine} from './create-engine.ts';
export {startEngineBalancer, type BalancerOptions, type EngineBalancer} from './start-engine-balancer.ts';
export {startEngineWorker, type RestateWorker, type RestateWorkerOptions} from './start-engine-worker.ts';
export type {RestateSettings} from './restate-settings.ts';
export type {RetryOptions} from './run-object.ts';
