// The variables of the host's environment that a server gets: those that its pin names, and those in its headers.
import type {PackPin} from '@lumenflow/schemas';
import {headerVariables} from './header-variables.ts';
import {pinnedGrants} from './pinned-grants.ts';

export function requiredEnv(pin: PackPin): readonly string[] {
  const named = pinnedGrants(pin).flatMap(([, {required_env = []}]) => required_env);
  return [...new Set([...named, ...headerVariables(pin.headers)])];
}
