// Bounds how many sandboxes run at once. As with threads, each depth of nesting has places of its own,
// so that a call never waits for a place that a call waiting for it holds.
import type {DispatchOutcome} from '@lumenflow/kernel';
import {failedOutput, nestingMax} from '../pool/index.ts';
import {createAdmission, type Admission, type Waiter} from './admission.ts';

export interface SandboxQueue {
  run(waiter: Waiter & {readonly depth: number}, call: () => Promise<DispatchOutcome>): Promise<DispatchOutcome>;
  /** Turns away what waits; resolves when the last call is over. */
  close(): Promise<void>;
}

const queueMax = 4096;

export function createSandboxQueue(placesPerDepth: number): SandboxQueue {
  const admissions: readonly Admission[] = Array.from({length: nestingMax + 1}, () =>
    createAdmission({places: placesPerDepth, queueMax}),
  );
  return {
    async run(waiter, call) {
      const admission = admissions[waiter.depth];
      if (admission === undefined) {
        return {output: failedOutput('LIMIT_EXCEEDED', `calls are nested deeper than ${nestingMax} levels`)};
      }
      const refused = await admission.enter(waiter);
      if (refused !== undefined) return {output: refused};
      try {
        return await call();
      } finally {
        admission.leave();
      }
    },
    async close() {
      await Promise.all(admissions.map(async (admission) => await admission.close()));
    },
  };
}
