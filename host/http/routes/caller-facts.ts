// What the kernel is given about the caller of a request.
import type {ExecutionContext} from '@lumenflow/kernel';
import {hasRole, type RouteCall} from '../route.ts';

export function callerFacts({
  caller,
}: Pick<RouteCall<unknown, unknown>, 'caller'>): Pick<ExecutionContext, 'by' | 'is_operator' | 'surface'> {
  return {by: caller.name, surface: 'http', is_operator: hasRole(caller, 'operator')};
}
