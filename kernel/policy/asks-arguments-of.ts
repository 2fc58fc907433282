// Which earlier calls are asked for their arguments by conditions of `after`, so that only their inputs are read from the records.
import type {Globs} from '@lumenflow/schemas';
import {compileGlobs} from './compile-globs.ts';
import {isRecord} from './is-record.ts';
import type {PolicyCompilerPorts} from './policy-compiler-ports.ts';

/** By the names of their tools; undefined if there is no such condition. */
export function asksArgumentsOf(
  when: unknown,
  {compileRegex}: Pick<PolicyCompilerPorts, 'compileRegex'>,
): ((tool: string) => boolean) | undefined {
  const tests = [...pastCallsIn(when)].map(({tool}) => {
    const globs = tool === undefined ? undefined : compileGlobs(tool as Globs, 'tool', compileRegex);
    return globs?.ok === true ? globs.value : () => true;
  });
  return tests.length === 0 ? undefined : (tool) => tests.some((test) => test(tool));
}

function* pastCallsIn(when: unknown): Iterable<Readonly<Record<string, unknown>>> {
  if (Array.isArray(when)) for (const part of when) yield* pastCallsIn(part);
  if (!isRecord(when)) return;
  const {after, all, any, not} = when;
  if (isRecord(after)) {
    for (const part of [after['call'], after['without']]) if (isRecord(part) && 'arguments' in part) yield part;
  }
  for (const part of [all, any, not]) yield* pastCallsIn(part);
}
