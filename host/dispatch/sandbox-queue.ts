// Bounds the number of concurrent sandboxes. As with threads, each depth of nesting has its own slots, so a call never waits for
// a slot of a call that waits for it.
import type {DispatchOutcome} from '@lumenflow/kernel';
import {failedOutput, nestingMax} from '../pool/index.ts';
import {createAdmission, type Admission, type Waiter} from './admission.ts';

export interface SandboxQueue {
  run(waiter: Waiter & {readonly depth: number}, call: () => Promise<DispatchOutcome>): Promise<DispatchOutcome>;
  /** Rejects queued calls; resolves when the last call is over. */
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
