/** Code can replace the functions that write JSON in its engine, so a text of it can be anything. */
export function jsonOr(text: string, other: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return other;
  }
}
