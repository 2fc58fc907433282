export {isFinalError} from './engine.ts';
export type {Engine, EngineRun, EngineWork, EngineWorker, RunProgress} from './engine.ts';
export {withCheckedRunIds} from './with-checked-run-ids.ts';
