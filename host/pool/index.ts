export {createPool, nestingMax, type Pool, type PoolOptions} from './create-pool.ts';
export {failedOutput} from './failed-output.ts';
export type {PoolCall} from './pooled-call.ts';
export {busy, cancelledBeforeStart, hostClosing} from './refusals.ts';
export type {Reply} from './switchboard.ts';
