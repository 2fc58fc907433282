// Describes a system error for people: without the function name, and without paths that only this process can use.
import {errorCode} from '../error-code.ts';

const hints: Readonly<Record<string, string>> = {
  EPERM: 'it or its directory may be immutable or append-only: see `lsattr`',
};

/** `EPERM: operation not permitted`, with a hint. */
export function describeSystemError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = errorCode(error);
  const text = code !== undefined && error.message.startsWith(`${code}: `) ? error.message.split(', ')[0] : undefined;
  const hint = code === undefined ? undefined : hints[code];
  return `${text ?? error.message}${hint === undefined ? '' : `; ${hint}`}`;
}
