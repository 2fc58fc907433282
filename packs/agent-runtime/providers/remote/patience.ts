// Limits how long a model server may be silent, before the reply and between two parts of it.
import type {ToolError} from '@lumenflow/pack-sdk';
import {providerError} from './provider-error.ts';

export interface Patience {
  /** Aborts when the server was silent for too long or the call is cancelled. */
  readonly signal: AbortSignal;
  /** The server was silent for too long. */
  readonly isOver: boolean;
  /** ToolError PROVIDER_TIMEOUT. */
  error(): ToolError;
  /** Restarts the timeout after the server sent data. */
  renew(): void;
  end(): void;
}

export function startPatience(timeoutMs: number, cancelled: AbortSignal): Patience {
  const tooSlow = new AbortController();
  const timer = setTimeout(() => tooSlow.abort(), timeoutMs);
  return {
    signal: AbortSignal.any([cancelled, tooSlow.signal]),
    get isOver() {
      return tooSlow.signal.aborted;
    },
    error: () =>
      providerError('PROVIDER_TIMEOUT', `the model server sent nothing for ${timeoutMs} ms`, {timeout_ms: timeoutMs}),
    renew: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  };
}
