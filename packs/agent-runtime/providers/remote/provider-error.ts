// What can go wrong between a turn and its model server, as distinct error codes.
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

/** For an HTTP status other than success. `said` is the server's error text. */
export function statusError(status: number, said: string): ToolError {
  const reported = said === '' ? '' : `: ${said.slice(0, 500)}`;
  const error = (code: ProviderErrorCode, what: string): ToolError =>
    providerError(code, `the model server ${what} (HTTP ${status})${reported}`, {status});
  if (status === 401 || status === 403) return error('PROVIDER_UNAUTHORIZED', 'rejected the key');
  if (status === 429) return error('PROVIDER_RATE_LIMITED', 'is rate-limiting this key');
  if (status >= 500) return error('PROVIDER_UNAVAILABLE', 'failed');
  return error('PROVIDER_REQUEST_REFUSED', 'rejected the request');
}
