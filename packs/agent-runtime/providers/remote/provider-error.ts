// What can go wrong between a turn and its model server, as codes that callers can tell apart.
import {ToolError} from '@lumenflow/pack-sdk';

export type ProviderErrorCode =
  | 'PROVIDER_UNAUTHORIZED'
  | 'PROVIDER_RATE_LIMITED'
  | 'PROVIDER_REQUEST_REFUSED'
  | 'PROVIDER_UNAVAILABLE'
  | 'PROVIDER_TIMEOUT'
  | 'PROVIDER_RESPONSE_INVALID'
  | 'PROVIDER_STREAM_BROKEN';

export function providerError(
  code: ProviderErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ToolError {
  return new ToolError(code, message, {...details});
}

/** Of an HTTP status that is no success; `said` is what the server answered. */
export function statusError(status: number, said: string): ToolError {
  const told = said === '' ? '' : `: ${said.slice(0, 500)}`;
  const error = (code: ProviderErrorCode, what: string): ToolError =>
    providerError(code, `the model server ${what} (HTTP ${status})${told}`, {status});
  if (status === 401 || status === 403) return error('PROVIDER_UNAUTHORIZED', 'does not accept the key');
  if (status === 429) return error('PROVIDER_RATE_LIMITED', 'has no capacity for this key now');
  if (status >= 500) return error('PROVIDER_UNAVAILABLE', 'failed');
  return error('PROVIDER_REQUEST_REFUSED', 'refused the request');
}
