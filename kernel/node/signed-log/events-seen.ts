// What a checkpoint over the records says of the events: how many were signed before it. So it stands fast which came
// first, a record's signature or an event that excuses something of it.

/** The extension line of a checkpoint. */
export function eventsSeen(events: number): string {
  return `events ${events}`;
}

/** 0 when no line says it. */
export function parseEventsSeen(extensions: readonly string[]): number {
  const [found] = extensions.flatMap((line) => /^events (0|[1-9][0-9]{0,14})$/u.exec(line)?.[1] ?? []);
  return Number(found ?? 0);
}
