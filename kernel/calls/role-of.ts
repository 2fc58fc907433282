// As what the principal of a call counts. A terminal and a program that embeds the runtime count as a person. Of the callers of other
// surfaces, only those that the surface authenticated as operators do; all others count as agents.
import type {CallRole} from '@lumenflow/schemas';
import type {ExecutionContext} from './execution-context.ts';

export function roleOf({surface = 'api', is_operator}: Pick<ExecutionContext, 'is_operator' | 'surface'>): CallRole {
  if (is_operator === true) return 'operator';
  return surface === 'api' || surface === 'cli' ? 'person' : 'agent';
}
