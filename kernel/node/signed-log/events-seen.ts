// A checkpoint over the records also says how many events were signed before it. This proves the order of a record's
// signature and of an event that explains its missing content.

/** The extension line of a checkpoint. */
export function eventsSeen(events: number): string {
  return `events ${events}`;
}

/** 0 when no line says it. */
export function parseEventsSeen(extensions: readonly string[]): number {
  const [found] = extensions.flatMap((line) => /^events (0|[1-9][0-9]{0,14})$/u.exec(line)?.[1] ?? []);
  return Number(found ?? 0);
}
