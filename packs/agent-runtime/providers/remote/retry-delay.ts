// Whether and when to retry a request: after the delay that the server requests, else with exponential backoff.

/** The longest delay within one turn. */
const delayMaxMs = 30_000;
const firstDelayMs = 500;

export function isWorthRetrying(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Milliseconds; undefined if the server requests a longer delay than a turn allows. `random` is in [0, 1). */
export function retryDelay(
  attempt: number,
  headers: Headers | undefined,
  {now, random}: {readonly now: number; readonly random: number},
): number | undefined {
  const asked = askedDelay(headers, now);
  if (asked !== undefined) return asked <= delayMaxMs ? asked : undefined;
  return Math.min(delayMaxMs, firstDelayMs * 2 ** attempt) * (1 - random / 4);
}

/** RFC 9110 section 10.2.3: seconds or a date. Some servers also send `retry-after-ms`. */
function askedDelay(headers: Headers | undefined, now: number): number | undefined {
  const exact = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (exact >= 0) return exact;
  const text = headers?.get('retry-after') ?? '';
  if (/^\d+$/u.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
