// A request as a pack's functions see it: a copy that nothing can be changed in. What they look at is what the rules
// after them look at, and what is recorded and dispatched.
import type {PolicyRequest} from './policy-request.ts';

/** Copies the context when it is first read, which throws when a caller's own object cannot be read. */
export function frozenRequest(request: PolicyRequest): PolicyRequest {
  let context: PolicyRequest['context'] | undefined;
  return {
    ...request,
    get context() {
      return (context ??= frozenCopy(request.context) as PolicyRequest['context']);
    },
  };
}

function frozenCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozenCopy(item)])));
}
