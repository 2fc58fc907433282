// Whether a person makes a call: at a terminal, through a program that embeds the runtime, or as an operator of a surface that
// knows its callers. All other calls count as calls of agents.
import type {ExecutionContext} from './execution-context.ts';

export function isPerson({surface = 'api', is_operator}: Pick<ExecutionContext, 'is_operator' | 'surface'>): boolean {
  return surface === 'api' || surface === 'cli' || is_operator === true;
}
