// Runs a short load on a workspace and records, in order, all operations on the disk, all acknowledgements and all effects. A crash
// can cut it at any of these moments.
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import type {Durability} from '@lumenflow/schemas';
import type {Acknowledgement} from './acknowledgement.ts';
import {callAtRandom} from './call-at-random.ts';
import type {FileOperation, FileSystemTap} from './file-operation.ts';
import {openCrashRuntime} from './open-crash-runtime.ts';
import type {Random} from './random.ts';

export type TraceEntry =
  | {readonly kind: 'done'; readonly operation: FileOperation}
  | {readonly kind: 'sync begins'; readonly handle: number}
  | {readonly kind: 'reported'; readonly reported: Acknowledgement}
  | {readonly kind: 'effect'; readonly receipt_id: string; readonly tool: string};

export interface Recording {
  readonly root: string;
  readonly durability: Durability;
  readonly random: Random;
  readonly tap: FileSystemTap;
  readonly processes: number;
  /** Of each process. */
  readonly callers: number;
  /** In all. */
  readonly things: number;
}

/** Processes of another boot: alive while they record, and known as dead to later processes. */
export function deadProcess(number = 1): ProcessRegistry {
  return {processId: `dead.1.${number}.1.1`, isAlive: (id) => id.startsWith('dead.')};
}

export async function recordTrace({
  root,
  durability,
  random,
  tap,
  processes,
  callers,
  things,
}: Recording): Promise<readonly TraceEntry[]> {
  const trace: TraceEntry[] = [];
  const end = tap.watch({
    root,
    before(operation) {
      if (operation.kind === 'sync') trace.push({kind: 'sync begins', handle: operation.handle});
      return undefined;
    },
    after(operation) {
      if (operation.kind !== 'read') trace.push({kind: 'done', operation});
    },
  });
  try {
    const effect = (receipt_id: string, tool: string): void => void trace.push({kind: 'effect', receipt_id, tool});
    const acknowledge = (reported: Acknowledgement): void => void trace.push({kind: 'reported', reported});
    let left = things;
    const goesOn = (): boolean => left-- > 0;
    // They share the log: what one of them brings to disk or signs includes what the others wrote.
    const lives = Array.from({length: processes}, async (_, index) => {
      const runtime = await openCrashRuntime({root, durability, processes: deadProcess(index + 1), effect});
      await callAtRandom({runtime, random, name: `recorded-${index}`, callers, goesOn, acknowledge});
      await runtime.close();
    });
    await Promise.all(lives);
    return trace;
  } finally {
    end();
  }
}
