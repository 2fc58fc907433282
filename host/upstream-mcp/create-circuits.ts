// Stops calling servers that end in every call. After a pause, one call tries the server again.
import type {ToolOutput} from '@lumenflow/schemas';
import {serverEnded} from './server-ended.ts';

export interface Circuits {
  /** Why the server of a pack is not called now. */
  refusal(pack: string): ToolOutput | undefined;
  record(pack: string, output: ToolOutput): void;
}

/** Calls in a row in which a server ended. */
const failuresMax = 3;
const pauseMs = 30_000;

interface Circuit {
  readonly failures: number;
  /** Milliseconds since the epoch. */
  pausedUntil: number;
}

/** `now`: milliseconds since the epoch. */
export function createCircuits(now: () => number): Circuits {
  const circuits = new Map<string, Circuit>();
  return {
    refusal(pack) {
      const circuit = circuits.get(pack);
      if (circuit === undefined || circuit.failures < failuresMax) return undefined;
      const retry_after_ms = circuit.pausedUntil - now();
      if (retry_after_ms > 0) return paused(pack, circuit.failures, retry_after_ms);
      // Further calls wait for the outcome of this one.
      circuit.pausedUntil = now() + pauseMs;
      return undefined;
    },
    record(pack, output) {
      if (serverEnded(output)) {
        const failures = (circuits.get(pack)?.failures ?? 0) + 1;
        circuits.set(pack, {failures, pausedUntil: now() + pauseMs});
      } else circuits.delete(pack);
    },
  };
}

function paused(pack: string, failures: number, retry_after_ms: number): ToolOutput {
  return {
    success: false,
    error: {
      code: 'UPSTREAM_FAILED',
      message: `the server of the pack \`${pack}\` ended in the last ${failures} calls: retry in ${Math.ceil(retry_after_ms / 1_000)} s`,
      details: {
        server: pack,
        retryable: true,
        retry_after_ms,
        remedy: 'read the logs of the failed calls: `lumenflow evidence show` prints one',
      },
    },
  };
}
