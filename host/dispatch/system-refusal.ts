// What the operating system refused a handler, when that made its call fail: Node's own words, as the handler's side
// reported them. A refusal that a handler has dealt with is not seen here, nor one that met another program.
import type {ToolOutput} from '@lumenflow/schemas';

const charactersMax = 300;

/** `system CODE CALL PATH`, for the receipt. */
export function systemRefusal({error}: ToolOutput): string | undefined {
  const reported = error?.details?.['system_error'];
  if (typeof reported !== 'object' || reported === null) return undefined;
  const {code, syscall, path} = reported as Readonly<Record<string, unknown>>;
  if (typeof code !== 'string' || typeof syscall !== 'string') return undefined;
  const text = ['system', code, syscall, ...(typeof path === 'string' ? [path] : [])].join(' ');
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, charactersMax);
}
