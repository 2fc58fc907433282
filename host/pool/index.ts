export {createAdmission, type Admission, type Waiter} from './admission.ts';
export {createPool, nestingMax, type Pool, type PoolOptions} from './create-pool.ts';
export {failedOutput} from './failed-output.ts';
export type {Reply} from './switchboard.ts';
export type {PoolCall} from './thread-group.ts';
