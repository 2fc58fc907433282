// The public kernel: the decisions and the pipeline, pure, against ports.
export {createKernel, type KernelOptions} from './create-kernel.ts';
export type {EventFilter, KernelRuntime, TaskView} from './kernel-runtime.ts';
export {
  KernelError,
  isKernelError,
  type CallErrorCode,
  type KernelErrorCode,
  type TransitionErrorCode,
} from './errors.ts';
export type {Problem} from './problem.ts';
export {isIdentifier} from './identifier.ts';
export {nearestName} from './nearest-name.ts';
export type {TransitionFailure, TransitionResult} from './transition.ts';
export type * from './ports.ts';
