// A server that fails during a stream sends an event `{error: {message}}`, in every protocol.
import {providerError} from './provider-error.ts';

/** Throws ToolError PROVIDER_UNAVAILABLE for such an event. */
export function serverFault(event: unknown): void {
  const {error} = Object(event) as {readonly error?: {readonly message?: unknown} | null};
  if (error === undefined || error === null) return;
  const message = String(Object(error).message ?? JSON.stringify(error)).slice(0, 500);
  throw providerError('PROVIDER_UNAVAILABLE', `the model server failed during the reply: ${message}`);
}
