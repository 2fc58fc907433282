// Failures that end by themselves: the server restarts, or the network was cut.

/** Classes and codes of SQLSTATE: no connection; too many; ended by an operator, a crash or a start; serialization and deadlocks. */
const passing = /^(?:08...|53300|57P0[1-3]|40001|40P01)$/u;
const ofNetwork: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);
/** Of the client library, without a code. */
const messages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/u;

export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isPassing);
  const {code} = error as {readonly code?: unknown};
  if (typeof code === 'string') return passing.test(code) || ofNetwork.has(code);
  return messages.test(error.message);
}
