// An exception of CEL as a fault with its offset in the source.
import type {ExpressionFault} from './expression-wire.ts';

interface CelError {
  readonly summary?: unknown;
  readonly message: string;
  readonly range?: {readonly start: number};
}

export function expressionFault(error: unknown, source: string): ExpressionFault {
  if (!(error instanceof Error)) return {message: String(error), source};
  const {summary, message, range}: CelError = error;
  const [first = message] = (typeof summary === 'string' ? summary : message).split('\n', 1);
  return {message: first, source, ...(range && {offset: range.start})};
}
