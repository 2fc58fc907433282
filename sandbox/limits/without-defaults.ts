// The limits that were set explicitly: outside of a sandbox the defaults would count the user's other programs too.
import type {ResourceLimits} from '@lumenflow/schemas';
import {defaultLimits} from './resolve-limits.ts';

export function withoutDefaults(limits: ResourceLimits): ResourceLimits {
  const isAsked = ([name, value]: readonly [string, unknown]): boolean =>
    defaultLimits[name as keyof ResourceLimits] !== value;
  return Object.fromEntries(Object.entries(limits).filter(isAsked));
}
