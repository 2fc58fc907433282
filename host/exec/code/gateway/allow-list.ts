// The tools that one run of code may reach, by their registered names.
import {namespaceOf} from '../../namespace-of.ts';

export type IsAllowed = (tool: string) => boolean;

/** `file:read`, `file:*` or `*`; without a list, every tool. Code never runs code, which would have separate limits. */
export function allowList(entries: readonly string[] | undefined, ownNamespace: string): IsAllowed {
  const names = new Set(entries);
  return (tool) => {
    const namespace = namespaceOf(tool);
    if (namespace === ownNamespace) return false;
    return entries === undefined || names.has('*') || names.has(tool) || names.has(`${namespace}:*`);
  };
}
