// Formats times and durations for people.

/** `now` and `then` as ISO 8601 texts or milliseconds; `5 min ago`, `in 2 d`. */
export function renderTime(then: string, nowMs: number): string {
  const difference = Date.parse(then) - nowMs;
  if (Number.isNaN(difference)) return then;
  const span = renderSpan(Math.abs(difference));
  if (span === '0 s') return 'now';
  return difference < 0 ? `${span} ago` : `in ${span}`;
}

/** Time since then: `5 min`, `2 d`. */
export function renderAge(since: string, nowMs: number): string {
  const span = nowMs - Date.parse(since);
  return Number.isNaN(span) ? since : renderSpan(Math.max(0, span));
}

function renderSpan(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / (24 * 3600))} d`;
}

/** Milliseconds as `0.4 ms`, `12 ms`, `1.3 s`, `2 min 5 s`. */
export function renderDuration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
