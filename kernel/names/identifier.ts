// Ids enter from callers, so they are checked wherever they enter: they become file names and log fields.
const identifier = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && identifier.test(value);
}
