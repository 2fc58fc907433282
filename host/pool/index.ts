export {createPool, nestingMax, type Pool} from './create-pool.ts';
export type {Durations, PoolCounters} from './pool-counters.ts';
export {failedOutput} from './failed-output.ts';
export {busy, cancelledBeforeStart, hostClosing} from './refusals.ts';
export type {Reply} from './switchboard.ts';
export type {PoolCall} from './pooled-call.ts';
