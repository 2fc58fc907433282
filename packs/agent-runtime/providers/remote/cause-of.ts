/** The reason why a request failed. fetch hides it in `cause`. */
export function causeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  const {code, message} = Object(cause) as {readonly code?: unknown; readonly message?: unknown};
  return String(code ?? message ?? cause);
}
