// Whether and when a request is made again: what the server asks for, else twice as long each time.

/** Longer than this nobody is kept waiting within one turn. */
const delayMaxMs = 30_000;
const firstDelayMs = 500;

export function isWorthRetrying(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Milliseconds; undefined when the server asks for more patience than a turn has. `random` is in [0, 1). */
export function retryDelay(
  attempt: number,
  headers: Headers | undefined,
  {now, random}: {readonly now: number; readonly random: number},
): number | undefined {
  const asked = askedDelay(headers, now);
  if (asked !== undefined) return asked <= delayMaxMs ? asked : undefined;
  return Math.min(delayMaxMs, firstDelayMs * 2 ** attempt) * (1 - random / 4);
}

/** RFC 9110 section 10.2.3: seconds or a date; `retry-after-ms` is what some servers say beside it. */
function askedDelay(headers: Headers | undefined, now: number): number | undefined {
  const exact = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (exact >= 0) return exact;
  const text = headers?.get('retry-after') ?? '';
  if (/^\d+$/u.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
