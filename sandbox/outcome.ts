// The result of a step that can fail. The type is the kernel's, of which this package may import types only.
import type {Failed, Outcome as KernelOutcome} from '@lumenflow/kernel';
import type {SandboxProblem} from './sandbox-problem.ts';

export type {Failed};

/** Either the value of a step, or the problem that prevented it. `ok` discriminates. */
export type Outcome<T, P = SandboxProblem> = KernelOutcome<T, P>;

export function ok<T>(value: T): Extract<Outcome<T>, {ok: true}> {
  return {ok: true, value};
}

export function failed<P>(problem: P): Failed<P> {
  return {ok: false, problem};
}
