// The `allow` of run_code as a client writes it: `file_read`, `file_*` or `*`, or as the workspace does.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import {toolIdOf} from './tool-id-of.ts';

/** As the workspace writes them. Fails with the first entry that is neither a tool, a namespace nor `*`. */
export function allowedTools(entries: readonly string[]): Outcome<readonly string[], string> {
  const found = entries.map(allowedTool);
  const wrong = entries.find((_, index) => found[index] === undefined);
  return wrong === undefined ? ok(found.flatMap((entry) => entry ?? [])) : failed(wrong);
}

function allowedTool(entry: string): string | undefined {
  if (entry === '*') return entry;
  if (/[\s*]/u.test(entry.slice(0, -1)) || entry === '') return undefined;
  if (!entry.endsWith('*')) return toolIdOf(entry);
  const namespace = /^(?<name>[^:_*]+)[:_]\*$/u.exec(entry)?.groups?.['name'];
  return namespace === undefined ? undefined : `${namespace}:*`;
}
