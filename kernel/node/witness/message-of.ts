/** Why a request got no answer, for people. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'it does not answer';
  const {code} = error as NodeJS.ErrnoException;
  return error.message === '' ? (code ?? error.name) : error.message;
}
