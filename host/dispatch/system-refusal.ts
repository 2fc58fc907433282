// Finds the operating system error that made a handler fail, from Node's message as the handler's side reported it. Errors that
// the handler caught, and errors of other programs, are not visible here.
import type {ToolOutput} from '@lumenflow/schemas';

const charactersMax = 300;

/** `system CODE CALL PATH`, for the receipt. */
export function systemRefusal({error}: ToolOutput): string | undefined {
  const reported = error?.details?.['system_error'];
  if (typeof reported !== 'object' || reported === null) return undefined;
  const {code, syscall, path} = reported as Readonly<Record<string, unknown>>;
  // A file that is not there is not a refusal.
  if (typeof code !== 'string' || typeof syscall !== 'string' || code === 'ENOENT') return undefined;
  const text = ['system', code, syscall, ...(typeof path === 'string' ? [path] : [])].join(' ');
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, charactersMax);
}
